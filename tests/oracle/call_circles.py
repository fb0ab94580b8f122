#!/usr/bin/env python3
"""Prints each circle of object files that use functions or data of each other: a line with the names of its files.

usage: call_circles.py FOLDER
FOLDER has the object files of lib and filters. Files of a program use those of the program and those of lib. The
current folder has the sources; the objects of removed sources are skipped.
"""
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])


def has_source(path):
    """Whether the source of an object file exists: NAME.c, or a text such as NAME.css that is embedded as C."""
    return path.with_suffix(".c").exists() or path.with_suffix("").exists()


files = sorted(p for part in ("lib", "filters") for p in (root / part).rglob("*.o") if has_source(p.relative_to(root)))
listed = subprocess.run(["nm", "-A", "-P", "-g", *files], check=True, capture_output=True, text=True).stdout


def owner(path):
    part = Path(path).relative_to(root).parts
    return part[1] if part[0] == "filters" else "lib"


homes, wanted = {}, {str(p): set() for p in files}
for line in listed.splitlines():
    path, rest = line.split(": ", 1)
    name, kind = rest.split()[:2]
    if kind == "U":
        wanted[path].add(name)
    else:
        homes[owner(path), name] = path
uses = {path: {homes.get((owner(path), name)) or homes.get(("lib", name)) for name in names} - {None, path}
        for path, names in wanted.items()}


def circles():
    """Yields the strongly connected parts of more than one file (Tarjan's algorithm; the depth is at most the number of
    files)."""
    sys.setrecursionlimit(10000)
    number, low, stack = {}, {}, []

    def visit(path):
        number[path] = low[path] = len(number)
        stack.append(path)
        for other in sorted(uses[path]):
            if other not in number:
                yield from visit(other)
                low[path] = min(low[path], low[other])
            elif other in stack:
                low[path] = min(low[path], number[other])
        if low[path] == number[path]:
            part = [stack.pop()]
            while part[-1] != path:
                part.append(stack.pop())
            if len(part) > 1:
                yield sorted(part)

    for path in uses:
        if path not in number:
            yield from visit(path)


for circle in circles():
    print(*(str(Path(path).relative_to(root).with_suffix("")) for path in circle))
