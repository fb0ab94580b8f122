#!/usr/bin/env python3
"""Checks that a signal that comes early leaves no temporary folder: early_signals.py RUNS COMMAND...

Runs shell commands, and sends each run a signal after 1 to 80 ms, to its process or to its process group. Prints each
folder that is left, and each exit status that is neither the signal nor one of the scripts. This does not use
timeout(1), which does not pass on a signal that comes before its fork() has returned.
"""
import os, random, signal, subprocess, sys, time

random.seed(33)
signals = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]
folder = os.environ["TMPDIR"]
for run in range(int(sys.argv[1])):
    command = sys.argv[2 + run % (len(sys.argv) - 2)]
    number, send, delay = random.choice(signals), random.choice([os.kill, os.killpg]), random.uniform(0.001, 0.080)
    process = subprocess.Popen("exec " + command, shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(delay)
    if process.poll() is None:
        send(process.pid, number)
    status = process.wait()
    left = os.listdir(folder)
    if left or status not in (0, 1, 2, -number, 128 + number):
        print(f"{command}: {number.name} with {send.__name__}() after {delay * 1000:.0f} ms: {status}, left {left}")
    subprocess.run(["rm", "-rf"] + [os.path.join(folder, name) for name in left], check=True)
