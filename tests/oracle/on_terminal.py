#!/usr/bin/env python3
"""Runs a command of the shell on a terminal, and prints what it writes there."""
import os, pty, sys

pid, fd = pty.fork()
if pid == 0:
    os.execlp("sh", "sh", "-c", sys.argv[1])
try:
    while data := os.read(fd, 4096):
        sys.stdout.buffer.write(data)
except OSError:  # the end of the command
    pass
os.waitpid(pid, 0)
