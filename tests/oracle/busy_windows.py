#!/usr/bin/env python3
"""Compares gpu-busy --within, --by-launch and --whole with sums over the instants between all starts and ends.

usage: busy_windows.py RECORDS REGEX
       busy_windows.py --random N      on N traces made at random, each with several ranks, devices and streams
"""
import bisect, json, re, subprocess, sys

from traces import count_wrong_traces, kernel_type

LEVELS = {"all": ["rank"], "dev": ["rank", "dev"], "stream": ["rank", "dev", "stream"]}
ONLY = {"COMPUTATION": "compute_time", "COMMUNICATION": "comm_only", "MEMORY": "memory_only", "OTHER": "other_only"}
PARTS = [*ONLY.values(), "host_wait", "launched_wait", "unknown_wait", "after_work"]
WAIT = 30000


def ranges_of(events, work, regex):
    """Returns the ranges of each rank, without those at the end in which nothing is launched."""
    ranges = {}
    for e in events:
        if e.get("kind") == "range" and "clock" not in e and re.search(regex, e.get("name", "")):
            ranges.setdefault(e.get("rank"), []).append(e)
    for rank, list_ in ranges.items():
        launches = [min(t for t in (w["ts"], w["launch"]) if t is not None) for w in work if w["rank"] == rank]
        while len(list_) > 1 and launches and max(launches) < list_[-1]["ts"]:
            list_.pop()
            list_[-1]["takes_all"] = True  # no later work is launched
    return ranges


def windows_of(events, work, regex):
    """Returns, for each rank, a list of [start, end, name] in order."""
    windows = {}
    for rank, list_ in ranges_of(events, work, regex).items():
        starts = [e["ts"] for e in list_]
        last = starts[-1] + list_[-1]["dur"]
        end = max([last] + [w["end"] for w in work if w["rank"] == rank and (
            "takes_all" in list_[-1] or min(t for t in (w["ts"], w["launch"]) if t is not None) < last)])
        windows[rank] = list(zip(starts, starts[1:] + [end], [e.get("name") for e in list_]))
    return windows


def windows_by_launch(ranges, work):
    """Returns the windows of a device; None if a stream has work without calls that is not work before the first step.

    A step begins at the start of its range, or at the end of all work of the device that was launched before, if later.
    """
    hosts = [e["ts"] for e in ranges] + [ranges[-1]["ts"] + ranges[-1]["dur"]]
    streams = {}
    launches = []
    for w in work:
        known = streams[w["dev"], w["stream"]] = streams.get((w["dev"], w["stream"])) or w["launch"] is not None
        launches.append(-1e9 if not known else w["ts"] if w["launch"] is None else min(w["ts"], w["launch"]))
    ends = [max([h] + [w["end"] for w, l in zip(work, launches) if l < h]) for h in hosts]
    if "takes_all" in ranges[-1]:
        ends[-1] = max([ends[-1]] + [w["end"] for w in work])
    begun = [sum(e["ts"] <= w["ts"] for e in ranges) for w, l in zip(work, launches) if l == -1e9]
    late = [w for w in work if max(begun, default=0) > 16 or not streams[w["dev"], w["stream"]] and w["end"] >= ends[1]]
    if late or not any(streams.values()):
        return None
    return list(zip(ends, ends[1:], [e.get("name") for e in ranges]))


def rules_of(ranges, work, key):
    """Returns for each rank: whether kernels start late, their mean lag, its windows by launch, or None."""
    rules = {}
    for rank, list_ in ranges.items():
        own = [w for w in work if w["rank"] == rank]
        lags = [w["ts"] - w["launch"] for w in own if w["waits"]]
        clocks = {}
        for w in own:
            clocks.setdefault(tuple(w[k] for k in key[:2]), []).append(w)
        clocks = {at: windows_by_launch(list_, c) for at, c in clocks.items()}
        length = list_[-1]["ts"] + list_[-1]["dur"] - list_[0]["ts"]
        late = bool(lags) and sum(lags) * 5 * len(list_) >= length * len(lags)
        rules[rank] = late, int(sum(lags) / len(lags)) if lags else None, clocks if all(clocks.values()) else None
    return rules


def whole_of(work):
    ranks = {w["rank"] for w in work}
    spans = {r: [w for w in work if w["rank"] == r] for r in ranks}
    return {r: [(min(w["ts"] for w in l), max(w["end"] for w in l), None)] for r, l in spans.items()}


def answer(work, windows, first):
    """Returns the record of each window for the work of one place."""
    starts = sorted(w["ts"] for w in work)
    by_start = {}
    for w in work:
        by_start.setdefault(w["ts"], w)
    points = sorted({t for w in work for t in (w["ts"], w["end"])} | {t for w in windows for t in w[:2]})
    order = sorted(work, key=lambda w: w["ts"])
    running, i = [], 0
    rows = [dict.fromkeys(["count", "busy", "comm_time", "memory_time", "other_time", "overlap_time", "concurrent",
                           "kernel_wait", "other_wait", "pauses", *PARTS], 0) | {"sm": 0.0} for _ in windows]
    for n, (row, (start, end, _)) in enumerate(zip(rows, windows)):
        last = n + 1 == len(windows)  # work of no length may start at its end
        row["count"] = (bisect.bisect_right if last else bisect.bisect_left)(starts, end)
        row["count"] -= bisect.bisect_left(starts, start)
    row, idle_from = 0, first
    for here, there in zip(points, points[1:]):
        while i < len(order) and order[i]["ts"] <= here:
            running.append(order[i])
            idle_from = max(idle_from, order[i]["end"]) if i else order[i]["end"]
            i += 1
        running = [w for w in running if w["end"] > here]
        while row < len(windows) and windows[row][1] <= here:
            row += 1
        if row == len(windows) or not windows[row][0] <= here:
            continue
        r, time = rows[row], there - here
        types = {w["type"] for w in running}
        for type_, name in ONLY.items():
            if type_ in types:
                r[name] += time
                break
        r["busy"] += time if types else 0
        for type_, name in (("COMMUNICATION", "comm_time"), ("MEMORY", "memory_time"), ("OTHER", "other_time")):
            r[name] += time if type_ in types else 0
        r["overlap_time"] += time if {"COMPUTATION", "COMMUNICATION"} <= types else 0
        r["concurrent"] += time if len({(w["dev"], w["stream"]) for w in running}) > 1 else 0
        r["sm"] += time * min(1, sum(w["blocks"] for w in running))
        if types:
            continue
        at = bisect.bisect_left(starts, there)
        if at == len(starts):
            cause = "after_work"
        else:
            launch = by_start[starts[at]]["launch"]
            cause = "unknown_wait" if launch is None else "host_wait" if launch > idle_from else "launched_wait"
        r[cause] += time
        if cause != "host_wait":
            r["pauses"] += time
            r["kernel_wait" if cause != "after_work" and starts[at] - idle_from < WAIT else "other_wait"] += time
    return rows


def compare(file, regex):
    events = [json.loads(line) for line in open(file)]
    work = []
    for e in events:
        if e.get("kind") not in ("kernel", "memcpy", "memset") or "clock" in e or "ts" not in e:
            continue
        blocks = e.get("args", {}).get("blocks per SM") if e["kind"] == "kernel" else None
        work.append({"ts": e["ts"], "end": e["ts"] + max(0, e.get("dur", 0)), "launch": e.get("api", {}).get("ts"),
                     "type": kernel_type(e.get("name", "")) if e["kind"] == "kernel" else "MEMORY",
                     "rank": e.get("rank"), "dev": e.get("dev"), "stream": e.get("stream"), "blocks": blocks or 0,
                     "counts": blocks is not None, "waits": e["kind"] == "kernel" and "ts" in e.get("api", {}) and
                     "GraphLaunch" not in e["api"].get("name", "")})
    bad = 0
    for level, key in LEVELS.items():
        steps, ranges = windows_of(events, work, regex), ranges_of(events, work, regex)
        rules = rules_of(ranges, work, key)
        for options, windows in ((["--within", regex], steps), (["--by-launch", "--within", regex], steps),
                                 (["--whole"], whole_of(work))):
            run = subprocess.run(["gpu-busy", "--per", level, *options, file], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, check=False)
            got = {}
            for r in map(json.loads, run.stdout.splitlines()):
                place = tuple(r.get(k) for k in key)
                if sum(r[part] for part in PARTS) != r["dur"]:
                    print(level, options, "the parts do not sum to the window:", r)
                    bad += 1
                got.setdefault(place, []).append(r)
            places = {}
            for w in work:
                if w["rank"] in windows:
                    places.setdefault(tuple(w[k] for k in key), []).append(w)
            if sorted(map(str, got)) != sorted(map(str, places)) or run.returncode != (not places):
                print(level, options, "places", sorted(map(str, got)), sorted(map(str, places)), run.returncode)
                bad += 1
                continue
            for place, list_ in places.items():
                mine, first = windows[place[0]], windows[place[0]][0][0]
                rule = lag = None
                if options[0] != "--whole":
                    late, lag, clocks = rules[place[0]]
                    rule = "mixed" if late and not clocks else "host"
                    if clocks and (late or options[0] == "--by-launch"):
                        rule, mine = "launch", clocks[place[:2]]
                wanted = answer(list_, mine, first)
                for (start, end, name), want, r in zip(mine, wanted, got[place]):
                    want |= {"ts": start, "dur": end - start} | ({"steps": rule} if rule else {})
                    want |= {"lag": lag} if lag is not None else {}
                    if name is not None:
                        want["name"] = name
                    share = want.pop("sm") / max(1, end - start)
                    if any(w["counts"] for w in list_) and end > start and abs(r["sm_share"] - share) > 1e-7:
                        print(level, options, place, name, "sm_share", r["sm_share"], "expected", share)
                        bad += 1
                    wrong = {k: (r.get(k), want[k]) for k in want if r.get(k) != want[k]}
                    if wrong:
                        print(level, options, place, name, "got and expected", wrong)
                        bad += 1
                bad += len(got[place]) != len(mine)
    return bad


if sys.argv[1] == "--random":
    sys.exit(count_wrong_traces(int(sys.argv[2]), lambda file: compare(file, "^step")) > 0)
sys.exit(compare(sys.argv[1], sys.argv[2]) > 0)
