#!/usr/bin/env python3
"""The units of a table that differ from the others of their groups, computed from the definitions of odd-one-out(1).

  odd_units.py fleet SEED RUNS RANKS PLANT...
      prints a catalogue; PLANT is RUN/RANK:FIELD:FACTOR, or HOST:FIELD:FACTOR
  odd_units.py odd UNIT FILE                    prints a table of right answers for such a catalogue
  odd_units.py golden CSV BY FILE               compares rows with a table of right answers, and prints the differences
"""
import csv, json, random, statistics, sys

PARTS = {"compute_step": "compute_time", "comm_step": "comm_only", "copy_step": "memory_only", "wait_step": "host_wait",
         "pause_step": "pauses"}
FIELDS = ["step_p50", "step_p95", *PARTS, "call_p50", "memory_peak"]
FLOORS = {"call_p50": 100, "memory_peak": 1 << 20}
SIZES = {"step_p50": 1e6, "step_p95": 1.1e6, "compute_time": 6e6, "comm_only": 3e6, "memory_only": 5e5,
         "host_wait": 2e5, "pauses": 3e5, "call_p50": 4500, "memory_peak": 2e10}


def fleet(seed, runs, ranks, plants):
    rng = random.Random(int(seed))
    planted = [p.split(":") for p in plants]
    for run in range(int(runs)):
        for rank in range(int(ranks)):
            host = f"h{(rank // 4 + run) % 5}"
            record = {"kind": "catalog", "run": f"r{run}", "host": host, "rank": rank, "steps": 10, "health": "ok"}
            for name, size in SIZES.items():
                factor = 1.0
                for unit, field, f in planted:
                    if field == name and unit in (f"r{run}/{rank}", host):
                        factor *= float(f)
                record[name] = round(size * factor * rng.gauss(1, 0.01))
            if rng.random() < 0.05:
                del record["call_p50"]
            if rng.random() < 0.05:
                record["health"] = "no_steps"
            print(json.dumps(record, separators=(",", ":")))


def value(record, field):
    if field in PARTS:
        return record[PARTS[field]] / record["steps"]
    return record.get(field)


def odd(by, path):
    out = csv.writer(sys.stdout)
    out.writerow("by unit traces runs score because ratio odd also".split() + FIELDS)
    table = {}
    records = [r for r in map(json.loads, open(path)) if r["health"] == "ok"]
    for run in {r["run"] for r in records}:
        group = [r for r in records if r["run"] == run]
        step = statistics.median(r["step_p50"] for r in group)
        for field in FIELDS:
            xs = [(r, value(r, field)) for r in group if value(r, field) is not None]
            if len(xs) < 8:
                continue
            m = statistics.median(x for _, x in xs)
            low = max(0.005 * abs(m), FLOORS.get(field, 1000))
            spread = max(1.4826 * statistics.median(abs(x - m) for _, x in xs), low)
            least = next(t for n, t in ((64, 5.5), (32, 6), (16, 8), (12, 10), (8, 15)) if len(xs) >= n)
            alone = least
            if 12 <= len(xs) < 32:
                near = [(x - m) ** 2 for _, x in xs if abs(x - m) <= 5 * spread]
                deviation = max((sum(near) / (len(near) - 1)) ** 0.5, low)
                alone = min(least, (6 if len(xs) >= 16 else 8) * deviation / spread)
            for r, x in xs:
                matters = abs(x - m) >= 0.03 * abs(m) and (field in FLOORS or abs(x - m) >= 0.01 * step)
                unit = r["host"] if by == "host" else f'{run}/{r["rank"]}'
                row = (x - m) / spread, x / m, matters, run, least, alone
                table.setdefault(unit, {}).setdefault(field, []).append(row)
    for unit in sorted(table):
        rows = table[unit]
        z = {f: statistics.median(v[0] for v in vs) for f, vs in rows.items()}
        matter = {f for f, vs in rows.items() if sum(v[2] for v in vs) * 2 > len(vs)}
        bad = [f for f, vs in rows.items() if f in matter and abs(z[f]) >= statistics.median(v[4] for v in vs)]
        if not bad:
            bad = [f for f, vs in rows.items()
                   if f in matter and f != "comm_step" and z[f] >= statistics.median(v[5] for v in vs)]
        order = sorted((f for f in FIELDS if f in z),
                       key=lambda f: (f not in bad, z[f] <= 0 or f == "comm_step", -abs(z[f])))
        ratio = statistics.median(v[1] for v in rows[order[0]])
        groups = len({v[3] for vs in rows.values() for v in vs})
        also = " ".join(f for f in order[1:] if f in bad)
        out.writerow([by, unit, max(map(len, rows.values())), groups, z[order[0]], order[0], ratio,
                      "yes" if bad else "no", also, *(z.get(f, "") for f in FIELDS)])


def golden(path, by, rows):
    want = {r["unit"]: r for r in csv.DictReader(open(path)) if r["by"] == by}
    names = {"traces": "records", "runs": "groups", **{name: name for name in ("ratio", "score", "because", "odd")}}
    names.update({f: "z_" + f for f in FIELDS})
    figures = differ = 0
    for row in map(json.loads, open(rows)):
        right = want.pop(row["host"] if by == "host" else f'{row["run"]}/{row["rank"]}')
        pairs = [(right[a], str(row.get(b, ""))) for a, b in names.items()]
        pairs.append((right["also"].replace(" ", ","), row.get("also", "")))
        for a, b in pairs:
            figures += 1
            try:
                same = abs(float(a) - float(b)) <= 0.00011
            except ValueError:
                same = a == b
            differ += not same
    print(figures, "figures,", differ, "differ,", len(want), "units missing")


{"fleet": lambda *a: fleet(*a[:3], a[3:]), "odd": odd, "golden": golden}[sys.argv[1]](*sys.argv[2:])
