#!/usr/bin/env python3
"""Compares the catalogue of trace-report --catalogue with the output of -h of all programs.

usage: catalogue.py PROGRAM... <CATALOGUE

Prints a line for each difference: a usage, an example, an option, its argument or its text that is only in one of them,
a description or a word that the help does not have, and a default that its text does not have.
"""
import json
import re
import subprocess
import sys

def plain(text):
    return " ".join(text.split())


def rows_of(text):
    """Returns {names: (argument, description)} of the rows of a help."""
    rows, at = {}, None
    for line in text.splitlines():
        start = re.match(r"  (?:    (?=--))?-", line)
        if start:
            head, _, what = line.strip().partition("  ")
            names = re.findall(r"(?:^|, )(--?[A-Za-z][a-z0-9-]*)", head)
            argument = re.sub(r"^.*?%s" % re.escape(names[-1]), "", head)
            argument = "[%s" % argument[2:] if argument.startswith("[") else argument[1:]
            at = tuple(names)
            rows[at] = [argument, what]
        elif at and line.startswith("      "):
            rows[at][1] += " " + line
        else:
            at = None
    return {names: (argument, plain(what)) for names, (argument, what) in rows.items()}


def default_of(text, words):
    """Returns the default in a text: (default 250ms), or the word before (default) or ", default)"."""
    told = re.search(r"\(default ([^ ;):]+)[;)]", text)
    chosen = [w for w in words if re.search(r"\b%s( \(default[,)]|, default\))" % re.escape(w), text)]
    return told.group(1) if told else chosen[0] if chosen else None


catalogue = {p["name"]: p for p in json.load(sys.stdin)["programs"]}
for name in sorted(set(catalogue) ^ set(sys.argv[1:])):
    print(name, "is only in one of them")
for name in sorted(set(catalogue) & set(sys.argv[1:])):
    p = catalogue[name]
    text = subprocess.run([name, "-h"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout
    example, usage, what = re.split(r"\n\n", text, maxsplit=2)
    if (p["example"], p["usage"].replace("; ", " ")) != (example, plain(usage.replace("usage: ", "", 1))):
        print(name, "usage or example:", p["usage"], p["example"])
    if not p["what"] or not plain(what).startswith(p["what"]):
        print(name, "what:", p["what"])
    rows = rows_of(text)
    for names, (argument, what) in rows.items():  # the usage of a script may list the words of an argument
        words = re.search(re.escape(names[-1]) + r" ([a-z]+(?:\|[a-z]+)+)", p["usage"])
        rows[names] = (words.group(1) if words and p["group"] == "script" else argument, what)
    listed = {tuple(o["names"]): (o.get("argument", ""), plain(o["what"])) for o in p["options"]}
    for names in sorted(set(rows) | set(listed)):
        if rows.get(names) != listed.get(names):
            print(name, names, rows.get(names), listed.get(names))
    for o in p["options"]:
        if o.get("default") != default_of(o["what"], o.get("words", [])):
            print(name, o["names"], "default:", o.get("default"))
        for word in o.get("words", []):
            if p["group"] == "script" and word not in text:
                print(name, o["names"], "the help does not have the word", word)
