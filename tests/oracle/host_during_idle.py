#!/usr/bin/env python3
"""Compares gpu-gaps --host with the innermost records at every instant of the idle time.

usage: host_during_idle.py RECORDS [OPTION...]
       host_during_idle.py --random N           on N traces made at random, with several values of --memory
"""
import bisect, itertools, json, subprocess, sys

from traces import count_wrong_traces

LEVELS = {"all": ["rank"], "dev": ["rank", "dev"], "stream": ["rank", "dev", "stream"]}
KINDS = {"op": ("op", "api"), "api": ("api",), "range": ()}


def idle_intervals(work, begin):
    """Yields (start, end, next work) for the intervals that end with work launched after they had begun.

    begin is None, or the index and the ts of the record with which the intervals begin, and the index of the first work
    of the rank; it is () if there is no such record.
    """
    end = None
    for w in sorted(work, key=lambda w: w["ts"]):
        launch = w.get("api", {}).get("ts")
        since = end
        if begin is not None and (not begin or w["index"] < begin[0]):
            since = None  # not begun
        elif begin and since is None and w["index"] == begin[2]:
            since = begin[1]
        if since is not None and w["ts"] > since and launch is not None and launch > since:
            start = max(since, begin[1]) if begin else since
            if start < w["ts"]:
                yield start, w["ts"], w
        end = max(w["ts"] + max(0, w.get("dur", 0)), w["ts"] if end is None else end)


def innermost(records, at):
    """Returns the name of the last, shortest, last read record that runs at a time, or None."""
    found = [(r["ts"], -r["dur"], i) for i, r in enumerate(records) if r["ts"] <= at < r["ts"] + r["dur"]]
    return records[max(found)[2]].get("name") if found else None


class Records:
    """Records in the order of their starts, of which those that overlap an interval are found fast."""

    def __init__(self):
        self.list, self.starts, self.ends = [], [], []

    def add(self, r):
        self.list.append(r)
        self.starts.append(r["ts"])
        end = r["ts"] + r["dur"]
        self.ends.append(max(end, self.ends[-1]) if self.ends else end)  # the latest end so far

    def overlapping(self, start, end):
        first, last = bisect.bisect_right(self.ends, start), bisect.bisect_left(self.starts, end)
        return [r for r in itertools.islice(self.list, first, last) if r["ts"] + r["dur"] > start]


def merged(parts):
    """Joins neighbouring parts with the same names."""
    list_ = []
    for start, end, *names in parts:
        if list_ and list_[-1][1] == start and list_[-1][2:] == names:
            list_[-1][1] = end
        else:
            list_.append([start, end, *names])
    return list_


def compare(file, level, host, *options):
    events = [e for e in map(json.loads, open(file)) if "clock" not in e and "ts" in e]
    begins = {}
    for i, e in enumerate(events):
        e["index"] = i
        if "--within" in options and e["kind"] == "range" and e["name"].startswith("step"):
            begins.setdefault(e.get("rank"), (i, e["ts"]))
    for e in events:
        if e["kind"] in ("kernel", "memcpy", "memset") and len(begins.get(e.get("rank"), ())) == 2:
            begins[e.get("rank")] += (e["index"],)
    threads, processes, places = {}, {}, {}
    for e in events:
        if e["kind"] in ("kernel", "memcpy", "memset"):
            places.setdefault(tuple(e.get(k) for k in LEVELS[level]), []).append(e)
        elif e["kind"] in KINDS[host] and e.get("dur", 0) > 0:
            threads.setdefault((e.get("rank"), e["pid"], e["tid"]), Records()).add(e)
        elif e["kind"] == "range" and e.get("dur", 0) > 0:
            processes.setdefault((e.get("rank"), e["pid"]), Records()).add(e)
    want = {}
    for place, work in places.items():
        for start, end, w in idle_intervals(work, begins.get(place[0], ()) if "--within" in options else None):
            thread = (w.get("rank"), w["api"].get("pid"), w["api"].get("tid"))
            mine = threads.get(thread, Records()).overlapping(start, end)
            ranges = processes.get(thread[:2], Records()).overlapping(start, end)
            points = {t for r in mine + ranges for t in (r["ts"], r["ts"] + r["dur"]) if start < t < end}
            points = sorted(points | {start, end})
            want.setdefault(place, []).extend(
                [a, b, innermost(mine, a) or ("(no call)" if host != "range" and thread[2] is not None else None),
                 innermost(ranges, a), w["name"], *thread[1:]] for a, b in zip(points, points[1:]))
    run = subprocess.run(["gpu-gaps", "--quiet", "--per", level, "--host", host, *options, file],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    got = {}
    for r in map(json.loads, run.stdout.splitlines()):
        got.setdefault(tuple(r.get(k) for k in LEVELS[level]), []).append(
            [r["ts"], r["ts"] + r["dur"], r.get("host"), r.get("range"), r["next"], r.get("pid"), r.get("tid")])
    got = {place: merged(parts) for place, parts in got.items()}
    want = {place: merged(parts) for place, parts in want.items()}
    if got == want:
        return 0
    for place in set(got) | set(want):
        for a, b in zip(got.get(place, []) + [None], want.get(place, []) + [None]):
            if a != b:
                print(file, level, host, place, "got", a, "expected", b)
                break
    return 1


CASES = [("all", "op", "--memory=0"), ("dev", "api"), ("stream", "range"), ("stream", "op", "--memory=0"),
         ("dev", "op", "--within", "^step"), ("all", "op", "--within", "^step"), ("stream", "api", "--within", "^step")]
if sys.argv[1] == "--random":
    sys.exit(count_wrong_traces(int(sys.argv[2]), lambda file: sum(compare(file, *case) for case in CASES)) > 0)
sys.exit(compare(sys.argv[1], "dev", "op", *sys.argv[2:]) > 0)
