#!/usr/bin/env python3
"""Makes random assignments and records for derive, and computes the members that derive must write.

usage: derived_members.py SEED...     for each seed, runs derive; prints the first record that differs
       derived_members.py FIRST-LAST   for all seeds from FIRST to LAST

Every result is computed as a Fraction. A result of integers that is an integer of 128 bits remains an int; any other
result becomes the nearest double, a float. A number beyond the doubles is a Huge, which can only be copied.
"""
import json
import math
import random
import re
import subprocess
import sys
from fractions import Fraction

from nasty_traces import plain

LIMIT = 1 << 127
STANDARD = ["ts", "dur", "kind", "name", "cat", "rank", "pid", "tid", "dev", "stream", "corr", "id", "parent",
    "clock", "bytes", "copy", "err"]
TEXTS = {"kind", "name", "cat", "clock", "copy"}
IDS = {"pid", "tid", "id", "parent"}
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
PRECEDENCE = {"==": 1, "!=": 1, "<": 2, "<=": 2, ">": 2, ">=": 2, "+": 3, "-": 3, "*": 4, "/": 4, "//": 4, "%": 4}
FUNCTIONS = ["min", "max", "abs", "round", "floor", "if", "default", "len", "str", "num", "sum"]
FIELDS = ["ts", "dur", "bytes", "i", "j", "big", "f", "g", "s", "t", "yes", "none", "list", "huge", "end", "args.n",
    "n", '"odd name"', 'deep."a.b".c', "api.ts"]
NUMBERS = ["i", "j", "big", "f", "g", "huge"] # of any size
NAMES = ["a", "b", "c", "dur", "bytes", "dev", "i", "s", "odd name", "tid", "cat"]


class Fail(Exception):
    pass


class Huge(str):
    """The text of a number that is too large for a double."""


ABSENT = None


def nearest(exact):
    try:
        return float(exact)
    except OverflowError:
        raise Fail("range") from None


def from_text(text):
    """Returns the value of a JSON number: int if written as an integer of 128 bits or an integer of 64 bits."""
    exact = Fraction(text)
    limit = LIMIT if re.fullmatch(r"-?[0-9]+", text) else 1 << 63
    if exact.denominator == 1 and -limit <= exact < limit:
        return int(exact)
    try:
        return nearest(exact)
    except Fail:
        return Huge(text)


def load(line):
    """Returns the members of a record, which is read as bytes: damaged texts are repaired."""
    text = line.encode(errors="surrogateescape").decode(errors="replace")
    return plain(json.loads(text, parse_float=from_text, parse_int=from_text, strict=False))


def number(v):
    if isinstance(v, (bool, int)):
        return int(v)
    if isinstance(v, float):
        return v
    raise Fail("number")


def result(exact, integers):
    whole = integers and exact.denominator == 1 and -LIMIT <= exact < LIMIT
    return int(exact) if whole else nearest(exact)


def arithmetic(op, *values):
    values = [number(v) for v in values]
    a, b = (Fraction(v) for v in values)
    integers = all(isinstance(v, int) for v in values)
    if op in "//%" and b == 0:
        raise Fail("zero")
    if op == "+":
        return result(a + b, integers)
    if op == "-":
        return result(a - b, integers)
    if op == "*":
        return result(a * b, integers)
    if op == "/":
        return result(a / b, integers)
    quotient = Fraction(math.trunc(a / b))
    return result(quotient if op == "//" else a - b * quotient, integers)


def ordered(op, a, b):
    return int({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])


def compare(op, a, b):
    if isinstance(a, (list, dict)) or isinstance(b, (list, dict)):
        raise Fail("compare")
    if isinstance(a, Huge) or isinstance(b, Huge):
        raise Fail("range")
    if isinstance(a, str) or isinstance(b, str):
        as_text = [str(v).lower() if isinstance(v, bool) else v for v in (a, b)]
        if all(isinstance(v, str) for v in as_text):
            return ordered(op, *(v.encode() for v in as_text))
        pair = [from_text(v) if isinstance(v, str) and NUMBER.fullmatch(v) else v for v in (a, b)]
        if any(isinstance(v, Huge) for v in pair):
            raise Fail("range")
        if any(isinstance(v, str) for v in pair):
            return int(op == "!=")
        a, b = pair
    return ordered(op, number(a), number(b))


def half_away(v):
    return v if isinstance(v, int) else float(math.floor(abs(Fraction(v)) + Fraction(1, 2)) * (1 if v >= 0 else -1))


def length(v):
    if isinstance(v, (str, list, dict)) and not isinstance(v, Huge):
        return len(v)
    raise Fail("length")


def converted(v):
    if isinstance(v, str) and not NUMBER.fullmatch(v):
        return ABSENT
    return number(from_text(v) if isinstance(v, str) else v)


def total(values):
    if not isinstance(values, list):
        raise Fail("array")
    values = [number(v) for v in values if v is not ABSENT]
    return result(sum(map(Fraction, values), Fraction(0)), all(isinstance(v, int) for v in values))


class Node:
    def __init__(self, op, *parts):
        self.op, self.parts = op, parts

    def value(self, scope):
        op = self.op
        if op == "constant":
            return self.parts[0]
        if op == "field":
            return scope(self.parts[0])
        if op == "negate" and self.parts[0].op == "constant" and isinstance(self.parts[0].parts[0], (int, float)):
            # the sign is a part of the number, which matters for -2^127
            text = self.parts[0].parts[1]
            return from_text("-" + text) if NUMBER.fullmatch(text) else -self.parts[0].parts[0]
        if op == "if":
            condition = self.parts[0].value(scope)
            if condition is ABSENT:
                return ABSENT
            if number(condition) != 0:
                return self.parts[1].value(scope)
            return self.parts[2].value(scope) if len(self.parts) > 2 else ABSENT
        if op == "default":
            for part in self.parts:
                v = part.value(scope)
                if v is not ABSENT:
                    return v
            return ABSENT
        values = [part.value(scope) for part in self.parts]
        while len(values) > 2: # min(a,b,c) is min(min(a,b),c)
            first = values[:2]
            values[:2] = [ABSENT if any(v is ABSENT for v in first) else self.apply(first)]
        return ABSENT if any(v is ABSENT for v in values) else self.apply(values)

    def apply(self, v):
        op = self.op
        if op in ("==", "!=", "<", "<=", ">", ">="):
            return compare(op, *v)
        if op == "+" and all(isinstance(x, str) and not isinstance(x, Huge) for x in v):
            return v[0] + v[1]
        if op in PRECEDENCE:
            return arithmetic(op, *v)
        if op == "negate":
            return arithmetic("-", 0, v[0])
        if op in ("len", "str", "num", "sum"):
            return {"len": length, "num": converted, "sum": total,
                "str": lambda x: x if isinstance(x, str) else str(x)}[op](v[0])
        v = [number(x) for x in v]
        if op in ("min", "max"):
            return min(v) if op == "min" else max(v)
        if op == "floor":
            return v[0] if isinstance(v[0], int) else float(math.floor(v[0]))
        return result(abs(Fraction(v[0])), isinstance(v[0], int)) if op == "abs" else half_away(v[0])

    def text(self, r, least=0):
        """Returns the text of the expression: with the parentheses that C needs, and perhaps some more."""
        op, parts = self.op, self.parts
        blank = lambda: r.choice(["", "", "", " "])
        if op == "constant":
            return parts[1]
        if op == "field":
            return parts[0]
        if op == "negate":
            return "-" + blank() + parts[0].text(r, 9)
        if op in PRECEDENCE:
            level = PRECEDENCE[op]
            text = parts[0].text(r, level) + blank() + op + blank() + parts[1].text(r, level + 1)
            return f"({text})" if level < least or r.random() < .1 else text
        return op + blank() + "(" + ",".join(blank() + p.text(r) + blank() for p in parts) + ")"


def constant(r):
    kind = r.randrange(8)
    if kind < 3:
        v = r.choice([0, 1, 2, 3, 7, 10, 1000, 1 << 31, (1 << 53) + 1, (1 << 63) - 1, 1 << 63, (1 << 64) + 1,
            (1 << 127) - 1, 1 << 127])
        v = r.choice([v, v, v, wide(r)])
        return Node("constant", from_text(str(v)), str(v))
    if kind == 3:
        text = r.choice(["0.5", "2.5", "1e3", "1.25e-3", "1e300", "0.1", "3.0", "1e17", "123456789.125", "5e-324",
            "1.7976931348623157e308", "9007199254740993.00000000000000000001", "0.0"])
        return Node("constant", from_text(text), text)
    if kind == 4:
        text, v = r.choice([("10us", 10000), ("1.5ms", 1500000), ("1MiB", 1 << 20), ("3B", 3), ("2s", 2 * 10 ** 9)])
        return Node("constant", v, text)
    text, v = r.choice([("'a'", "a"), ("'7'", "7"), ("''", ""), ("'it\\'s'", "it's"), ("'\\u00e9x'", "\u00e9x"),
        ("'1.50'", "1.50")])
    return Node("constant", v, text) if kind == 5 else constant(r)


def field(r, names):
    if names and r.random() < .3:
        name = r.choice(names)
        return Node("field", f'"{name}"' if " " in name else name)
    return Node("field", r.choice(FIELDS))


def expression(r, names, depth):
    if depth == 0 or r.random() < .15:
        return field(r, names) if r.random() < .65 else constant(r)
    if r.random() < .3:
        parts = [Node("field", r.choice(NUMBERS)), r.choice([Node("field", r.choice(NUMBERS)), constant(r)])]
        r.shuffle(parts)
        return Node(r.choice(list(PRECEDENCE) + ["min", "max"]), *parts)
    part = lambda: expression(r, names, depth - 1)
    kind = r.random()
    if kind < .6:
        return Node(r.choice(list(PRECEDENCE)), part(), part())
    if kind < .68:
        return Node("negate", part())
    f = r.choice(FUNCTIONS)
    if f in ("min", "max", "default"):
        return Node(f, *(part() for _ in range(r.choice([2, 2, 3]))))
    if f == "if":
        return Node(f, *(part() for _ in range(r.choice([2, 3]))))
    if f == "sum":
        return Node(f, r.choice([Node("field", "list"), part()]))
    if f == "str":
        if "s" in names:
            return Node(f, Node("len", Node("constant", "abc", "'abc'")))
        return Node(f, r.choice([Node("field", "s"), Node("<", part(), part()), Node("len", Node("field", "s"))]))
    return Node(f, part())


def wide(r):
    """Returns an integer of up to 10^45."""
    return r.choice([r.randrange(10 ** 45), (1 << 127) + r.randrange(-2, 3), r.getrandbits(r.randrange(1, 150)),
        (r.getrandbits(54) * 2 + 1) << r.randrange(95), 10 ** r.randrange(46)])


def real(r):
    """Returns the text of any number: ordinary, near the limits of doubles, halfway between two doubles, or beyond."""
    digits = lambda n: "".join(r.choice("0123456789") for _ in range(n))
    middle = (r.getrandbits(52) + (1 << 52)) * 2 + 1
    return r.choice(["-0", "-0.0", "0e5", "1e400", "-1e309", "1e-400", "5e-324", "-4.9e-324", "2.2250738585072011e-308",
        "1.7976931348623157e308", "-1.7976931348623158e308", "1.7976931348623159e308", "179769313486231570" + "0" * 291,
        repr(r.uniform(-1, 1) * 2.0 ** r.randrange(-1070, 1024)), repr(r.uniform(-1, 1) * 2.0 ** r.randrange(-60, 130)),
        f"{digits(3).lstrip('0') or '0'}.{digits(30)}", f"1.{digits(25)}e{r.randrange(-320, 310)}",
        f"{middle}.{'0' * r.randrange(30)}{r.choice('01')}", f"{middle * 5 ** 40}e-40", str(wide(r)), str(-wide(r))])


def integer(r):
    return r.choice([0, 1, -1, 5, 40, -7, 1000, r.randrange(-100, 100), r.getrandbits(40), -r.getrandbits(62),
        (1 << 63) - 1, -(1 << 63)])


def record(r):
    members = []
    def put(key, text, often=.8):
        if r.random() < often:
            members.append((key, text))
    put("ts", str(integer(r)))
    put("dur", str(abs(integer(r)) % (1 << 40)))
    put("kind", '"op"', .9)
    put("name", r.choice(['"n"', '"void f<int>(int)"', '"\\u00e9"', '"NUL\\u0000"', '"\0\x1f"', '"\udcff\udce2x"',
        '"\\ud83d\\ude00"', '"half\\udc00"']), .9)
    put("tid", r.choice(["5", '"main"']), .3)
    put("bytes", str(abs(integer(r))), .5)
    put("i", str(integer(r)))
    put("j", str(integer(r)), .5)
    put("big", str(r.choice([(1 << 127) - 1, -(1 << 127), 1 << 64, r.getrandbits(120), wide(r), -wide(r)])), .8)
    put("f", r.choice(["2.5", "-0.1", "5.0", "1e3", "1e19", "-0.0", repr(r.uniform(-9, 9)), "1e-300", "3.25E2",
        real(r), real(r), real(r)]))
    put("g", repr(r.random() * 10 ** r.randrange(-8, 20)), .5)
    put("s", r.choice(['"x"', '"\0x"', '"\\u0000x"', '"x\udcc3"', '"x\\ufffd"',
        '"7"', '"1.5"', '"a\\"b"', '"\\u00e9\u00e9"', '""', f'"{real(r)}"']))
    put("t", r.choice(['"12"', "12", "true", "null", "[]", f'"{real(r)}"', f'"{wide(r)}"']), .5)
    put("huge", real(r))
    put("yes", r.choice(["true", "false"]), .7)
    put("none", "null", .5)
    put("list", r.choice(["[]", "[1,2,3]", '[{"a":[1,2]},"x"]', '{"k":1}',
        "[%s]" % ",".join(real(r) for _ in range(3)), "[%s]" % ",".join(str(wide(r)) for _ in range(5))]), .5)
    put("odd name", str(integer(r)), .5)
    put("deep", '{"a.b":{"c":%d,"d":2}}' % r.randrange(9), .5)
    put("api", '{"name":"l","ts":%d}' % r.randrange(99), .5)
    put("args", '{"n":%d,"i":3,"x":{}}' % r.randrange(9), .6)
    put("src", '{"ph":"X"}', .2)
    if r.random() < .2:
        r.shuffle(members)
    comma, colon = r.choice([(",", ":"), (",", ":"), (",", ":"), (" , ", " : ")])
    return "{" + comma.join(json.dumps(k) + colon + v for k, v in members) + "}"


def look_up(fields, reference):
    """Returns the value of a field of the record or of its args, as described in events(5)."""
    parts = [p[1:-1] if p[0] == '"' else p for p in re.findall(r'"[^"]*"|[^.]+', reference)]
    if reference == "end":
        if fields.get("end") is not None:
            return fields["end"]
        times = [fields.get("ts"), fields.get("dur")]
        if all(isinstance(t, (int, float)) for t in times):
            end = times[0] + max(times[1], 0)  # a negative duration counts as 0
            return end if -(1 << 63) <= end < 1 << 63 else ABSENT
        return ABSENT
    for at in (fields, fields.get("args")):
        for part in parts:
            at = at.get(part) if isinstance(at, dict) else None
        if at is not None:
            return at
        if len(parts) == 1 and parts[0] in fields:
            return ABSENT # null hides the member of args
    return ABSENT


def fit(name, v):
    if v is ABSENT or name not in STANDARD:
        return v
    if isinstance(v, Huge):
        raise Fail("member")
    if name in TEXTS:
        if isinstance(v, str):
            return v
    elif isinstance(v, str) and name in IDS:
        return v
    elif not isinstance(v, bool) and isinstance(v, (int, float)) and v == math.floor(v) and -(1 << 63) <= v < 1 << 63:
        return int(v)
    raise Fail("member")


class Case:
    def __init__(self, seed):
        r = random.Random(seed)
        self.steps, self.arguments, names = [], [], []
        quoted = lambda name: f'"{name}"' if " " in name else name
        previous = []
        for _ in range(r.choice([0, 0, 1, 2])):
            name, reference = r.choice(["p", "q"]), r.choice(FIELDS)
            previous.append(("prev", name, reference))
            self.arguments.append(f"--prev={name}={reference}")
            names.append(name)
        for _ in range(r.randrange(1, 6)):
            name, node = r.choice(NAMES), expression(r, names, r.randrange(4))
            summed = r.random() < .2
            self.steps.append(("sum" if summed else "set", name, node))
            self.arguments.append(("--cumulate=" if summed else "") + f"{quoted(name)}={node.text(r)}")
            names.append(name)
        self.keys = r.choice([[], ["s"], ["yes", "tid"]]) if previous or any(s[0] == "sum" for s in self.steps) else []
        if self.keys:
            self.arguments.insert(r.randrange(len(self.arguments) + 1), "--group=" + ",".join(self.keys))
        self.steps = previous + self.steps
        self.records = [record(r) for _ in range(40)]
        self.last, self.sums = {}, {}

    def scope(self, assigned, fields, reference):
        plain = reference.strip('"')
        if plain in assigned:
            v = assigned[plain]
            if isinstance(v, Fail):
                raise v
            return v
        if reference == "end" and ("ts" in assigned or "dur" in assigned):
            now = dict(fields)
            for name in ("ts", "dur"):
                if name in assigned:
                    now[name] = self.scope(assigned, fields, name)
                    now[name] = fit(name, now[name])
            return look_up(now, reference)
        return look_up(fields, reference)

    def step(self, step, key, number_of_step, assigned, fields):
        kind, name, what = step
        if kind == "prev":
            before = self.last.get(key)
            return look_up(before, what) if before is not None else ABSENT
        v = what.value(lambda reference: self.scope(assigned, fields, reference))
        if kind == "sum" and v is not ABSENT:
            state = self.sums.setdefault((key, number_of_step), [Fraction(0), True])
            state[1] &= isinstance(number(v), int)
            state[0] += Fraction(number(v))
            v = result(*state)
        return v

    def expected(self, line):
        """Returns the members after the assignments as a dict; None if the record is written unchanged."""
        fields, assigned = load(line), {}
        key = tuple(json.dumps(look_up(fields, k)) for k in self.keys)
        for i, step in enumerate(self.steps):
            try:
                assigned[step[1]] = self.step(step, key, i, assigned, fields)
            except Fail as failure:
                assigned[step[1]] = failure
        self.last[key] = dict(fields)
        for name, v in assigned.items():
            if isinstance(v, Fail):
                return None
            try:
                v = fit(name, v)
            except Fail:
                return None
            if v is ABSENT:
                fields.pop(name, None)
            else:
                fields[name] = v
        return fields


def in_order(before, after):
    """Returns whether the old members keep their order, and the added members are in canonical order."""
    if [k for k in after if k in before] != [k for k in before if k in after]:
        return False
    rank = lambda k: STANDARD.index(k) if k in STANDARD else {"args": 98, "src": 99}.get(k, 97)
    ranks = [rank(k) for k in before]
    return ranks != sorted(ranks) or [rank(k) for k in after] == sorted(rank(k) for k in after)


def same(want, got):
    if isinstance(want, float): # the text is the shortest one that is read as this double
        return isinstance(got, (int, float)) and not isinstance(got, bool) and float(got) == want
    return type(want) is type(got) and want == got


def repaired(line):
    """Returns another text than the line if it has bytes that a filter repairs."""
    return re.sub(r"[\0-\x1f\udc80-\udcff]|\\udc00", "?", line)


def check(case, seed):
    run = subprocess.run(["derive", "--quiet", "--lenient", *case.arguments], input="\n".join(case.records) + "\n",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="surrogateescape", check=False)
    lines = run.stdout.split("\n")[:-1]
    if len(lines) != len(case.records) or run.returncode != 0:
        print(f"seed {seed}: {len(lines)} records instead of {len(case.records)}, exit status {run.returncode}")
        print(f"arguments: {case.arguments}\n{run.stderr}")
        return
    for before, after in zip(case.records, lines):
        want = case.expected(before)
        if want is None:
            good = before == after or before != repaired(before) and load(before) == load(after)
        else:
            got = load(after)
            good = want.keys() == got.keys() and all(same(want[k], got[k]) for k in want)
            good = good and in_order(load(before), got)
        if not good:
            print(f"seed {seed}\narguments: {case.arguments}\nrecord:    {before}\nderive:    {after}")
            print(f"expected:  {want if want is not None else 'unchanged'}")
            return


for argument in sys.argv[1:]:
    first, last = (argument.split("-") * 2)[:2]
    for seed in range(int(first), int(last) + 1):
        check(Case(seed), seed)
