#!/usr/bin/env python3
"""Compares the collectives of coll-join with groups of kernels with equal numbers, on traces of nasty_traces.py.

usage: collective_model.py --random N [FIRST]

The kernels have a Seq or a Comms Id, and the clocks are those of the traces (raw) or are not compared (free).
rank_collectives.py compares matches by order, and estimated clocks, with golden files.
"""
import random
import sys

import nasty_traces as nasty

NAMES = {"allreduce": "all_reduce", "_allgather_base": "all_gather", "reduce_scatter": "reduce_scatter",
         "all_to_allv": "all_to_allv", "barrier": "barrier", "broadcast": "broadcast", "all_to_all": "all_to_all"}
DTYPES = {"Float": 4, "BFloat16": 2, "ComplexDouble": 16, "Byte": 1}


def factor(op, size):
    """Returns the ratio of bus bandwidth to algorithm bandwidth, or None."""
    if op in ("all_reduce", "all_gather", "reduce_scatter", "all_to_all"):
        return (size - 1) / size * (2 if op == "all_reduce" else 1)
    return 1 if op == "broadcast" else None


def text(value):
    return value if isinstance(value, str) else None


class Kernel:
    def __init__(self, r, streams):
        self.r, self.args, self.rank = r, r["args"], r["rank"]
        self.ts, self.dur = nasty.time(r), max(nasty.time(r, "dur"), 0)
        self.corr = nasty.whole(r.get("corr"))
        stream = streams.setdefault((nasty.same(r.get("dev")), nasty.same(r.get("stream"))), len(streams))
        self.same = self.rank, self.ts, self.dur, stream, self.corr is not None, self.corr or 0
        self.ranks = tuple(sorted(set(map(int, self.args["Process Group Ranks"].strip("[]").split(",")))))
        self.group = self.args["Process Group Name"], self.ranks

    def bytes(self, op):
        """Returns the bytes of the larger of input and output, or None; of an all_to_allv, those of the input."""
        a, b = (self.args.get(m) for m in ("In msg nelems", "Out msg nelems"))
        a, b = (x if x is not None and 0 <= x <= nasty.MOST else -1 for x in (a, b))
        elements = a if op == "all_to_allv" else max(a, b)
        size = DTYPES.get(self.args.get("dtype"))
        found = elements * size if size and elements >= 0 else nasty.MOST + 1
        return found if found <= nasty.MOST else None


def model(records, free):
    """Returns the expected records of collectives, without their numbers."""
    streams, kernels, base, here, groups = {}, [], {}, set(), {}
    for r in records:
        here.add(r["rank"])
        if r.get("kind") == "kernel" and nasty.time(r) is not None and nasty.time(r, "dur") is not None:
            kernels.append(Kernel(r, streams))
        elif r.get("kind") == "meta":
            base[r["rank"]] = r["args"]["value"]
    kernels = sorted(kernels, key=lambda k: k.same)
    kernels = [k for i, k in enumerate(kernels) if not i or k.same != kernels[i - 1].same]  # a kernel counts once
    low = min((k.rank for k in kernels), default=0)
    for k in kernels:
        k.start = k.ts + (0 if free else base.get(k.rank, 0) - base.get(low, 0))
        groups.setdefault(k.group, []).append(k)
    want = []
    for members in groups.values():
        by_id = all("Comms Id" in k.args for k in members)
        found, seen = {}, {}
        for k in members:
            number = k.args["Comms Id" if by_id else "Seq"]
            nth = seen[k.rank, number] = seen.get((k.rank, number), -1) + 1
            found.setdefault((number, nth), []).append(k)
        # the position of a collective in the order of the group: its Seq, or else its start
        places = {key: c[0].args.get("Seq", c[0].start if free else min(k.start for k in c))
                  for key, c in found.items()}
        spans = {}
        for key, c in found.items():
            for k in c:
                spans.setdefault(k.rank, []).append(places[key])
        want += [row(c, places[key], spans, here, free, by_id) for key, c in found.items()]
    return want


def missing(ranks, members, place, spans, here):
    out = []
    for rank in ranks:
        if rank not in {k.rank for k in members}:
            own = spans.get(rank, [])
            why = "lost" if rank not in here else "absent" if not own or min(own) < place < max(own) else \
                "before" if min(own) > place else "after"
            out.append({"rank": rank, "why": why})
    return out


def row(members, place, spans, here, free, by_id):
    """Returns the record of a collective."""
    first, n = members[0], len(members)
    op = NAMES.get(first.args["Collective name"], first.args["Collective name"])
    start = min(k.start for k in members)
    end = max(k.start + k.dur for k in members)
    found = {"ts": first.ts if free else start, "dur": first.dur if free else end - start, "kind": "collective",
             "name": op, "group": first.group[0], "ranks": list(first.ranks),
             "match": "id" if by_id else "seq", "seq": first.args.get("Seq"), "n": n, "size": len(first.ranks),
             "dtype": first.args.get("dtype"), "clock": f"rank {first.rank}" if free else None}
    lost = missing(first.ranks, members, place, spans, here)
    if lost:
        found["missing"] = lost
    latency, last = min(k.dur for k in members), max(k.start for k in members)
    waits = [k.dur - latency if free else last - k.start for k in members]
    if n > 1:
        late, early = waits.index(min(waits)), waits.index(max(waits))
        total = sum(float(k.dur) for k in members)
        share = sum(map(float, waits)) / total if total else None
        skew_end = end - min(k.start + k.dur for k in members)
        unclear = lost or free or skew_end > latency or share is None
        found.update(aligned=not free, skew_start=max(waits), first=members[early].rank, last=members[late].rank,
                     late=min(w for i, w in enumerate(waits) if i != late), latency=latency, share=share)
        found["class"] = "inconclusive" if unclear else "skew" if share >= 0.7 else "transfer" if share <= 0.3 else \
            "mixed"
        found.update({} if free else {"skew_end": skew_end, "transfer": end - last})
        found.update(bandwidths(members, op, latency, found["dur"], free))
    found["members"] = []
    for k, wait in zip(members, waits):
        m = {"rank": k.rank, "ts": k.ts, "dur": k.dur, "wait": wait if n > 1 else None, "dev": k.r.get("dev"),
             "stream": k.r.get("stream"), "corr": k.corr}
        found["members"].append({name: v for name, v in m.items() if v is not None})
    return {name: v for name, v in found.items() if v is not None}


def bandwidths(members, op, latency, dur, free):
    parts = [k.bytes(op) for k in members]
    if None in parts:
        return {}
    if op != "all_to_allv":
        size = max(parts)
        ratio = factor(op, len(members[0].ranks))
        if not size or not latency or ratio is None:
            return {"bytes": size}
        return {"bytes": size, "algbw": size / latency, "busbw": size / latency * ratio}
    inputs = [k.args["In msg nelems"] for k in members]
    found = {"bytes": min(sum(parts), nasty.MOST)}
    if sum(inputs):
        found["imbalance"] = max(inputs) / (sum(map(float, inputs)) / len(inputs))
    if sum(parts) and dur > 0 and not free:
        found["throughput"] = float(found["bytes"]) / dur
    return found


def rounded(r):
    """Rounds the figures that are doubles, because they may be added in another order."""
    doubles = ("share", "algbw", "busbw", "throughput", "imbalance")
    return {m: f"{float(v):.10g}" if m in doubles else v for m, v in r.items() if m not in ("id", "gid")}


def nasty_trace():
    t = nasty.Trace(odd_times=0)
    t.base = random.choice([0, -30, 1712195736004644183, 2**53])
    texts = [x for x in t.texts if x != b'""']
    numbers = random.choice(["Seq", "Seq", "Comms Id", "both"])
    ranks = list(range(random.choice([2, 3, 5])))
    groups = [(random.choice(texts), sorted(random.sample(ranks + [9], random.choice([2, len(ranks)]))))
              for _ in range(random.choice([1, 2, 4]))]
    lines = []
    for rank in ranks:
        lines.append(t.line({"kind": b'"meta"', "name": b'"baseTimeNanoseconds"', "rank": b"%d" % rank,
                             "args": b'{"value":%d}' % random.choice([0, 5, 10**18, -7])}))
    for _ in range(random.choice([1, 10, 60])):
        name, list_ = random.choice(groups)
        rank = random.choice([x for x in list_ if x != 9])
        args = {"Collective name": random.choice([b'"%s"' % x.encode() for x in NAMES] + texts),
                "Process Group Name": name, "Process Group Ranks": b'"%s"' % str(list_).encode(),
                "In msg nelems": random.choice([b"0", b"1000", b"7", b"4611686018427387904", b"18446744073709551616"]),
                "Out msg nelems": random.choice([b"0", b"1000", b"null", b"-5", b'"8"']),
                "dtype": random.choice([*(b'"%s"' % x.encode() for x in DTYPES), random.choice(texts)])}
        if numbers != "Comms Id":
            args["Seq"] = random.choice([b"%d", b"%d", b'"%d"']) % random.randrange(6)
        if numbers != "Seq":
            args["Comms Id"] = random.choice([b"5", b'"5"', b'"\\u0035"', b'"05"', b"18446744073709551615",
                                              b'"18446744073709551616"', b'"NUL\\u0000"', b'"\xff"', b"9"])
        r = {"ts": b"%d" % t.at(), "dur": b"%d" % random.choice([0, 1, 5, t.spread, random.randint(0, 300), -4]),
             "kind": b'"kernel"', "name": random.choice(t.texts), "rank": b"%d" % rank,
             "args": b"{" + b",".join(b'"%s":%s' % (m.encode(), v) for m, v in args.items()) + b"}"}
        t.sometimes(r, dev=random.choice([b"0", b"1"]), stream=random.choice([b"7", b"18446744073709551617"]),
                    corr=random.choice([b"5", b"6"]), pid=random.choice(t.pids))
        lines += [t.line(r)] * random.choice([1] * 9 + [2])
    random.shuffle(lines)
    records = [nasty.read(line) for line in lines]
    for r in records:
        for m, v in (r.get("args") or {}).items():
            if m in ("Seq", "In msg nelems", "Out msg nelems") and isinstance(v, str):
                r["args"][m] = int(v)  # an integer in a text is an integer
        if isinstance((r.get("args") or {}).get("Comms Id"), int):
            r["args"]["Comms Id"] = str(r["args"]["Comms Id"])
    free = random.random() < 0.4
    command = ["coll-join", "--clocks", "free" if free else "raw"]
    got, messages, status = nasty.run(command, lines)
    differences = []
    if [r.get("id") for r in got] != list(range(len(got))):
        differences.append("the collectives are not numbered")
    if [r["ts"] for r in got] != sorted(r["ts"] for r in got):
        differences.append("the collectives are not in the order of ts")
    gids = {(r["gid"], r["group"], tuple(r["ranks"])) for r in got}
    if not len(gids) == len({x[0] for x in gids}) == len({x[1:] for x in gids}):
        differences.append(f"groups are not numbered: {gids}")
    differences += nasty.compare_sets(list(map(rounded, got)), [rounded(r) for r in model(records, free)])
    if status > 1:
        differences.append(f"status {status}: {messages}")
    return command, differences


sys.exit(nasty.count_wrong(sys.argv[2:], nasty_trace))
