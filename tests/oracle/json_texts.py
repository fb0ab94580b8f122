#!/usr/bin/env python3
"""Compares trace2ndjson -k with filter-calls -k, for traces with valid and invalid JSON texts by RFC 8259.

usage: json_texts.py [--one-place] [NAME]    with the programs in PATH

NAME selects the texts whose names contain it. --one-place tries each text in one of the three places, in turn.

Each text is a member of the args of a selected event, of another event, and takes the place of an event. For each text
    trace2ndjson -k kernel          writes the records of      trace2ndjson | filter-calls -k kernel
and exits with its status. A document that Python's parser accepts is converted without a message; any other document
causes a message. Prints the differences and the number of texts.
"""
import itertools
import json
import subprocess
import sys


def numbers():
    for sign, whole, fraction, exponent in itertools.product(
        ("", "-"), ("0", "7", "120", "9" * 16, "9" * 40), ("", ".0", ".125"), ("", "e1", "E+02", "e-400")):
        if (len(sign) + len(whole) + len(fraction) + len(exponent)) % 2:
            yield sign + whole + fraction + exponent
    yield from ("+1", "01", "-01", "00", "-00", "1.", "-1.", ".5", "-.5", "1.e1", "1e", "1e+", "1E-", "1eE2", "1e5.5",
        "0x1F", "0x", "1_000", "--1", "-", "+", "1-", "1+1", "- 1", "1 000", "1 .5", "1. 5", "1e 5", "0.1.2", "1a",
        "1true", "e1", "\uff11", "1\u00b2", "NaN", "-NaN", "nan", "Infinity", "-Infinity", "+Infinity", "inf", "-inf",
        "Inf", "1.#INF", "-1.#IND", "1e400", "-1e400", "N/A", "1;2")


def words():
    yield from ("true", "false", "null", "True", "False", "None", "TRUE", "tru", "truee", "true1", "tr ue", "nul",
        "nulll", "nil", "undefined", "truefalse", "true false", "a", "'a'", "`a`", "*", "#", "<null>", "@", "%", "=",
        "(1)", "\u00e9", "\ufeff1", "\u2060")


def strings():
    for escape in "\"\\/bfnrt":
        yield '"\\' + escape + '"'
    yield from ('""', '" "', '"\x7f"', '"\u00e9"', '"\u20ac"', '"\u2028"', '"\uffff"', '"\U0001d11e"', '"\U0010ffff"',
        r'"\u0000"', r'"\u001f"', r'"\u00e9"', r'"\uD834\uDd1e"', r'"\uFFFF"', r'"\\u0041"', r'"\\"', r'"\\\""',
        r'"a\\\\"', '"{[,:]}"', '"// /* */ #"', '"\'"', '"' + "x" * 200 + '"')
    for control in range(0x20):
        yield '"a' + chr(control) + 'b"'
    yield from (r'"\x41"', r'"\a"', r'"\0"', "\"\\'\"", r'"\U0041"', r'"\u"', r'"\u1"', r'"\u12"', r'"\u123"',
        r'"\u12g4"', r'"\u 123"', '"\\\u00e9"', '"\\\n"', r'"\ud800"', r'"\udc00"', r'"\ud800x"', r'"\ud800\n"',
        r'"\ud800\u0041"', r'"\ud800\ud800\udc00"', r'"\udc00\ud800"', r'"\ud800\u"', r'"C:\new\dir"', r'"C:\dir\"',
        '"', '"a', 'a"', '"a"b"', '"a""b"', '"a"b', '"\\"', '"\\', '"a" "b"', "'a\"b'", '\\u0022a"')
    for raw in ("80", "bf", "ff", "fe", "c0 80", "c1 bf", "c3", "c3 28", "e2 82", "e2 28 ac", "e0 80 af", "ed a0 80",
            "ed a0 81 ed b0 80", "f0 9f 98", "f0 80 80 af", "f4 90 80 80", "f8 88 80 80 80", "fc 83 bf bf bf bf"):
        yield b'"a' + bytes.fromhex(raw) + b'b"'
        yield b'"a' + bytes.fromhex(raw) + b'"'


def structures():
    for n in range(0, 3):
        for tokens in itertools.product(("[", "]", "{", "}", ",", ":", "1", '"a"'), repeat=n):
            yield "".join(tokens)
    yield from ("[1,2]", "[[],[[]]]", '[{},{"a":[]}]', '{"a":1,"b":{"c":[2]}}', '{"":0}', '{"a":1,"a":2}',
        '{"a":[{"b":1}]}', "[1,]", "[,1]", "[1,,2]", "[,]", "[1 2]", "[1:2]", "[1}", "[[1]", "[1]]", "[{]}", "[1;2]",
        "[...]", "[0, 1, ...]", '{"a":1,}', '{,"a":1}', '{"a":1,,"b":2}', '{"a"}', '{"a",2}', '{"a":}', '{"a"::1}',
        '{"a" 1}', '{"a":1 "b":2}', '{"a":1:2}', "{a:1}", "{1:1}", "{'a':1}", '{"a":1]', '{"a":[1}', '{"a":{"b":1}',
        '{"a":1}}', "{[]:1}", '{null:1}', '{"a":1}{"b":2}', '{"a":1} x', '[1]x', '[1]2', '["a","b"', '["a', '{"a',
        '{"a":', '{"a":1,', '{"a":"b', '1,"b":2', '1,"b"', '1,"b":', '1,2', '1,"b":[2', '{"a":1,"b"}', '[1,"a":2]',
        '[{"a":1,2}]', '[1,{"a"}]', ",1", "1,", "1,,", '[[5,2],[2,7],"b":["c","d"]', '["a","b]', '[1,2],3]')
    for depth in (2, 63, 64, 65, 500, 1030, 3000):
        yield "[" * depth + "]" * depth
        yield '{"a":' * depth + "1" + "}" * depth
        yield "[" * depth
    yield from ("[" * 70 + "]" * 69, "[" * 69 + "]" * 70, '[{"a":' * 40 + "1" + "}]" * 39 + "]}")


def spaces():
    for space in (" ", "\t", "\n", "\r", "\r\n", " " * 200, "\f", "\v", "\0", "\u00a0", "\u2060", "\ufeff", "\x85",
                  "\x1a"):
        yield f'{space}[{space}1{space},{space}{{{space}"a"{space}:{space}2{space}}}{space}]{space}'
    yield from ("/* */1", "1// x", "1/*", "[1]# x", '{"a":/**/1}', "1\n2", "[1\n2]")
    yield "[1]".encode("utf-16")
    yield '"a"'.encode("utf-16-le")


def texts():
    for group in (numbers, words, strings, structures, spaces):
        for i, text in enumerate(group()):
            yield f"{group.__name__} {i}", text if isinstance(text, bytes) else text.encode()


def event(i, category, more=b""):
    return (b'\n  {\n    "ph": "X", "cat": "%s", "name": "n", "pid": 1, "tid": 2,\n    "ts": %d, "dur": 1,\n'
            b'    "args": {\n      "id": %d%s\n    }\n  }' % (category, i, i, more))


def documents(text):
    for place, other in ((b"kernel", b', "v": ' + text), (b"cpu_op", b', "v": ' + text), (b"", b"")):
        events = [event(i, b"kernel" if i % 3 else b"cpu_op") for i in range(1, 31)]
        events.insert(20, event(20, place, other) if place else text)
        yield place.decode() or "event", b'{"traceEvents": [' + b",".join(events) + b"\n  ]}\n"


def refuse(constant):
    raise ValueError(constant)


def is_valid(document):
    """Returns whether Python's parser accepts the document, without its extensions of the grammar."""
    try:
        json.dumps(json.loads(document.decode(), parse_constant=refuse), ensure_ascii=False).encode()
        return b"[" * 1025 not in document and b'{"a":' * 1020 not in document
    except RecursionError:
        return False
    except ValueError: # also for wrong UTF-8
        return False


def run(command, data):
    r = subprocess.run(command, input=data, capture_output=True, check=False)
    return r.returncode, r.stdout, r.stderr


def check(place, document):
    pushed, records, pushed_messages = run(["trace2ndjson", "-k", "kernel"], document)
    status, whole, messages = run(["trace2ndjson"], document)
    filtered, selected, complaint = run(["filter-calls", "-k", "kernel"], whole)
    if records != selected:
        yield f"-k writes {records.count(10)} records, filter-calls {selected.count(10)}"
    if complaint:
        yield complaint.decode(errors="replace").strip()
    if pushed != max(status, filtered):
        yield f"-k exits {pushed}, without it {status}: {messages.decode(errors='replace').strip()}"
    if place != "event" and is_valid(document) and (status or messages or pushed_messages):
        yield f"valid JSON, status {status}: {(messages + pushed_messages).decode(errors='replace').strip()}"
    if not is_valid(document) and not messages:
        yield f"invalid JSON, status {status}, no message"


def main():
    one_place = "--one-place" in sys.argv
    names = [word for word in sys.argv[1:] if word != "--one-place"]
    n = failed = 0
    for name, text in texts():
        if names and names[0] not in name:
            continue
        n += 1
        for i, (place, document) in enumerate(documents(text)):
            if one_place and i != n % 3:
                continue
            for what in check(place, document):
                failed += 1
                print(f"{name} {text[:60]} in {place}: {what}")
    print("no texts" if not n else "more than 300 texts, all correct" if n > 300 and not failed
          else f"{n} texts, {failed} differences")


sys.setrecursionlimit(20000)
if __name__ == "__main__":
    main()
