#!/usr/bin/env python3
"""Compares the records of collectives on standard input with GOLDEN/collectives.csv, and prints each difference.

  coll-join ... | rank_collectives.py GOLDEN [--exact]

The golden file was computed by another program (its README says how). Without --exact, figures that rest on estimated
clocks may differ by 5 us, and what depends on them may differ where two ranks are that close.
"""
import csv, json, sys

NEAR = 0 if "--exact" in sys.argv else 5000
EXACT = "n size latency bytes".split()
FLOATS = "algbw busbw imbalance".split()
CLOCKED = "skew_start skew_end late transfer".split()
differences = 0


def differ(key, what, got, want):
    global differences
    differences += 1
    if differences <= 20:
        print(f"{key}: {what} is {got!r}, expected {want!r}")


def text(value):
    return "" if value is None else str(value)


def close(got, want, part):
    return (got is None) == (want == "") and (want == "" or abs(got - float(want)) <= part * abs(float(want)) + 1e-12)


def key_of(record):
    low = record["members"][0]
    stream = f"stream {low['stream']}" if record["match"] == "stream" or "group" not in record else None
    ranks = stream or " ".join(map(str, record["ranks"]))
    return (record.get("group", ""), ranks, str(low["rank"]), str(low["ts"]), record["name"])


records, members = {}, 0
for line in sys.stdin:
    r = json.loads(line)
    r["members"].sort(key=lambda m: m["rank"])
    members += len(r["members"])
    key = key_of(r)
    if key in records:
        differ(key, "a second record", r["id"], None)
    records[key] = r
with open(sys.argv[1] + "/collectives.csv") as f:
    rows = list(csv.DictReader(f))
for row in rows:
    key = tuple(row[c] for c in "group ranks low ts op".split())
    r = records.pop(key, None)
    if r is None:
        differ(key, "record", None, "present")
        continue
    check = lambda what, got, want: got == want or differ(key, what, got, want)
    check("match", r["match"], row["match"])
    check("why", r.get("why", ""), row["why"])
    check("clock", {True: "common", False: "free", None: ""}[r.get("aligned")], row["clock"])
    check("members", " ".join(str(m["rank"]) for m in r["members"]), row["members"])
    check("missing", " ".join(f"{m['rank']}:{m['why']}" for m in r.get("missing", [])), row["missing"])
    check("dtype", r.get("dtype", ""), row["dtype"])
    for what in EXACT:
        if row[what] or what not in ("size",):
            check(what, text(r.get(what)), row[what])
    for what in FLOATS:
        if not close(r.get(what), row[what], 1e-5):
            differ(key, what, r.get(what), row[what])
    if row["n"] == "1":
        continue
    waits, want = [m["wait"] for m in r["members"]], list(map(int, row["waits"].split()))
    if any(abs(a - b) > NEAR for a, b in zip(waits, want)):
        differ(key, "waits", waits, want)
    for what in CLOCKED:
        if (row[what] == "") != (what not in r) or row[what] and abs(r[what] - int(row[what])) > NEAR:
            differ(key, what, r.get(what), row[what])
    by_rank = dict(zip(row["members"].split(), want))
    for what, edge in (("first", max(want)), ("last", min(want))):
        if str(r[what]) != row[what] and (not NEAR or abs(by_rank[str(r[what])] - edge) > NEAR):
            differ(key, what, r[what], row[what])
    if not NEAR:
        check("class", r["class"], row["class"])
        for what in ("share", "throughput"):
            if not close(r.get(what), row[what], 1e-5):
                differ(key, what, r.get(what), row[what])
for key in records:
    differ(key, "record", "present", None)
print(f"{len(rows)} collectives, {members} members, {differences} differences")
sys.exit(differences > 0)
