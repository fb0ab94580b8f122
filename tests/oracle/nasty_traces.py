"""Records made at random with values and shapes that profilers rarely write, and the rules by which filters read them.

Starts and ends coincide, intervals cross, durations are 0, negative or as long as 64 bits allow, ids are used again,
and names have NUL and bytes that are not UTF-8. Times are also written as 5.0 or 5e0, are no integers, or do not fit
in 64 bits. Numbers in other members have more than 64 or 128 bits. Lines are in canonical and in other forms.

The suite runs few traces of each model. 2,000 take a minute:

    cd $(mktemp -d) && PATH=.../build/bin:$PATH .../tests/oracle/joined.py --random 2000
"""
import json
import random
import re
import subprocess
from collections import Counter
from decimal import Decimal

STANDARD = ("ts dur kind name cat rank pid tid dev stream corr id parent clock bytes copy err args src").split()
DEVICE = ("kernel", "memcpy", "memset", "sync")
LEAST, MOST = -2**63, 2**63 - 1
TEXTS = [b'"a"', b'"b"', b'"step 7"', b'""', b'"\\u0061"', b'"NUL\\u0000in"', b'"raw\0nul"', b'"bad\xff\xfe\xc0\x80"',
         b'"cut\xe2\x82"', b'"\xc3\xa9"', b'"\\u00E9"', b'"\\ud83d\\ude00"', b'"half\\ud800"', b'"q\\"\\\\\\/"',
         b'"tab\there"', b'"x\\ny"', b'"' + b"long " * 60 + b'"', b'"ncclDevKernel_AllReduce_Sum_f32"',
         b'"cudaLaunchKernel"', b'"hipGraphLaunch"']
IDS = [b"1", b"2", b"7", b"0", b"-1", b'"1"', b'"\\u0031"', b'"t \xff"', b'"NUL\\u0000"', b"9223372036854775808",
       b"18446744073709551617", b"340282366920938463463374607431768211457", b"-170141183460469231731687303715884105729"]
VALUES = [b"5", b"null", b"true", b'"text"', b"[1,{\"a\":[2]}]", b"{}", b"18446744073709551616", b"-0", b"1e400",
          b"0.1", b"340282366920938463463374607431768211456", b"1" + b"0" * 400, b'"\xff"', b'"\\u0000"']


def plain(value):
    """Replaces unpaired surrogates in all texts."""
    if type(value) is str:
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    return {plain(k): plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def read(line):
    """Returns the members of a line as a filter reads them: texts are repaired, the last of equal members counts."""
    return plain(json.loads(line.decode("utf-8", "replace"), strict=False, parse_float=Decimal))


def whole(value):
    """Returns the integer that a number is, or None."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def time(record, member="ts"):
    """Returns ts or dur, or None if it is absent or not an integer."""
    return whole(record.get(member))


def is_lost(record):
    """Whether a filter skips the record, because a time does not fit in 64 bits."""
    return any(not LEAST <= (time(record, m) or 0) <= MOST for m in ("ts", "dur"))


def is_odd(record):
    """Whether a time is not an integer."""
    return any(record.get(m) is not None and time(record, m) is None for m in ("ts", "dur"))


def has_time(record):
    """Whether the record has a time on the main clock of the trace."""
    return time(record) is not None and record.get("clock") is None


def end(record):
    """Returns the end of a record with a ts: a negative dur counts as 0, and no end is later than 64 bits allow."""
    return min(time(record) + max(time(record, "dur") or 0, 0), MOST)


def same(value):
    """Returns a form of an id: equal ids have equal forms. Numbers are equal by value, and a text is not a number."""
    return None if value is None else json.dumps(value, default=str)


class Trace:
    """The choices for one trace: few names, ids and times, so that they meet often."""
    def __init__(self, odd_times=0.04):
        self.odd_times = odd_times
        self.spread = random.choice([1, 3, 12, 40, 400])
        self.base = random.choice([0, 0, -30, 1712195736004644183, MOST - 30, LEAST + 30, 2**53])
        self.texts = random.sample(TEXTS, 5)
        self.pids, self.tids = ([random.choice(IDS) for _ in range(n)] for n in (2, 3))
        self.ranks = random.choice([[None], [b"0"], [b"0", b"1"], [b"0", b"1", b"2", None]])
        self.devs, self.streams = [b"0", random.choice(IDS)], [b"7", random.choice(IDS), random.choice(IDS)]
        self.ids = random.choice([3, 30])

    def at(self):
        return min(max(self.base + random.randint(-self.spread, self.spread), LEAST), MOST)

    def length(self):
        return random.choice([0, 0, 1, 2, self.spread, random.randint(0, self.spread), random.randint(0, 9), -1,
                              -self.spread, random.choice([MOST, LEAST, 5])])

    def token(self, number):
        """Returns the text of a time: sometimes not canonical, not an integer, or beyond 64 bits."""
        if random.random() < self.odd_times:
            return random.choice([b"null", b'"12"', b"7.5", b"true", b"9223372036854775808", b"-9223372036854775809",
                                  b"1e30", b"1e-7", b"[5]", b"%d.5" % number, b"18446744073709551621"])
        return random.choice([b"%d"] * 20 + [b"%d.0", b"%de0", b"%d.00E+0"]) % number

    def times(self, dur=0.9):
        """Returns ts, and usually dur."""
        r = {"ts": self.token(self.at())} if random.random() > self.odd_times / 2 else {}
        if random.random() < dur:
            r["dur"] = self.token(self.length())
        return r

    def sometimes(self, r, **members):
        """Adds each member with a chance of a half."""
        r.update({m: v for m, v in members.items() if v is not None and random.random() < 0.5})

    def place(self, r):
        """Adds rank, pid and tid, each of which may be absent."""
        rank = random.choice(self.ranks)
        if rank is not None:
            r["rank"] = rank
        for member, values in ("pid", self.pids), ("tid", self.tids):
            if random.random() < 0.85:
                r[member] = random.choice(values)

    def decorate(self, r):
        """Adds members that other filters use, have added, or do not know."""
        if random.random() < 0.05:
            r["clock"] = b'"device"'
        for member in ("iter", "range", "x\xff", "depth", "args", "src"):
            if random.random() < 0.1:
                is_object = member in STANDARD and random.random() < 0.9
                r[member] = b'{"corr":5,"v":%s}' % random.choice(VALUES) if is_object else random.choice(VALUES)

    def line(self, r):
        """Returns the line of a record in any form: r has the text of each member."""
        items = [(m, r[m]) for m in sorted(r, key=lambda m: STANDARD.index(m) if m in STANDARD[:-2] else
                                           len(STANDARD) + STANDARD.index(m) if m in STANDARD else len(STANDARD))]
        form = random.random()
        if form > 0.7:
            random.shuffle(items)
        if form > 0.9 and items:  # an earlier member with the same name does not count
            items.insert(0, (items[-1][0], random.choice(VALUES[1:])))
        if form > 0.97 and items:
            items = [(m.replace("a", "\\u0061"), v) for m, v in items]
        comma, colon = random.choice([(b",", b":")] * 4 + [(b" ,\t", b" : ")])
        line = b"{" + comma.join(b'"' + m.encode("latin-1") + b'"' + colon + v for m, v in items) + b"}\n"
        # A filter does not read all members of a line that begins in canonical form.
        is_twice = items and items[0][0] in ("ts", "dur", "kind", "name") and items[0][0] in [m for m, _ in items[1:]]
        return b" " + line if is_twice or is_lost(read(line)) else line


def in_ts_order(lines):
    """Sorts lines as ts-sort does, except that records without a time may be anywhere."""
    keys, last = [], LEAST
    for line in lines:
        r = read(line)
        at = None if is_lost(r) else time(r)
        last = last if at is None else at
        keys.append((last, 0 if at is None else -(time(r, "dur") or 0)))
    return [line for _, line in sorted(zip(keys, lines), key=lambda x: x[0])]


def run(command, lines, files=("nasty.ndjson",)):
    """Runs a command on a file of lines, or on files that exist. Returns its records, messages and status."""
    if lines is not None:
        with open(files[0], "wb") as out:
            out.writelines(lines)
    done = subprocess.run([*command, *files], capture_output=True, check=False)
    text = done.stdout.decode()  # the output must be UTF-8, and its lines JSON with all escapes
    return ([json.loads(line, parse_float=Decimal) for line in text.split("\n")[:-1]],
            done.stderr.decode().splitlines(), done.returncode)


def count_wrong(argv, make):
    """Runs the traces of `--random COUNT [FIRST]`: make() returns a trace, a command, and what is wrong with it.

    Prints the seed, the command and the differences of the first three wrong traces. Returns 1 if one is wrong.
    """
    count, first = int(argv[0]), int(argv[1]) if len(argv) > 1 else 0
    wrong = 0
    for seed in range(first, first + count):
        random.seed(seed)
        command, differences = make()
        if differences:
            wrong += 1
            if wrong <= 3:
                print(f"seed {seed}: {' '.join(command)}", *differences[:3], sep="\n  ")
    print(f"{count} traces, {wrong} wrong")
    return int(wrong > 0)


def compare(got, want):
    """Returns the first differences of two lists of records."""
    differences = [f"expected {str(w)[:900]}\n  actual   {str(g)[:900]}" for g, w in zip(got, want) if g != w]
    if len(got) != len(want):
        differences.append(f"{len(got)} records, expected {len(want)}; {str((got + want)[-1])[:300]}")
    return differences


def compare_sets(got, want):
    """Returns the first differences of two lists of records in any order."""
    got, want = (sorted(json.dumps(r, sort_keys=True, default=str) for r in rows) for rows in (got, want))
    counts = Counter(got)
    counts.subtract(want)
    return [f"{'not expected' if n > 0 else 'missing     '} {line[:900]}" for line, n in counts.items() if n]


def count_of(messages, text):
    """Returns the number in a message: 3 if it ends with "(and 2 more)", otherwise its first number, or 1."""
    for line in messages:
        if text in line:
            more = re.search(r"\(and (\d+) more\)", line)
            first = re.match(r"[a-z0-9-]+: (\d+) ", line)
            return int(more[1]) + 1 if more else int(first[1]) if first else 1
    return 0
