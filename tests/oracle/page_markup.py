#!/usr/bin/env python3
"""Checks the markup of pages that ndjson2report wrote, and prints each violation.

usage: page_markup.py PAGE...
The Content-Security-Policy names the SHA-256 of the only style and the only script; elements and attributes are in the
lists below, so there is nothing that loads a file or runs code; tags are balanced; ids are unique; each link leads to
an id of the page; the page has at most 300,000 bytes.
"""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

MOST = 300_000
VOID = {"meta", "wbr"}
ELEMENTS = VOID | set("""html head title style body header h1 ul li main section h2 p svg rect text i b dl div dt dd
    small nav a ol h3 code details summary pre table thead tr th tbody td span script path""".split())
ATTRIBUTES = set("""lang charset http-equiv content name class id href role width height aria-label aria-hidden x y d
    viewbox preserveaspectratio text-anchor title scope data-v""".split())


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.faults, self.open, self.ids, self.links, self.kinds = [], [], [], [], []
        self.texts = {"style": [], "script": []}
        self.policy = None
        self.feed(text)
        self.close()
        if self.open:
            self.faults.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        if tag not in ELEMENTS:
            self.faults.append(f"element {tag}")
        for name, value in attrs:
            if name not in ATTRIBUTES:
                self.faults.append(f"attribute {name} of {tag}")
        given = dict(attrs)
        if "id" in given:
            self.ids.append(given["id"])
        if "href" in given:
            self.links.append(given["href"])
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        if tag in self.texts:
            self.texts[tag].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"unexpected </{tag}>")

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]][-1] += data

    def handle_comment(self, data):
        self.faults.append(f"comment {data}")


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


for path in sys.argv[1:]:
    raw = open(path, "rb").read()
    page = Page(raw.decode())
    faults = page.faults
    if len(raw) > MOST:
        faults.append(f"{len(raw)} bytes")
    if re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", raw):
        faults.append("control characters")
    if [len(t) for t in page.texts.values()] != [1, 1]:
        faults.append("not one style and one script")
    else:
        hashes = [digest(page.texts[t][0]) for t in ("style", "script")]
        want = ("default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'"
                % tuple(hashes))
        if page.policy != want:
            faults.append(f"policy {page.policy}, expected {want}")
    faults += [f"id {i} is not unique" for i in set(page.ids) if page.ids.count(i) > 1]
    # Links lead to a section, or to a file beside the page.
    faults += [f"link to {link}" for link in page.links if
               (link[1:] not in page.ids if link[0] == "#" else re.search(r"[^\w%.-]|%(?![0-9A-F]{2})", link, re.A))]
    for fault in faults:
        print(f"{path}: {fault}")
