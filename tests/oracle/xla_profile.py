#!/usr/bin/env python3
"""Writes a small profile of XLA (XSpace) to standard output.

usage: xla_profile.py all|converted|early|steps|large N
all: a GPU, a TPU, a host, metadata of modules; names before and after their uses; times in ps; stats of every type.
converted: the same, after a conversion to UTF-8 text. early: an event before time 0. steps: a program of JAX with three
steps; kernels with and without an operator, one of a command buffer. large: N kernels on one stream, with one name.
"""
import sys
from protobuf import field, message

mode = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
NS = 1700000000000


class Plane:
    def __init__(self, name, number=0):
        self.head = (field(1, number) if number else b"") + field(2, name)
        self.names, self.stats, self.shared, self.lines, self.own = {}, {}, {}, [], b""

    def stat(self, name, v, no=None):
        key = self.stats.setdefault(name, len(self.stats) + 1)
        if no == 7:
            v = self.stats.setdefault(v, len(self.stats) + 1)
        no = no or {float: 2, int: 4, str: 5, bytes: 6}[type(v)]
        return message((1, key), (no, v))

    def event(self, name, offset, dur, stats=(), occurrences=0, shared=()):
        key = self.names.setdefault(name, len(self.names) + 100) if name else 99
        if shared:
            self.shared[name] = b"".join(field(5, self.stat(*s)) for s in shared)
        time = field(5, occurrences) if occurrences else field(2, offset) if offset else b""
        return field(4, message((1, key)) + time + (field(3, dur) if dur else b"") +
                     b"".join(field(4, self.stat(*s)) for s in stats))

    def line(self, number, name, events, display=None, start=NS):
        self.lines.append(field(3, message((1, number), (2, name), (3, start)) + b"".join(events) +
                                (field(11, display) if display else b"")))

    def tables(self):
        names = b"".join(field(4, message((1, k), (2, message((1, k), (2, n)) + self.shared.get(n, b""))))
                         for n, k in self.names.items())
        return names + b"".join(field(5, message((1, k), (2, message((1, k), (2, n))))) for n, k in self.stats.items())

    def write(self, first=False):
        parts = [self.tables()] + self.lines if first else self.lines + [self.tables()]
        return field(1, self.head + b"".join(parts) + self.own)


def gpu():
    p = Plane("/device:GPU:1", 3)
    p.own = field(6, p.stat("device_vendor", "AMD"))
    details = " grid:8,4,1 block:64,1,1 private_mem:0 occ_pct:0"
    events = [p.event("fusion", 5000, 2000, [("correlation_id", 7), ("kernel_details", details, 7),
                                             ("hlo_op", "fusion.1", 7), ("group_id", 1, 3)]),
              p.event("MemcpyH2D", 9000, 1000, [("correlation_id", 8),
                                                ("memcpy_details", "kind:Unknown size:4096 dest:2")]),
              p.event("Memset", 11000, 1000, [("memset_details", "size:64")]),
              p.event("gemm", 2000, -1000, [("half", 0.5), ("big", 2**64 - 1, 3), ("blob", b"\0\1\2")])]
    p.line(13, "Stream #13(Compute)", events)
    p.line(14, "XLA Modules", [p.event("jit_f", 0, 20000)])
    return p.write()


def tpu():
    p = Plane("/device:TPU:0")
    events = [p.event("add", 1500, 1001, [("flops", 8)], 0, [("flops", 1), ("bytes", 16)])]
    p.line(3, "XLA Ops", events)
    return p.write(True)


def host():
    p = Plane("/host:CPU", 4)
    events = [p.event("hipLaunchKernel", -2000, 1000, [("correlation_id", 7)]), p.event("$train.py:1 step", 0, 30000),
              p.event("dot", 1000, 500000, [("hlo_op", "dot.1")]), p.event(None, 3000, 1000),
              p.event("instant", 4000, 0, [("text", "é\"")]), p.event("many", 0, 123, [], 17)]
    p.line(-5, "python", events, "main thread")
    return p.write()


def modules():
    p = Plane("/host:metadata")
    p.event("jit_f(1)", 0, 1, [], 0, [("Hlo Proto", b"x" * 100)])
    return p.write()


def early():
    p = Plane("/device:TPU:0")
    p.line(3, "XLA Ops", [p.event("add", -1500, 2500)], start=0)
    return p.write()


def steps():
    gpu, host = Plane("/device:GPU:0", 1), Plane("/host:CPU", 2)
    gpu.own = field(6, gpu.stat("gpu_device_name", "NVIDIA H100 80GB HBM3"))
    us = 1000000
    kernels = [("gemm_fusion_dot", 20, "fusion.1", "jit(f)/dot_general"), ("loop_add_fusion", 10, "add.1", None),
               ("wrapped_add", 5, "command_buffer_1", None)]
    events = [gpu.event(name, (step * 100 + 40 + i * 20) * us, dur * us,
                        [("correlation_id", step * 3 + i + 1), ("tf_op", "XlaModule:", 7), ("hlo_op", op, 7)] +
                        ([("name", of, 7)] if of else []))
              for step in range(3) for i, (name, dur, op, of) in enumerate(kernels)]
    gpu.line(1, "Stream #1(Compute)", events)
    host.line(2, "python3", [host.event("train", step * 100 * us, 99 * us, [("step_num", step)]) for step in range(3)] +
              [host.event("cuLaunchKernel", (step * 100 + 30 + i * 20) * us, 5 * us,
                          [("correlation_id", step * 3 + i + 1)])
               for step in range(3) for i in range(3)])
    return gpu.write() + host.write()


def large():
    p = Plane("/device:GPU:0")
    stats = [("correlation_id", 5), ("hlo_op", "fusion.1", 7)]
    p.line(1, "Stream #1", [b""])
    one = [p.event("fusion", i * 2000, 1000, stats) for i in range(count)]
    p.lines = []
    p.line(1, "Stream #1", one)
    return p.write()


if mode in ("early", "steps", "large"):
    data = {"early": early, "steps": steps, "large": large}[mode]()
else:
    data = modules() + gpu() + tpu() + host() + message((2, "device lost"), (3, "buffer full"), (4, "node1"))
if mode == "converted":
    data = data.replace(b"x" * 100, bytes(range(128, 228)) * 4).decode("utf-8", "replace").encode()
sys.stdout.buffer.write(data)
