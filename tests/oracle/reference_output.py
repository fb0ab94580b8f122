"""Functions of the oracles of reference.t: the records, tables and pictures that a line of the cookbook printed."""
import json
import math
import re
from xml.etree import ElementTree

UNITS = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9, "%": 0.01}


class Difference(Exception):
    """The output of a line is not the expected answer."""


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def members(text, *names):
    """Returns the values of these members of the records; a member of args is named like any other member."""
    return [[r.get(n, r.get("args", {}).get(n)) for n in names] for r in records(text)]


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def table(text):
    """Returns the rows of a table as objects. Times are converted to ns; names of columns have no unit.

    Columns are separated by at least two characters that are blank in all lines. An empty cell is None.
    """
    lines = text.splitlines()
    width = max(map(len, lines))
    used = [any(len(line) > i and line[i] != " " for line in lines) for i in range(width)] + [False, False]
    spans, start = [], None
    for i in range(width + 1):
        if used[i] and start is None:
            start = i
        if start is not None and not used[i] and not used[i + 1]:
            spans.append((start, i))
            start = None
    heads = [re.match(r"(\S+)(?: \((.*)\))?$", lines[0][a:b].strip()).groups() for a, b in spans]
    rows = []
    for line in lines[1:]:
        row = {}
        for (name, unit), (a, b) in zip(heads, spans):
            cell = number(line[a:b].strip())
            row[name] = None if cell == "" else cell * UNITS.get(unit, 1) if isinstance(cell, float) else cell
        rows.append(row)
    return rows


def columns(rows, *names):
    return [[row.get(name) for name in names] for row in rows]


def equal(a, b, error):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k], error) for k in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(equal(x, y, error) for x, y in zip(a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=error, abs_tol=1e-9)
    return a == b


def same(got, want, error=1e-9):
    """Raises Difference if the values are not equal; numbers may have this relative error."""
    if isinstance(got, list) and isinstance(want, list):
        if not want:
            raise Difference("nothing is expected")
        if len(got) != len(want):
            raise Difference(f"{len(got)} rows instead of {len(want)}")
        for i, (a, b) in enumerate(zip(got, want)):
            if not equal(a, b, error):
                raise Difference(f"row {i}: {str(a)[:300]} instead of {str(b)[:300]}")
    elif not equal(got, want, error):
        raise Difference(f"{str(got)[:300]} instead of {str(want)[:300]}")


def shown(got, want):
    """Compares rows of a table for people, in which a number has at least three significant digits."""
    same(got, want, 5e-3)


def in_order(rows):
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def colored_bars(path):
    """Checks that each bar of an SVG file has a part with a color, and that no names in the legend share a color."""
    bars, legend = {}, []
    for rect in ElementTree.parse(path).getroot().iter("{http://www.w3.org/2000/svg}rect"):
        name, mark = (rect.get("class") + " ").split(" ")[:2]
        if mark:
            bars.setdefault(rect.get("y"), set()).add(name)
        elif name != "back":
            legend.append(name)
    grey = [y for y, names in bars.items() if names == {"none"}]
    if grey or not bars or len(legend) != len(set(legend)) or set.union(*bars.values()) - set(legend):
        raise Difference(f"{len(bars)} bars, grey: {grey}, legend: {legend}")


def picture(path, words, shapes=None):
    """Checks that an SVG file contains these texts, and at least one element with one of the names in `shapes`."""
    root = ElementTree.parse(path).getroot()
    texts = [" ".join("".join(e.itertext()).split()) for e in root.iter() if e.tag.endswith("}text")]
    missing = [w for w in words if not any(w in text for text in texts)]
    if missing:
        raise Difference(f"the picture has no text {missing[:3]}, {len(missing)} of {len(words)} are missing")
    if shapes and not any(e.tag.split("}")[-1] in shapes for e in root.iter()):
        raise Difference(f"the picture has no element {shapes}")
