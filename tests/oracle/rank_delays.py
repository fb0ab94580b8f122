#!/usr/bin/env python3
"""Makes the two inputs of rank-delays for a random job (make SEED RANKS COLLECTIVES), or compares its output with the
definitions of rank-delays(1) (check RANKS COLLECTIVES OUT): the lateness of a set from the starts of all members."""
import json
import random
import sys

OPS = ("all_reduce", "all_gather", "reduce_scatter", "broadcast")


def make(seed, ranks_path, path):
    r = random.Random(int(seed))
    n, steps = r.choice((4, 6, 8)), r.randint(1, 5)
    groups = {"w": list(range(n)), "a": [0, 1], "b": [2, 3], "c": sorted(r.sample(range(n), 3))}
    with open(ranks_path, "w") as f:
        for rank in range(n):
            for step in range(steps + r.randint(0, 1)):   # some ranks have one step more
                w = {"ts": 1000 * step, "dur": 1000, "kind": "job/window", "rank": rank, "step": step, "world": n,
                     "host": f"h{rank // 2}", "compute_time": r.randint(100, 500), "comm_only": 400}
                print(json.dumps(w), file=f)
            for g, members in groups.items():
                if rank in members:
                    row = {"rank": rank, "group": g, "list": str(members), "desc": "dp" if g == "c" else ""}
                    print(json.dumps(row), file=f)
    with open(path, "w") as f:
        for i in range(60):
            g = r.choice(list(groups))
            here = [x for x in groups[g] if r.random() < .9]
            if len(here) < 2:
                continue
            at = r.randint(0, 1000 * steps - 300)
            starts = {x: at + r.randint(0, 200) for x in here}
            last = max(starts.values())
            members = [{"rank": x, "ts": s, "dur": last + 50 - s, "wait": last - s} for x, s in starts.items()]
            print(json.dumps({"ts": at, "dur": 300, "kind": "collective", "name": r.choice(OPS), "group": g,
                              "ranks": groups[g], "aligned": r.random() < .9, "n": len(here), "size": len(groups[g]),
                              "latency": 50, "match": "seq", "members": members}), file=f)


def read(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def check(ranks_path, path, out_path):
    rows, out = read(ranks_path), read(out_path)
    windows = [w for w in rows if "step" in w]
    n = windows[0]["world"]
    have = [{w["step"] for w in windows if w["rank"] == r} for r in range(n)]
    steps = sorted(set.intersection(*have))
    sets = [r for r in out if r["kind"] == "rank-delays/set" and r["set"] != "stage"]
    assert {tuple(s["ranks"]) for s in sets} >= {(r,) for r in range(n)} | {(0, 1), (2, 3)}
    collectives = [c for c in read(path) if c["aligned"] and c["name"] != "broadcast"]
    for s in sets:
        members, late = set(s["ranks"]), {}
        for c in collectives:
            own = [m for m in c["members"] if m["rank"] in members]
            others = [m["ts"] for m in c["members"] if m["rank"] not in members]
            if not own or not others:
                continue
            latest = max(c["members"], key=lambda m: m["ts"])["ts"]
            step = latest // 1000
            if step in steps:
                key = c["group"], step
                late[key] = late.get(key, 0) + max(0, max(m["ts"] for m in own) - max(others))
        cost = sum(max([v for (g, t), v in late.items() if t == step], default=0) for step in steps) / len(steps)
        assert abs(s["late"] - cost) <= .5, (s, cost)
    named = [r for r in out if r["kind"] == "rank-delays/job"][0]
    assert named["n_steps"] == len(steps) and named["n_ranks"] == n
    most = max(s["late"] for s in sets)
    assert ("name" not in named) == (most * 50 < named["dur"]), named
    for r in (r for r in out if r["kind"] == "rank-delays/step"):
        wait = sum(max(0, min(m["ts"] + m["wait"], 1000 * r["step"] + 1000) - max(m["ts"], 1000 * r["step"]))
                   for c in read(path) for m in c["members"] if m["rank"] == r["rank"])
        assert r["wait_sync"] == wait, (r, wait)
    print("as defined")


{"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
