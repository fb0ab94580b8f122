#!/usr/bin/env python3
"""Checks the output of corr-join, computed again from dictionaries of all calls.

usage: joined.py RECORDS JOINED [sorted [LEAD]]
       joined.py --random N [FIRST]     runs corr-join on N traces of nasty_traces.py

Prints the expected messages of --report, the expected number of calls that came too late, and the first differences.
"""
import random
import sys

import nasty_traces as nasty

HORIZON = 10_000_000_000


def corr(r):
    id = nasty.whole(r.get("corr"))
    return id if id is not None and id != -1 and nasty.LEAST <= id <= nasty.MOST else None


class Model:
    """The joined records, in the expected order, and the counts."""

    def __init__(self, records, by_ts, lead=0, horizon=HORIZON):
        self.records, self.by_ts, self.lead, self.horizon = records, by_ts, lead, horizon
        self.count = {"matched": 0, "callless": 0, "ambiguous": 0, "idless": 0}
        self.calls, self.used, self.passed = {}, set(), []
        for at, r in enumerate(records):
            if r.get("kind") == "api" and corr(r) is not None:
                self.calls.setdefault((nasty.same(r.get("rank")), corr(r)), []).append((at, r))
        self.want = self.in_order()
        repeated = sum(map(self.repeated, self.calls.values()))
        n_calls = sum(len(c) for c in self.calls.values())
        self.report = ["corr-join: device records: "
                       "{matched} matched, {callless} without a call, {ambiguous} ambiguous, "
                       "{idless} without corr".format(**self.count),
                       f"corr-join: calls: {n_calls} with corr, {n_calls - len(self.used)} without a device record, "
                       f"{repeated} duplicates"]

    def repeated(self, calls):
        """Returns how many calls have the process of an earlier one, which in ts order is forgotten after a time."""
        last, n = {}, 0
        for _, r in calls:
            process, ts = nasty.same(r.get("pid")), nasty.time(r)
            n += process in last and not (self.by_ts and ts - last[process] > self.horizon + self.lead)
            last[process] = ts
        return n

    def nearest(self, found, r):
        """Returns the nearest call, the earlier of two; of calls with one ts, the last before r or the first after r.

        If r or all calls have no time, it is the last call.
        """
        timed = [c for c in found if nasty.has_time(c[1])]
        if not nasty.has_time(r) or not timed:
            return found[-1]
        ts = nasty.time(r)
        return min(timed, key=lambda c: (abs(ts - nasty.time(c[1])), nasty.time(c[1]) > ts,
                                         c[0] if nasty.time(c[1]) > ts else -c[0]))

    def is_far(self, call, r):
        timed = nasty.has_time(call[1]) and nasty.has_time(r)
        return timed and abs(nasty.time(call[1]) - nasty.time(r)) > self.horizon

    def choose(self, found, at, r):
        """Returns the calls with the id of r that may be its call, the chosen one, and the call for which r waited.

        A record that waited is written after that call, or at the end if it is None; -1: the record did not wait.
        """
        if self.by_ts:
            ts = nasty.time(r)
            before = [c for c in found if nasty.time(c[1]) <= ts <= nasty.time(c[1]) + self.horizon]
            after = [c for c in found if ts < nasty.time(c[1])]
            if not before and after and self.lead < nasty.time(after[0][1]) - ts <= self.horizon:
                self.passed.append(nasty.time(after[0][1]) - ts)
            after = [c for c in after if nasty.time(c[1]) <= ts + self.lead]
            return (before or after), (before[-1:] or after[:1] or [None])[0], -1
        # A record is joined at once if a call that was read before it is at most the horizon away. Otherwise it waits
        # until such a call is read or the input ends. It is then joined with the nearest of all calls read so far.
        known = [c for c in found if c[0] < at]
        near = [c for c in found if c[0] > at and not self.is_far(c, r)]
        if not known or self.is_far(self.nearest(known, r), r):
            known = [c for c in found if not near or c[0] <= near[0][0]]
            return found, self.nearest(known, r) if known else None, near[0][0] if near else None
        return found, self.nearest(known, r), -1

    def joined(self, at, r):
        """Returns the expected record, and the index of the call for which it waited; see choose()."""
        if corr(r) is None:
            self.count["idless"] += 1
            return r, -1
        found = [c for c in self.calls.get((nasty.same(r.get("rank")), corr(r)), [])
                 if r.get("pid") is None or nasty.same(c[1].get("pid")) == nasty.same(r["pid"])]
        found, one, waited = self.choose(found, at, r)
        if not found:
            self.count["callless"] += 1
            return r, waited
        if len({nasty.same(c[1].get("pid")) for c in found}) > 1:
            self.count["ambiguous"] += 1
            return r, waited
        place, call = one
        is_timed = nasty.has_time(call)
        self.count["matched"] += 1
        self.used.add(place)
        want = dict(r)
        want["api"] = {m: call[m] for m in ("name", "ts", "dur", "pid", "tid") if call.get(m) is not None}
        want["api"].update(ts=nasty.time(call) if is_timed else None, dur=nasty.time(call, "dur"))
        want["api"] = {m: v for m, v in want["api"].items() if v is not None}
        if is_timed and nasty.has_time(r):
            delay = nasty.time(r) - nasty.time(call)
            queue = delay - max(nasty.time(call, "dur") or 0, 0)
            if nasty.LEAST <= delay <= nasty.MOST:
                want["delay"] = delay
                if nasty.time(call, "dur") is not None and queue >= 0:
                    want["queue"] = queue
        for m in call:
            if m not in nasty.STANDARD and m not in ("api", "delay", "queue") and call[m] is not None:
                want[m] = call[m]
        return want, waited

    def in_order(self):
        """Returns the expected records in the expected order."""
        is_device = [r.get("kind") in nasty.DEVICE for r in self.records]
        made = [self.joined(at, r) if is_device[at] else (r, -1) for at, r in enumerate(self.records)]
        following, order = {}, []
        for r, waited in made:
            following.setdefault(waited, []).append(r)
        for at, (r, waited) in enumerate(made):
            order += ([r] if waited == -1 else []) + following.get(at, [])
        return order + following.get(None, [])


def nasty_calls(by_ts, blind):
    """Returns lines with calls and device records of few ids. In ts order, only other records lack a time."""
    t = nasty.Trace()
    lines = []
    for _ in range(random.choice([1, 5, 40, 120])):
        kind = random.choice(["api", "api", "kernel", "kernel", "memcpy", "sync", "op"])
        t.odd_times = 0 if by_ts and kind != "op" else 0.04
        r = {**t.times(), "kind": b'"%s"' % kind.encode(), "name": random.choice(t.texts)}
        t.place(r)
        if kind not in ("api", "op") and not blind:
            r["pid"] = random.choice(t.pids)
        elif kind not in ("api", "op") and random.random() < 0.7:
            r.pop("pid", None)
        t.sometimes(r, dev=random.choice(t.devs), stream=random.choice(t.streams))
        if random.random() < 0.95:
            r["corr"] = b"%d" % random.randrange(-1, t.ids)
        if random.random() < 0.05:
            r["corr"] = random.choice([b"5.0", b"1e0", b'"1"', b"18446744073709551617", b"1.5", b"null", b"[1]"])
        t.decorate(r)
        if by_ts and kind != "op":
            r.pop("clock", None)
        lines.append(t.line(r))
    return nasty.in_ts_order(lines) if by_ts else lines


def nasty_trace():
    by_ts = random.random() < 0.5
    lead, horizon = (random.choice([0, 0, 3, 30]) if by_ts else 0), random.choice([HORIZON, HORIZON, 1, 5, 40])
    # If calls can be read too late to find out that a record without pid is ambiguous, all records have a pid.
    lines = nasty_calls(by_ts, by_ts and not lead and random.random() < 0.5)
    records = [r for r in map(nasty.read, lines) if not nasty.is_lost(r)]
    command = ["corr-join", "--report", "--horizon", str(horizon), "--memory", random.choice(["0", "64kB", "256MiB"])]
    command += ["--sorted", "--lead", str(lead)] if by_ts else []
    m = Model(records, by_ts, lead, horizon)
    got, messages, status = nasty.run(command, lines)
    differences = nasty.compare(got, m.want)
    report = [line for line in messages if line.startswith(("corr-join: device records:", "corr-join: calls:"))]
    if report != m.report:
        differences.append(f"report {report}, expected {m.report}")
    if status != (len(records) < len(lines) or bool(m.passed)):
        differences.append(f"status {status}: {messages}")
    return command, differences


def main():
    by_ts, lead = "sorted" in sys.argv[3:], int(sys.argv[4]) if len(sys.argv) > 4 else 0
    with open(sys.argv[1], "rb") as file:
        m = Model([nasty.read(line) for line in file], by_ts, lead)
    with open(sys.argv[2], "rb") as file:
        got = [nasty.read(line) for line in file]
    print(*m.report, sep="\n")
    if m.passed:
        print(f"passed {len(m.passed)} {max(m.passed)}")
    if len(m.want) != len(got):
        print(f"{len(got)} records, expected {len(m.want)}")
    for w, g in [(w, g) for w, g in zip(m.want, got) if w != g][:3]:
        print("expected", str(w)[:600])
        print("actual  ", str(g)[:600])


if sys.argv[1] == "--random":
    sys.exit(nasty.count_wrong(sys.argv[2:], nasty_trace))
main()
