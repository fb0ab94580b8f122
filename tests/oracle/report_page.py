#!/usr/bin/env python3
"""Opens a page of ndjson2report in Chromium and compares it with the report that it shows.

usage: report_page.py PAGE MODEL [AXE]
Prints each difference: texts of the verdict, tiles, findings and sections, cells of tables and exact values, sorting by
each heading, the search, the console, requests, a page that is wider than the screen, and what is different
on paper and without scripts. AXE is the file axe.min.js of axe-core; its findings are printed too. All expected texts
are computed from MODEL by report(5), not taken from the page.
"""
import json
import os
import re
import sys
from decimal import ROUND_HALF_UP, Decimal

from browser import SCHEMES, WIDTHS, Browser

TEXTS = ("text", "name")
SPACE = "\u00a0"
# Adaptive units: for each step its name, its power of ten, and its decimals for numbers below a limit.
ADAPTIVE = {
    "time": (("ns", 0, 0, 0), ("µs", 3, 1, 10), ("ms", 6, 1, 1000), ("s", 9, 2, 1000)),
    "bytes": (("B", 0, 0, 0), ("kB", 3, 1, 100), ("MB", 6, 1, 100), ("GB", 9, 1, 100), ("TB", 12, 1, 100)),
    "rate": (("B/s", -9, 0, 0), ("kB/s", -6, 1, 100), ("MB/s", -3, 1, 100), ("GB/s", 0, 1, 100), ("TB/s", 3, 1, 100)),
}
FIXED = {name.replace("µ", "u"): (name, shift, decimals)
         for steps in ADAPTIVE.values() for name, shift, decimals, _ in steps}
PLAIN = {"count": ("", 0, 0), "int": ("", 0, 0), "share": ("%", -2, 0), "percent": ("%", 0, 0)}
HIDDEN = [range(0x20), range(0x7f, 0xa0), [0xad, 0x61c], range(0x200b, 0x2010), range(0x2028, 0x202f),
          range(0x2060, 0x2070), [0xfeff], range(0xfff9, 0xfffc)]

faults = []


def expect(what, got, want):
    if got != want:
        faults.append(f"{what}: {got!r}, expected {want!r}")


def rounded(value, shift, decimals):
    step = Decimal(1).scaleb(-decimals)
    return Decimal(repr(value)).scaleb(-shift).quantize(step, ROUND_HALF_UP)


def escape(code):
    if chr(code) in "\n\t\r":
        return {10: "\\n", 9: "\\t", 13: "\\r"}[code]
    return f"\\x{code:02x}" if code < 0xa0 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text):
    return "".join(escape(ord(c)) if any(ord(c) in r for r in HIDDEN) else c for c in text)


def scale(value, unit):
    """Returns the name of the unit in which a number is printed, its power of ten and its decimals."""
    word, _, given = unit.partition(".")
    if word in ADAPTIVE:
        for name, shift, decimals, below in ADAPTIVE[word]:
            if abs(rounded(value, shift, 0)) < 1000:
                break
        if abs(rounded(value, shift, decimals)) >= below:
            decimals = 0
    else:
        name, shift, decimals = FIXED.get(word) or PLAIN[word]
    return name, shift, int(given) if given else decimals


def number(value, of_scale, separators=True):
    digits = rounded(value, *of_scale[1:]) + 0  # there is no -0
    return f"{digits:,}" if separators else f"{digits}"


def shown(value, unit, whole=False):
    """Returns the text of a value. In a cell, the title of the column has a fixed unit; whole: the unit is printed."""
    if value is None:
        return ""
    if isinstance(value, str):
        return visible(value)
    of_scale = scale(value, unit if unit not in TEXTS else "int")
    name = "" if unit.partition(".")[0] in FIXED and not whole else of_scale[0]
    return number(value, of_scale, unit not in ("int", *TEXTS)) + (SPACE + name if name else "")


def expanded(record, text):
    """Returns a text with its placeholders replaced: {a:+time} has a sign, {b:same} the unit of the number before."""
    before = None

    def value(match):
        nonlocal before
        name, _, unit = match[1].partition(":")
        v, plain = record[name], unit.lstrip("+")
        if isinstance(v, str):
            return visible(v)
        sign = "+" if unit.startswith("+") and v > 0 else ""
        if plain == "same":
            return sign + number(v, before)
        before = scale(v, plain or "count")
        return sign + shown(v, plain or "count", True)
    parts = re.split(r"(\{\{)", text)
    return "".join("{" if part == "{{" else re.sub(r"\{([^{}]*)\}", value, visible(part)) for part in parts)


class Section:
    def __init__(self, record, index):
        self.record, self.rows, self.marks = record, [], []
        self.columns = [(c["name"], c.get("unit", "number")) for c in record.get("columns", [])]
        taken = not all(c.isalnum() or c in "-_" for c in record["id"]) or record["id"] == "findings"
        self.anchor = f"section-{index + 1}" if taken else record["id"]

    def shown_columns(self):
        """Returns the columns of the table with their units: those that any row has."""
        rest = any(row.get("rest") for row in self.rows)
        return [(c, u) for i, (c, u) in enumerate(self.columns)
                if any(row.get(c) is not None for row in self.rows) or (rest and not i)]

    def cells(self, row):
        """Returns the texts of a row's cells."""
        cells = [shown(row.get(column), unit) for column, unit in self.shown_columns()]
        if row.get("rest"):
            cells[0] = f"{row['rest']:,} others"
        return cells

    def words(self, row):
        """Returns the text in which the search looks: cells, and the names of which they have a short form."""
        name = row.get("name")
        whole = [visible(name)] if "label" in dict(self.columns) and isinstance(name, str) else []
        return " ".join(self.cells(row) + whole).lower()

    def exact(self, row):
        """Returns the numbers of a row, None for other cells."""
        values = [row.get(c) if u not in TEXTS else None for c, u in self.shown_columns()]
        return [v if isinstance(v, (int, float)) else None for v in values]


def read(path):
    sections, others = {}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["kind"] in ("report/verdict", "report/figure", "report/finding"):
                others.append(record)
            elif record["kind"] == "report/section":
                sections[record["id"]] = Section(record, len(sections))
            elif record["kind"] == "report/mark":
                sections[record["section"]].marks.append(record)
            elif record["kind"] == "report/row":
                sections[record["section"]].rows.append(record)
    return others, list(sections.values())


HEAD = """const all = selector => [...document.querySelectorAll(selector)].map(e => e.textContent);
return { title: document.title, h1: all("h1"), facts: all(".facts"), verdict: all(".verdict > h2, .verdict > p"),
    legend: all(".verdict .legend li"), tiles: all(".tiles div"), findings: all(".findings h3"),
    details: all(".findings h3 + p"), headings: all("section[id]:not(#findings) > :first-child"),
    paragraphs: all("section[id]:not(#findings) > p"), commands: all("pre") }"""


def compare_texts(browser, records, sections):
    def of(kind, **members):
        return [r for r in records if r["kind"] == kind and all(r.get(m) == v for m, v in members.items())]
    verdict, parts = of("report/verdict")[0], of("report/figure", group="parts")
    tiles, findings, whole = of("report/figure", group="tiles"), of("report/finding"), sum(p["value"] for p in parts)
    got = browser.run(HEAD)
    want = {
        "title": visible(verdict["title"]) + " - trace report",
        "h1": [visible(verdict["title"])],
        "facts": [" · ".join(expanded(verdict, t) for t in verdict.get("source", []) + verdict.get("facts", []))],
        "verdict": [expanded(verdict, verdict[m]) for m in ("text", "detail")],
        "legend": [f"{visible(p['name'])} {shown(p['value'] / whole, 'share.1')}" for p in parts],
        "tiles": [visible(t["name"]) + shown(t.get("value"), t["unit"], True) + expanded(t, t.get("note", ""))
                  for t in tiles],
        "findings": [expanded(f, f["title"]) for f in findings],
        "details": [expanded(f, f.get("detail") or f["text"]) for f in findings],
        "headings": [visible(s.record["title"]) for s in sections],
        "paragraphs": [expanded(s.record, s.record[m]) for s in sections for m in ("text", "note") if s.record.get(m)],
        "commands": ["\n".join(visible(c) for c in s.record["commands"]) for s in sections if "commands" in s.record],
    }
    for part, texts_of_part in want.items():
        expect(part, got[part], texts_of_part)


TABLE = """const s = document.getElementById(arguments[0]);
const t = s.querySelector(":scope > .scroll table, :scope > details table");
"""
ROWS = TABLE + """
const rows = [...t.tBodies[0].rows].filter(r => !r.hidden);
return rows.map(r => [...r.cells].filter(c => c.className !== "bar").map(c => [c.textContent, c.dataset.v ?? null]))
"""
CLICK = TABLE + """const th = t.tHead.querySelectorAll("th")[arguments[1]]; th.querySelector("button").click();
return th.getAttribute("aria-sort")"""


def texts(rows):
    return [[cell[0] for cell in row] for row in rows]


def compare_tables(browser, sections):
    for s in sections:
        if not s.rows:
            continue
        rows = browser.run(ROWS, s.anchor)
        expect(f"{s.anchor}: cells", texts(rows), [s.cells(r) for r in s.rows])
        values = [[cell[1] and float(cell[1]) for cell in row] for row in rows]
        expect(f"{s.anchor}: exact values", values, [s.exact(r) for r in s.rows])


def sort(browser, s):
    own = [r for r in s.rows if not r.get("rest")]
    rest = [s.cells(r) for r in s.rows if r.get("rest")]
    for column in range(len(s.cells(s.rows[0]))):
        for _ in range(2):
            way = browser.run(CLICK, s.anchor, column)
            rows = texts(browser.run(ROWS, s.anchor))
            expect(f"{s.anchor}: last row after sorting", rows[len(own):], rest)
            expect(f"{s.anchor}: rows after sorting", sorted(rows), sorted(s.cells(r) for r in s.rows))
            keys = {tuple(s.cells(r)): s.exact(r)[column] for r in own}
            numbers = [keys.get(tuple(row)) for row in rows[:len(own)] if row[column] != ""]
            if None not in numbers:
                expect(f"{s.anchor}: column {column}", numbers, sorted(numbers, reverse=way == "descending"))
            empty = [row[column] == "" for row in rows[:len(own)]]
            expect(f"{s.anchor}: empty cells of column {column}", empty, sorted(empty))


def search(browser, sections, words):
    field = browser.driver.find_element("css selector", "input[type=search]")
    field.clear()
    field.send_keys(words)
    count = 0
    for s in sections:
        if not s.rows or s.marks:
            continue
        found = [r for r in s.rows if all(w in s.words(r) for w in words.lower().split())]
        expect(f"{s.anchor}: rows with {words!r}", texts(browser.run(ROWS, s.anchor)), [s.cells(r) for r in found])
        count += len(found)
    if count:
        field.send_keys("\n")
        first = browser.run("return document.querySelector('tbody tr:not([hidden]):not(details *)')"
                            ".getBoundingClientRect().top / innerHeight")
        expect(f"place of the first row with {words!r}", 0 < first < 1, True)
    status = browser.run("return document.querySelector('[role=status]').textContent")
    expect(f"rows with {words!r}", status.split()[0], str(count))
    browser.run("const f = arguments[0]; f.value = ''; f.dispatchEvent(new Event('input'))", field)


PICTURE = """const svg = document.querySelector(`#${CSS.escape(arguments[0])} > .picture > svg`);
const box = m => ["x", "width"].map(a => parseFloat(m.getAttribute(a))).concat(
    ["y", "height"].map(a => +m.getAttribute(a)));
return { label: svg.getAttribute("aria-label"),
    lanes: [...svg.querySelectorAll(":scope > text:not([x])")].map(t => t.textContent),
    marks: [...svg.children].filter(m => m.querySelector(":scope > title")).map(m => [box(m),
        m.querySelector("title").textContent, (m.querySelector("rect") ?? m).classList[0],
        m.querySelector("text") && m.querySelector("text").textContent]) }"""


class Picture:
    """The marks of a section as the page must show them."""

    def __init__(self, section):
        marks = section.marks
        self.unit, self.nested = section.record.get("mark_unit", "time"), "depth" in marks[0]
        if self.unit.partition(".")[0] not in {*ADAPTIVE, *FIXED, *PLAIN}:
            self.unit = ""
        self.first = min(m["at"] for m in marks)
        self.span = max(m["at"] + m["dur"] for m in marks) - self.first
        self.lanes = [] if self.nested else list(dict.fromkeys(visible(m["lane"]) for m in marks))
        self.tops = {}
        self.marks = [self.mark(m) for m in marks]

    def box(self, m):
        high = 18 if self.nested else 24
        top = 19 * m["depth"] if self.nested else 20 + 48 * self.lanes.index(visible(m["lane"]))
        below = self.tops.get((m.get("lane"), m["at"]), 0) if not self.nested else 0
        share = m.get("share", 1)
        self.tops[m.get("lane"), m["at"]] = below + share
        return [(m["at"] - self.first) / self.span * 100, m["dur"] / self.span * 100,
                top + high * (1 - min(below + share, 1)), high * min(share, 1 - below)]

    def mark(self, m):
        length, part = shown(m["dur"], self.unit or "count", True), m["dur"] / self.span
        tip = visible(m["name"]) + "\n"
        tip += shown(m["share"], "share.1") + " of " + length if "share" in m else length
        tip += ", " + shown(part, "share.1") if self.nested else " at " + shown(m["at"], self.unit or "count", True)
        tip += f", {m['count']} records" if m.get("count", 1) > 1 else ""
        text = visible(m.get("label", m["name"])) if part >= 0.025 and "share" not in m else None
        color = m.get("color", "plain")
        return self.box(m), tip, color if color.isalpha() else "plain", text


def compare_pictures(browser, sections):
    for s in sections:
        if not s.marks:
            continue
        got, want = browser.run(PICTURE, s.anchor), Picture(s)
        expect(f"{s.anchor}: lanes", got["lanes"], want.lanes)
        expect(f"{s.anchor}: label", got["label"], f"{visible(s.record['title'])}: a picture with {len(s.marks)} marks")
        expect(f"{s.anchor}: number of marks", len(got["marks"]), len(want.marks))
        for mark, wanted in zip(got["marks"], want.marks):
            expect(f"{s.anchor}: mark", mark[1:], list(wanted[1:]))
            if max(abs(x - y) for x, y in zip(mark[0], wanted[0])) > 0.006:
                faults.append(f"{s.anchor}: place of {mark[1]!r}: {mark[0]}, expected {wanted[0]}")


MARKS = """const picture = document.querySelector(`#${CSS.escape(arguments[0])} > .picture`);
const svg = picture.querySelector("svg"), marks = [...svg.children].filter(m => m.querySelector(":scope > title"));
const all = svg.getBoundingClientRect();
"""
BOXES = MARKS + """return [marks.map(m => { const b = (m.querySelector("rect") ?? m).getBoundingClientRect();
    return m.hasAttribute("hidden") ? null : [(b.left - all.left) / all.width, (b.right - all.left) / all.width]; }),
    picture.querySelector("button").hidden, picture.querySelector("[role=status]").textContent]"""
ENTER = MARKS + """const mark = marks[arguments[1]]; mark.focus();
mark.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
return document.activeElement === mark"""


def zoom(browser, s):
    """A click on a mark, or Enter, makes it as wide as the picture; marks outside are hidden; a button undoes that."""
    picture, before = Picture(s), browser.run(BOXES, s.anchor)
    expect(f"{s.anchor}: button before", before[1], True)
    for index, mark in enumerate(s.marks):
        left, right = mark["at"], mark["at"] + mark["dur"]
        wide = mark["dur"] / picture.span
        if "share" in mark or not 0.02 < wide < 1:
            continue
        if index % 2:
            expect(f"{s.anchor}: focus", browser.run(ENTER, s.anchor, index), True)
        else:
            browser.run(MARKS + "marks[arguments[1]].dispatchEvent(new MouseEvent('click', { bubbles: true }))",
                        s.anchor, index)
        boxes, hidden, status = browser.run(BOXES, s.anchor)
        expect(f"{s.anchor}: button", hidden, False)
        expect(f"{s.anchor}: status", status, picture.marks[index][1].replace("\n", ", ", 1))
        for other, box in zip(s.marks, boxes):
            start, end = (max(other["at"], left) - left) / (right - left), \
                (min(other["at"] + other["dur"], right) - left) / (right - left)
            if 0 < end - start < 4e-4:
                continue  # less than a pixel: places in the page are rounded
            if end <= start:
                expect(f"{s.anchor}: a mark outside", box, None)
            elif box is None or abs(box[0] - start) > 0.002 or abs(box[1] - end) > 0.002:
                faults.append(f"{s.anchor}: zoom of {mark['name']}: {other['name']} at {box}, expected {start} {end}")
        browser.run(MARKS + "picture.querySelector('button').click()", s.anchor)
        expect(f"{s.anchor}: after the button", browser.run(BOXES, s.anchor), before)


def accessibility(browser, axe, what):
    browser.run(axe)
    found = browser.driver.execute_async_script(
        "axe.run().then(r => arguments[0](r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html)])))")
    expect(f"{what}: axe-core", found, [])


def quiet(browser, url, what):
    expect(f"{what}: console", browser.messages(), [])
    expect(f"{what}: requests", browser.requests(), [url])


def main():
    page, model = os.path.abspath(sys.argv[1]), sys.argv[2]
    (records, sections), url = read(model), "file://" + os.path.abspath(page)
    axe = open(sys.argv[3], encoding="utf-8").read() if len(sys.argv) > 3 else None
    tables = [s for s in sections if s.rows]
    with Browser() as browser:
        browser.requests()
        for width in WIDTHS:
            for scheme in SCHEMES:
                browser.open(page, width, scheme)
                what = f"{width} px, {scheme}"
                expect(f"{what}: width", browser.run("return document.documentElement.scrollWidth"), width)
                compare_texts(browser, records, sections)
                compare_tables(browser, sections)
                compare_pictures(browser, sections)
                for s in sections:
                    if s.marks:
                        zoom(browser, s)
                for words in ("KERNEL", "ran aten", "'single' \\u202e", "no such row"):
                    search(browser, sections, words)
                for s in tables:
                    sort(browser, s)
                if axe:
                    accessibility(browser, axe, what)
                quiet(browser, url, what)
        expect("scripts", browser.run("return document.scripts.length"), 1)
        browser.open(page, scripts=False)
        compare_tables(browser, sections)
        compare_pictures(browser, sections)
        quiet(browser, url, "without scripts")
        browser.open(page, 700, "dark", "print")
        expect("paper", browser.run("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        pages = browser.command("Page.printToPDF")["data"]
        expect("PDF", pages[:7], "JVBERi0")
    print("\n".join(faults), end="\n" if faults else "")


main()
