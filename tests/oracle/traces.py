"""Functions of several oracles: files that may be compressed, the type of a kernel, the prefixes of a text."""
import gzip
import os
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


def count_wrong_prefixes(text, expected, command, records, status_of):
    """Returns the number of prefixes of a text for which a command is wrong; prints the first three.

    expected is a list of (end, record): a prefix contains the records that end in it. records(output) returns the
    records of the command, and status_of(prefix) the expected status; status 1 needs a message.
    """
    def run(n):
        return subprocess.run(command, input=text[:n].encode(), capture_output=True, check=False)

    wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for n, done in enumerate(pool.map(run, range(len(text) + 1))):
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
