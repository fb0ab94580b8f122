#!/usr/bin/env python3
"""Checks the lengths of the bars of a picture: picture_bars.py PICTURE.svg

Lengths must be proportional to the numbers in the tips, to within the two decimals of coordinates. All values must have
the same unit. Prints the number of bars.
"""
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
bars = [(r.find(SVG + "title").text.split("\n")[-1].split()[0], float(r.get("width")))
        for r in tree.parse(sys.argv[1]).iter(SVG + "rect") if r.find(SVG + "title") is not None]
most = max(abs(float(value)) for value, width in bars)
scale = max(width for value, width in bars) / most
for value, width in bars:
    assert abs(abs(float(value)) * scale - width) < 0.011, (value, width)
print(len(bars))
