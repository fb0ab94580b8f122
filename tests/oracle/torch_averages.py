#!/usr/bin/env python3
"""Self times as PyTorch's tables count them, compared with those of call-tree --crossing=sibling.

usage: torch_averages.py random|TRACE...
The operators of a thread are sorted by start, and by descending duration. The parent of an operator is the last
preceding operator that has not ended when it begins and does not end before it. Preceding operators that do not qualify
are not parents of later operators either. Self time is the duration minus the durations of the direct children. Times
are also truncated to whole microseconds, as older versions write them, which makes calls cross.
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
            while around:
                parent_end = around[-1]["ts"] + around[-1]["dur"]
                if r["ts"] < parent_end and end <= parent_end:
                    break
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
        rows = [dict(ts=random.randrange(3000), dur=random.randrange(200) ** 2 // 200, kind="op",
                     name="n%d" % random.randrange(50), pid=1, tid=random.randrange(3)) for i in range(3000)]
    else:
        command = "trace2ndjson '%s' 2>/dev/null | filter-calls -k op,api,range,python -w dur -w '!clock'" % path
        run = subprocess.run(command, shell=True, stdout=subprocess.PIPE)
        rows = [json.loads(line) for line in run.stdout.splitlines()]
    for whole in (1, 1000, 5000) if path == "random" else (1, 1000):
        cut = [dict(r, ts=r["ts"] // whole, dur=max(r["dur"], 0) // whole) for r in rows]
        text = "".join(json.dumps(r) + "\n" for r in cut)
        run = subprocess.run("ts-sort | call-tree --crossing=sibling -r op,api,range,python | "
                             "groupby -g name -f self -a count,sum -o ndjson",
                             shell=True, input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        got = {r["name"]: (r["count"], r["self_sum"]) for r in map(json.loads, run.stdout.splitlines())}
        crossed += b"overlaps an earlier call" in run.stderr
        want = table(cut)
        if got != want:
            print(path, whole, [(name, got.get(name), want[name]) for name in want if got.get(name) != want[name]][:3])
print(crossed > 0)
