#!/usr/bin/env python3
"""Feeds records of every odd type, and damaged ones, to all programs that write another format; parses what they write.

usage: valid_outputs.py SEED COUNT [FORMAT...]    with the programs in PATH, and reports in $DATA/report

COUNT records are damaged as programs and transfers damage them: lost, doubled and other characters, other values and
keys, cut lines. The parsers are those of Python: json, csv, expat (SVG), and page_markup.py for pages. Names contain
markup, quotes, separators, control characters, invalid UTF-8, and text that would be a formula or an escape sequence.
FORMAT is a part of a command: valid_outputs.py 1 1000 svg. --pages FOLDER also stores the pages there.
Prints each fault, and the number of commands and records.
"""
import csv
import glob
import gzip
import io
import json
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

NAMES = [b"gemm", b"", b"</script><script>document.title='run'</script>", b"<!--",
         b"\\\" onload=\\\"document.title='run'", b"]]>", b"</title></svg><script>document.title='run'</script>",
         b"<![CDATA[", b"&#0;&lt;&bogus;",
         b"a,b\\\"c\\\"", b"x\\r\\ny", b"x\\ty", b"a|b`c`\\\\|", b"=1+1", b"\\u0000", b"\\u001b[2J", b"\\ud800",
         b"\\u2028\\u202e\\ufeff\\uffff", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\\ud83d\\ude00", "核é".encode(),
         b"a;b;c 5", b"x" * 3000, b"\\u007f\\u0085"]
VALUES = [b"null", b"true", b"0", b"-0", b"1.5", b"-7", b"1e300", b"-1e-320", b"1e400", b"9223372036854775807", b"[]",
          b"9223372036854775808", b"170141183460469231731687303715884105728", b"{}", b"[[1,{\"a\":[\"<b>\"]}]]",
          b"{\"<i>\":{\"]]>\":null}}", b"NaN", b"tru"]
KEYS = (b"ts dur kind name cat rank pid tid dev stream corr id parent clock bytes copy err args src range ranges op"
        .split())
KINDS = b"kernel memcpy api op range mark counter meta flow collective gpu_range sample row other odd\\\"kind".split()


def records():
    """One record for each member and value: with a name that is hard to write."""
    for kind in KINDS:
        for i, name in enumerate(NAMES):
            yield (b'{"ts":%d,"dur":%d,"kind":"%s","name":"%s","pid":1,"tid":%d,"dev":0,"stream":"%s","args":{"%s":%d}}'
                   % (i * 10, i % 7, kind, name, i % 3, NAMES[(i * 5) % len(NAMES)], NAMES[(i * 3) % len(NAMES)], i))
    for key in KEYS + [b"<k>", b"\\\"", b"a,b", b"\\u001f", b"|"]:
        for value in VALUES + [b'"%s"' % name for name in NAMES]:
            yield b'{"ts":5,"dur":3,"kind":"kernel","name":"n","%s":%s}' % (key, value)


def damaged(line, rnd):
    at = rnd.randrange(len(line))
    how = rnd.randrange(8)
    if how == 0:
        return line[:at] + line[at + 1:]
    if how == 1:
        return line[:at] + rnd.choice([bytes([c]) for c in b'"\\,{}[]:<\0\x80\x1b']) + line[at:]
    if how == 2:
        return line[:at]
    if how == 3:
        return line[:at] + line[rnd.randrange(len(line)):]
    part = re.search(rb":(\"[^\"]*\"|[0-9]+)", line[at:]) or re.search(rb":(\"[^\"]*\"|[0-9]+)", line)
    if not part:
        return line
    new = rnd.choice(VALUES) if how < 6 else b'"%s"' % rnd.choice(NAMES)
    return line.replace(part[0], b":" + new, 1)


def no_constant(name):
    raise ValueError(f"{name} is not JSON")


def plain(out):
    text = out.decode()
    bad = re.search("[\0-\x08\x0b-\x1f\x7f-\x9f]", text)
    assert not bad, f"control character after {text[max(0, bad.start() - 60):bad.start()]!r}"
    return text


def is_json(out):
    document = json.loads(out.decode(), parse_constant=no_constant)
    assert all(isinstance(event, dict) and "ph" in event for event in document["traceEvents"])


def is_ndjson(out):
    assert not out or out.endswith(b"\n")
    for line in out.decode().split("\n")[:-1]:
        assert isinstance(json.loads(line, parse_constant=no_constant), dict), line


def is_csv(out):
    rows = list(csv.reader(io.StringIO(out.decode(), newline=""), strict=True))
    assert rows and len({len(row) for row in rows}) == 1, {len(row) for row in rows}


def is_tsv(out):
    assert len({line.count("\t") for line in out.decode().split("\n")[:-1]}) == 1


def is_markdown_table(out):
    rows = [re.sub(r"\\.", "", line) for line in plain(out).split("\n")[:-1] if line]
    odd = [row for row in rows if row[0] + row[-1] != "||"]
    assert not odd, odd[:3]
    assert len({row.count("|") for row in rows}) == 1, {row.count("|") for row in rows}


def is_folded(out):
    for line in out.decode().split("\n")[:-1]:
        assert re.fullmatch(r"[^\0-\x1f]* -?[0-9.e+-]+", line), line


ELEMENTS = set("svg title style rect path circle g line text script polygon polyline".split())


def is_svg(out):
    root = tree.fromstring(out)
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and set(names) <= ELEMENTS, set(names) - ELEMENTS
    assert names.count("script") <= 1
    for element in root.iter():
        bad = [a for a in element.attrib if a.startswith("on") or a.endswith("href") or a == "style"]
        assert not bad, bad


def is_page(out):
    with open("page.html", "wb") as page:
        page.write(out)
    found = subprocess.run(["page_markup.py", "page.html"], capture_output=True, text=True, check=False)
    assert not found.returncode and not found.stdout, found.stdout + found.stderr[-400:]


PICTURES = ("bar", "bar -g name,stream,args -t 200", "stacked -g kind,name", "share", "hist", "line",
            "line --color name", "steps -g ts --color name", "gantt", "gantt --rows each --label name,args", "heat",
            "roofline", "flame stacks")
COMMANDS = [("ndjson2trace", is_json), ("ndjson2trace --flows always", is_json),
            ("ndjson2trace -z", lambda out: is_json(gzip.decompress(out))), ("ndjson2table -o csv", is_csv),
            ("ndjson2table -o csv -f name,args,stream,kind", is_csv), ("ndjson2table -o tsv", is_tsv),
            ("ndjson2table -o md", is_markdown_table), ("ndjson2table -o ndjson", is_ndjson),
            ("ndjson2table -o ndjson -s name -t 50", is_ndjson), ("ndjson2table", plain),
            ("ndjson2table -o list", plain), ("groupby -g name,stream -o csv", is_csv),
            ("groupby -g args,kind -o md", is_markdown_table),
            ("groupby -g name -a list,first,distinct:stream -f args -o ndjson", is_ndjson), ("stats -o csv", is_csv),
            ("stats --fields -o ndjson", is_ndjson), ("stats --fields -o table", plain), ("ndjson2folded", is_folded),
            ("ndjson2svg -T", plain), ("ndjson2svg gantt -T", plain),
            *(("ndjson2svg " + picture, is_svg) for picture in PICTURES)]
REPORTS = [("ndjson2report -o html", is_page), ("ndjson2report -o md", plain), ("ndjson2report", plain)]
faults = []


def run(command, check, data):
    r = subprocess.run(command.split(), input=data, capture_output=True, check=False)
    try:
        assert r.returncode in (0, 1), f"status {r.returncode}: {r.stderr[-300:]}"
        assert r.returncode == 0 or r.stderr, "status 1 without a message"
        check(r.stdout)
        for message in r.stderr.decode(errors="replace").splitlines():
            plain(message.encode())
    except (AssertionError, ValueError, csv.Error, tree.ParseError, UnicodeDecodeError) as e:
        faults.append(f"{command}: {type(e).__name__} {str(e)[:400]}")
    return r.stdout


def main():
    words = sys.argv[1:]
    pages = words.pop() if words[-2] == "--pages" else None
    rnd, count, parts = random.Random(int(words[0])), int(words[1]), [w for w in words[2:] if w != "--pages"]
    chosen = [(c, check) for c, check in COMMANDS + REPORTS if not parts or any(part in c for part in parts)]
    whole = list(records())
    lines = whole + [damaged(rnd.choice(whole), rnd).replace(b"\n", b" ") for _ in range(count)]
    data = b"\n".join(lines) + b"\n"
    with open("stacks", "wb") as stacks:
        stacks.write(subprocess.run(["ndjson2folded"], input=data, capture_output=True, check=False).stdout)
    reports = [line for path in sorted(glob.glob(os.environ["DATA"] + "/report/html-*.ndjson"))
               for line in open(path, "rb").read().splitlines()]
    n = 0
    for command, check in chosen:
        for i in range(count // 100 + 1 if (command, check) in REPORTS else 1):
            if (command, check) in REPORTS:
                report = [damaged(line, rnd) if i and rnd.random() < 0.5 else line for line in reports]
                data = b"\n".join(line.replace(b"\n", b" ") for line in report) + b"\n"
            page = run(command, check, data)
            n += 1
            if pages and check == is_page:
                with open(f"{pages}/{i}.html", "wb") as file:
                    file.write(page)
    for fault in faults[:20]:
        print(fault)
    print(f"{len(lines)} records, {n} outputs, {len(faults)} faults")


if __name__ == "__main__":
    main()
