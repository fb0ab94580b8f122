#!/usr/bin/env python3
"""Prints the expected output of ts-sort for valid records.

usage: sorted_records.py FILE
       sorted_records.py --random N [FIRST]     runs ts-sort, with and without --merge and --clocks, on N traces of
                                                nasty_traces.py
"""
import json
import random
import sys

import nasty_traces as nasty


def key(r):
    """Returns the order of a record: those without a ts are first."""
    return (0, 0, 0) if nasty.time(r) is None else (1, nasty.time(r), -(nasty.time(r, "dur") or 0))


class Clock:
    """The clock of a rank: what must be added to its times."""
    def __init__(self, rank):
        # with these figures, times keep their order
        self.rank, self.base = rank, random.choice([0, -7, 10**9, 3])
        self.offset, self.drift = random.choice([0, 5, -300, 10**12]), random.choice([0, 0, 20000, -20000, 1])
        self.at = random.choice([0, 1712195736004644183, -50])

    def line(self):
        found = {"kind": "clock", "rank": self.rank, "ref": 0, "via": 0, "base": self.base, "offset": self.offset,
                 "drift": self.drift, "at": self.at, "ok": True}
        return json.dumps(found).encode() + b"\n"

    def moved(self, ts):
        return ts + self.base + self.offset + (2 * (ts - self.at) * self.drift + 10**9) // (2 * 10**9)

    def shifted(self, r):
        """Returns a record whose times are those of the reference."""
        r = {"rank": self.rank, **{k: v for k, v in r.items() if k != "rank"}}
        moved = lambda o, m: {**o, m: self.moved(nasty.time(o, m))} if nasty.time(o, m) is not None else o
        for m, v in r.items():
            if isinstance(v, dict) and m not in nasty.STANDARD:
                r[m] = moved(v, "ts")
        if r.get("kind") == "meta" and r.get("name") == "baseTimeNanoseconds":
            r["args"] = {**r["args"], "value": r["args"]["value"] - self.base}
        return moved(moved(r, "ts"), "orig_ts")


def merged(files):
    """Merges lists of records: the next one is the first of those at the heads of the lists."""
    files, out = [list(reversed(rows)) for rows in files], []
    while any(files):
        first = min((rows for rows in files if rows), key=lambda rows: key(rows[-1]))
        out.append(first.pop())
    return out


def nasty_lines(t, rank):
    lines = []
    for _ in range(random.choice([0, 1, 5, 30, 100])):
        kind = random.choice(["kernel", "op", "meta"])
        r = {**t.times(), "kind": b'"%s"' % kind.encode(), "name": random.choice(t.texts)}
        t.place(r)
        t.decorate(r)
        if random.random() < 0.3:
            r["api"] = b'{"ts":%s,"name":"\\u0000"}' % random.choice([b"%d" % t.at(), b"%d.0" % t.at(), b'"x"', b"7.5"])
            t.sometimes(r, orig_ts=b"%d" % t.at())
        if rank is not None:
            r["rank"] = b"%d" % rank
            r.pop("clock", None)  # such records are not shifted, and stay between those of their rank
            if kind == "meta" and random.random() < 0.5:
                r.update(name=b'"baseTimeNanoseconds"', args=b'{"value":%d}' % random.randrange(10**18))
                for m in random.choice([[], ["ts"], ["ts", "rank"]]):
                    r.pop(m, None)
        lines.append(t.line(r))
    return lines


def nasty_trace():
    n = random.choice([1, 2, 3, 5])
    by_clocks = random.random() < 0.3
    t = nasty.Trace()
    if by_clocks:
        t.base = random.choice([0, 1712195736004644183])
    clocks = [Clock(i) for i in range(n)] if by_clocks else []
    files = [nasty_lines(t, i if by_clocks else None) for i in range(n)]
    n_lines = sum(map(len, files))
    is_merge = by_clocks or random.random() < 0.5
    command = ["ts-sort", "-S", random.choice(["64KiB", "1MiB"])]
    if is_merge:
        command.append("--merge")
        read = [[(nasty.read(line), line) for line in lines] for lines in files]
        lost = [[x for x in rows if nasty.is_lost(x[0])] for rows in read]
        read = [sorted((x for x in rows if not nasty.is_lost(x[0])), key=lambda x: key(x[0])) for rows in read]
        files = [[line for _, line in rows + bad] for rows, bad in zip(read, lost)]
    if by_clocks:
        # the rank of a file is that of its first record with one, which all records with a ts must have
        files = [lines for lines in files if any("rank" in nasty.read(line) for line in lines)]
        n_lines = sum(map(len, files))
        with open("clocks", "wb") as out:
            out.writelines(c.line() for c in clocks)
        command += ["--clocks", "clocks"]
    names = [f"nasty.{i}" for i in range(len(files))] or ["nasty.0"]
    for name, lines in zip(names, files or [[]]):
        with open(name, "wb") as out:
            out.writelines(lines)
    records = [[r for r in map(nasty.read, lines) if not nasty.is_lost(r)] for lines in files]
    if by_clocks:
        ranks = [next(r["rank"] for r in map(nasty.read, lines) if "rank" in r) for lines in files]
        records = [[clocks[rank].shifted(r) for r in rows] for rank, rows in zip(ranks, records)]
    want = merged(records) if is_merge else sorted(sum(records, []), key=key)
    got, messages, status = nasty.run(command, None, names)
    differences = nasty.compare(got, want)
    if status != (sum(map(len, records)) < n_lines):
        differences.append(f"status {status}: {messages}")
    return command, differences


def main():
    with open(sys.argv[1], "rb") as file:
        lines = [line.strip() + b"\n" for line in file]
    sys.stdout.buffer.writelines(sorted(lines, key=lambda line: key(nasty.read(line))))


if sys.argv[1] == "--random":
    sys.exit(nasty.count_wrong(sys.argv[2:], nasty_trace))
main()
