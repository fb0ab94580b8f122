#!/usr/bin/env python3
"""Finds lines that are wider than the terminal.

usage: wide_lines.py COLUMNS... <COMMANDS

Runs the commands in standard input, one in a line, on terminals with these numbers of columns: with TEST_ALL=1 each on
all terminals, otherwise each on one of them, in turn. Prints the commands that
write a line wider than the terminal, with the width and the beginning of their widest line, and the commands that write
nothing. Lines of records (NDJSON) are not counted: they are for programs.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata


def cells(text):
    """Returns the number of columns that a terminal needs for the text."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def lines_on_terminal(command, columns):
    """Returns the lines that the command writes to a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=theirs,
                               stderr=subprocess.DEVNULL)
    os.close(theirs)
    output = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        output += piece
    os.close(ours)
    process.wait()
    # Colors need no columns.
    return re.sub(r"\x1b\[[0-9;]*m", "", output.decode("utf-8", "replace")).replace("\r\n", "\n").splitlines()


widths = [int(width) for width in sys.argv[1:]]
for number, command in enumerate(sys.stdin.read().splitlines()):
    for columns in widths if os.environ.get("TEST_ALL") else [widths[number % len(widths)]]:
        lines = lines_on_terminal(command, columns)
        widest = max((line for line in lines if not line.startswith("{")), key=cells, default="")
        if not lines:
            print(f"{columns}: {command}: no output")
        elif cells(widest) > columns:
            print(f"{columns}: {command}: {cells(widest)} columns: {widest[:100]}")
