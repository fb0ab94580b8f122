#!/usr/bin/env python3
"""Checks JSON lines against a JSON Schema, with the keywords that the schemas of lib use.

usage: schema.py events|report|findings|catalogue <LINES

Prints the first lines with mistakes. A keyword that is not known here is a mistake of the schema.
"""
import json
import os
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
IGNORED = {"$schema", "$defs", "title", "description"}


def is_type(value, name):
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def mistakes(value, s, root, path=""):
    found = []
    for key, want in s.items():
        good = True
        if key in IGNORED:
            continue
        if key == "$ref":
            found += mistakes(value, root["$defs"][want.rsplit("/", 1)[1]], root, path)
        elif key == "type":
            good = any(is_type(value, t) for t in ([want] if isinstance(want, str) else want))
        elif key in ("const", "enum"):
            good = any(type(v) is type(value) and v == value for v in (want if key == "enum" else [want]))
        elif key == "oneOf":
            each = [mistakes(value, one, root, path) for one in want]
            good = sum(not m for m in each) == 1
            same = [m for m, one in zip(each, want) if one["properties"]["kind"] == {"const": value.get("kind")}]
            found += same[0] if not good and same else []
        elif key == "required":
            good = all(k in value for k in want)
        elif key == "dependentRequired":
            good = all(k not in value or all(o in value for o in others) for k, others in want.items())
        elif key == "properties":
            for k in value.keys() & want.keys():
                found += mistakes(value[k], want[k], root, path + "." + k)
        elif key == "additionalProperties":
            good = want or not value.keys() - s["properties"].keys()
        elif key == "items":
            for i, v in enumerate(value):
                found += mistakes(v, want, root, "%s[%d]" % (path, i))
        elif key == "minimum":
            good = value >= want
        elif key == "maximum":
            good = value <= want
        elif key == "maxLength":
            good = len(value) <= want
        elif key == "maxItems":
            good = len(value) <= want
        elif key == "pattern":
            good = re.search(want, value) is not None
        else:
            sys.exit("unknown keyword: " + key)
        if not good:
            found.append("%s: %s" % (path or ".", key))
        if key == "type" and not good:
            return found
    return found


folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib")
schema = json.load(open(os.path.join(folder, sys.argv[1] + ".schema.json")))
lines = wrong = 0
for lines, text in enumerate(sys.stdin, 1):
    found = mistakes(json.loads(text), schema, schema)
    wrong += bool(found)
    if found and wrong < 6:
        print(text[:200].rstrip(), "|", "; ".join(found))
if not lines:
    print("no lines")
