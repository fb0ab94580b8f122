"""Functions of several oracles: compressed files, the type of a kernel, prefixes of a text, traces made at random."""
import gzip
import json
import os
import random
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

TYPES = ["COMPUTATION", "COMMUNICATION", "MEMORY", "OTHER"]


def opened(path, mode="rt"):
    return gzip.open(path, mode) if path.endswith(".gz") else open(path, mode)


def kernel_type(name):
    """Returns the type of a kernel by its name, by the rules of the reference tool."""
    if re.search("^nccl|^hip|^hccl|ncclKernel", name):
        return "COMMUNICATION"
    if re.search("^(hip)?Memcpy|^(hip)?Memset|^dma", name):
        return "MEMORY"
    if re.search("Memcpy|Memset|dma|Sync|^Stream Wait Event|cuda.*LaunchKernel|^runFunction|^job_exe|^packet|^pe_exe|"
                 "^cpum..|^collective..", name):
        return "OTHER"
    return "COMPUTATION"


def cuts(size, first=0):
    """Returns the lengths of the prefixes that a test tries: every third from `first` to `size`, and `size` itself.

    TEST_ALL=1 tries each length.
    """
    return sorted({*range(first, size + 1, 1 if os.environ.get("TEST_ALL") else 3), size})


def count_wrong_prefixes(text, expected, command, records, status_of):
    """Returns the number of prefixes of a text for which a command is wrong; prints the first three.

    expected is a list of (end, record): a prefix contains the records that end in it. records(output) returns the
    records of the command, and status_of(prefix) the expected status; status 1 needs a message.
    """
    def run(n):
        return subprocess.run(command, input=text[:n].encode(), capture_output=True, check=False)

    wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for n, done in zip(cuts(len(text)), pool.map(run, cuts(len(text)))):
            want = [r for end, r in expected if end <= n]
            got = records(done.stdout.decode())
            status = status_of(text[:n])
            messages = done.stderr.decode().splitlines()
            if got == want and done.returncode == status and (messages or not status):
                if all(m.startswith("trace2ndjson: ") for m in messages):
                    continue
            wrong += 1
            if wrong <= 3:
                print(f"first {n} bytes: ...{text[max(0, n - 60):n]!r}\n  status {done.returncode}, expected {status}")
                print(f"  {len(got)} records, expected {len(want)}")
                print(f"  got      {got[-1:]}\n  expected {want[-1:]}\n  stderr   {messages}")
    return wrong


def random_work():
    """Returns records in ts order: steps, API calls, operators and device work of several ranks, devices and streams.

    Starts and ends often coincide; some work has no call, no or a negative length, an early call, or runs before the
    first step or after the last; ranks differ in their steps.
    """
    events = []
    names = ["gemm", "ncclX", "ncclY", "Memcpy dma", "Sync x"]
    for rank in random.choice([[None], [0], [0, 1], [0, 1, 2]]):
        ranked = {} if rank is None else {"rank": rank}
        steps, at = random.choice([0, 1, 2, 5]), random.randint(-20, 40)
        for n in range(steps):
            dur = random.randint(1, 60)
            events.append({"ts": at, "dur": dur, "kind": "range", "name": f"step {n}", **ranked, "pid": 1, "tid": 1})
            at += dur + random.choice([0, 0, 3, 10])
        for _ in range(random.choice([0, 3, 20, 60])):
            ts = random.randint(-30, 250)
            e = {"ts": ts, "kind": random.choice(["kernel", "kernel", "kernel", "memcpy", "memset"]), **ranked}
            if random.random() < 0.9:
                e["dur"] = random.choice([0, 1, 5, 20, -4])
            e |= {"name": random.choice(names), "corr": len(events)}
            e |= {"dev": random.choice([0, 0, 1]), "stream": random.choice([7, 8, 20])}
            if random.random() < 0.8:
                e["api"] = {"name": "launch", "ts": ts - random.choice([-2, 0, 1, 5, 30]), "dur": 1}
                e["api"] |= {"pid": random.choice([1, 1, 2]), "tid": random.choice([1, 2])}
            if random.random() < 0.7:
                e["args"] = {"blocks per SM": random.choice([0, 0.25, 0.7, 1, 3.5])}
            events.append(e)
        for _ in range(random.choice([0, 20, 100])):
            kind = random.choice(["op", "op", "api", "api", "range", "python"])
            e = {"ts": random.randint(-30, 250), "kind": kind, "name": f"{kind} {random.randint(0, 3)}", **ranked}
            e |= {"pid": random.choice([1, 1, 2]), "tid": random.choice([1, 2])}
            if random.random() < 0.95:
                e["dur"] = random.choice([0, 1, 4, 15, 100])
            events.append(e)
    random.shuffle(events)
    return sorted(events, key=lambda e: e["ts"])


def count_wrong_traces(count, compare):
    """Calls compare(path) on `count` traces of random_work(). It returns a number of differences; returns their sum.

    Prints the seed of each trace with a difference.
    """
    wrong = 0
    for seed in range(count):
        random.seed(seed)
        with open("random.ndjson", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(e) + "\n" for e in random_work())
        differences = compare("random.ndjson")
        if differences:
            print("seed", seed)
        wrong += differences
    return wrong
