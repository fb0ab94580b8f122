#!/usr/bin/env python3
"""Compares key-join with dictionaries of the records of its FILE, on random records.

usage: key_join.py N      on N pairs of files
"""
import json, random, subprocess, sys

# Texts of values, and the value that each stands for; None: the record has no key.
TEXTS = [("1", "1"), ("1.0", "1"), ("10e-1", "1"), ('"1"', "t1"), ('"\\u0031"', "t1"), ("-7", "-7"), ("-7.0", "-7"),
         ("0.1", "0.1"), ("1e-1", "0.1"), ('"a b"', "ab"), ('"a\\u0020b"', "ab"), ('"a\\/b"', "a/b"), ('"a/b"', "a/b"),
         ("true", "true"), ("[1]", "[1]"), ("[1.0]", "[1.0]"), ('""', "empty"), ("null", None),
         ("18446744073709551616", "big"), ("18446744073709551616.0", "big"), ('"\\n"', "nl"), ('"\\u000a"', "nl")]
# Keys of FILE and input: fields, and where their values are.
KEYS = [["k"], ["name"], ["k", "args.x"], ["corr"], ["j", "k", "name"], ["args.x"], ["odd \\\" name"]]
NAMES = ["k", "j", "name", "corr", "odd \\\" name"]
OTHERS = ["class", "flops", "dur", "cat", "ranges", "q\\\"q", "pid", "bytes"]


def record():
    """Returns the text of a record, the values of its keys, and its members as texts."""
    members, keys = {}, {}
    for name in NAMES:
        if random.random() < 0.8:
            text, value = random.choice(TEXTS)
            members[name] = text
            keys[name] = value
    for name in random.sample(OTHERS, random.randint(0, 5)):
        members[name] = random.choice(["5", '"text"', "[1,{\"a\":2}]", "null", '"\\u00e9"'])
    if random.random() < 0.7:
        text, value = random.choice(TEXTS)
        members["args"] = '{"y":1,"x":%s}' % text
        keys["args.x"] = value
    order = list(members)
    if random.random() < 0.5:
        random.shuffle(order)
    comma, colon = random.choice([(",", ":"), (" , ", " : ")])
    line = "{" + comma.join('"%s"%s%s' % (m, colon, members[m]) for m in order) + "}"
    return line, keys, {json.loads('"%s"' % m): members[m] for m in order}


def value_of(members, field):
    """Returns the text of a field that --take names, or None."""
    if field == "args.x":
        return json.dumps(json.loads(members["args"])["x"]) if "args" in members else None
    return members.get(field)


def expected(rows, lines, keys, take, left, last):
    def key_of(found):
        values = tuple(found.get(k) for k in keys)
        return None if None in values else values

    table, out, alone = {}, [], 0
    for _, found, members in rows:
        key = key_of(found)
        if key is not None and (last or key not in table):
            table[key] = members
    for _, found, members in lines:
        row = table.get(key_of(found))
        if row is None:
            alone += 1
            if left:
                out.append(dict(members))
            continue
        if take:
            new = {n: value_of(row, f) for n, f in take}
            out.append(members | {n: v for n, v in new.items() if v not in (None, "null")})
        else:
            out.append({n: v for n, v in row.items() if v != "null"} | members)
    return out, alone


def normal(members):
    return {name: json.loads(text) for name, text in members.items()}


wrong = 0
for seed in range(int(sys.argv[1])):
    random.seed(seed)
    rows = [record() for _ in range(random.choice([0, 1, 5, 40]))]
    lines = [record() for _ in range(random.choice([0, 1, 7, 8, 9, 60]))]
    for name, list_ in ("rows", rows), ("lines", lines):
        with open(name, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line, _, _ in list_))
    keys = random.choice(KEYS)
    take = random.choice([[], [], [("new", "class")], [("new", "args.x"), ("class", "flops")], [("flops", "flops")]])
    left, last = random.random() < 0.3, random.random() < 0.3
    asked = [k if k[0] != "o" else '"%s"' % k for k in keys]
    command = ["key-join", "-g", ",".join(asked), "rows", "lines"]
    command += ["--take=" + ",".join(f"{n}={f}" for n, f in take)] if take else []
    command += ["--left"] * left + ["--last"] * last
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    want, alone = expected(rows, lines, keys, take, left, last)
    got = []
    for line in done.stdout.splitlines():
        pairs = json.loads(line, object_pairs_hook=list)
        got.append(json.loads(line) if len({n for n, _ in pairs}) == len(pairs) else "a member occurs twice")
    hints = "no record has the field", "null", "is empty"
    notes = [m for m in done.stderr.splitlines() if not any(h in m for h in hints)]
    said = [f"key-join: {alone} records left out: no record of FILE has their keys; --left writes them"]
    if got != [normal(m) for m in want] or done.returncode or notes != (said if alone and not left else []):
        wrong += 1
        print(seed, command, done.returncode, done.stderr)
        print([(g, normal(w)) for g, w in zip(got, want) if g != normal(w)][:2], len(got), len(want))
sys.exit(wrong > 0)
