#!/usr/bin/env python3
"""Prints the marks of a picture of ndjson2svg: picture_marks.py [--script] PICTURE.svg

Each mark is a line: the element, its color, and its tip with ` | ` in place of newlines. Fails if the picture has an
id, a style or event attribute, a link, or a script where none is expected; --script allows one script.
"""
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
script = "--script" in sys.argv
root = tree.parse(sys.argv[-1]).getroot()
assert root.tag == SVG + "svg"
scripts = 0
for element in root.iter():
    name = element.tag.removeprefix(SVG)
    assert name in "svg title style rect path circle g line text script".split(), name
    scripts += name == "script"
    for attribute in element.attrib:
        assert attribute in ("class role width height viewBox x y x1 y1 x2 y2 cx cy r d text-anchor").split(), attribute
assert scripts == script, scripts
for parent in root.iter():
    for element in parent:
        title = element.find(SVG + "title")
        if title is not None:
            kind = element.get("class", "").removesuffix(" m")
            print(element.tag.removeprefix(SVG), kind, title.text.replace("\n", " | "))
