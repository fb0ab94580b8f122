#!/usr/bin/env python3
"""Self time as PyTorch's table counts it, against call-tree --crossing=sibling.

usage: torch_averages.py random|TRACE...
On a thread, sorted by start and the longer first, an operator's parent is the last preceding one that has not ended
when it begins and does not end before it; any other is no parent of later ones either. Self time is the duration
without that of the direct children. Times are also cut to whole microseconds, as older versions write them: cut times
make calls cross.
"""
import collections, json, random, subprocess, sys
def table(rows):
    threads, self_time, calls = collections.defaultdict(list), collections.Counter(), collections.Counter()
    for r in rows:
        threads[r.get("pid"), r.get("tid")].append(r)
    for thread in threads.values():
        around = []
        for r in sorted(thread, key=lambda r: (r["ts"], -r["dur"])):
            end = r["ts"] + r["dur"]
            while around and (r["ts"] >= around[-1]["ts"] + around[-1]["dur"] or end > around[-1]["ts"] + around[-1]["dur"]):
                around.pop()
            if around:
                self_time[around[-1]["name"]] -= r["dur"]
            self_time[r["name"]] += r["dur"]
            calls[r["name"]] += 1
            around.append(r)
    return {name: (calls[name], self_time[name]) for name in calls}
crossed = 0
for path in sys.argv[1:]:
    if path == "random":
        random.seed(13)
        rows = [dict(ts=random.randrange(3000), dur=random.randrange(200) ** 2 // 200, kind="op", name="n%d" % random.randrange(50),
            pid=1, tid=random.randrange(3)) for i in range(3000)]
    else:
        run = subprocess.run("trace2ndjson '%s' 2>/dev/null | filter-calls -k op,api,range,python -w dur -w '!clock'" % path, shell=True, stdout=subprocess.PIPE)
        rows = [json.loads(line) for line in run.stdout.splitlines()]
    for whole in (1, 1000, 5000) if path == "random" else (1, 1000):
        cut = [dict(r, ts=r["ts"] // whole, dur=max(r["dur"], 0) // whole) for r in rows]
        text = "".join(json.dumps(r) + "\n" for r in cut)
        run = subprocess.run("ts-sort | call-tree --crossing=sibling -r op,api,range,python | groupby -g name -f self -a count,sum -o ndjson",
            shell=True, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        got = {r["name"]: (r["count"], r["self_sum"]) for r in map(json.loads, run.stdout.splitlines())}
        crossed += b"overlaps an earlier call" in run.stderr
        want = table(cut)
        if got != want:
            print(path, whole, [(name, got.get(name), want[name]) for name in want if got.get(name) != want[name]][:3])
print(crossed > 0)
