#!/usr/bin/env python3
"""Writes a small Perfetto trace to standard output.

usage: perfetto_trace.py all|torch|rocprof|shared|late|zstd|deep|annotations|ftrace|marker|large N
all: a program with the SDK: threads, nested slices, counters, flows, legacy events, interned names that are sent after
their use, two clocks, compressed packets. torch: all begins of a group before their ends, GPU work as render stages.
rocprof: calls, kernels, copies and markers as rocprofv3 writes them. shared: two sequences write on one track. late:
a slice that is written late, between slices of the same time. zstd: compressed with zstd. deep: annotations that are
nested N deep, default 1000. annotations: values of every type, in the present form and in the old one. ftrace: only
ftrace. marker: garbage between packets, and a synchronization marker. large: N slices of a
live program, on two threads.
"""
import sys
import zlib
from protobuf import field, fixed, message

MARKER = bytes.fromhex("82477a76b28d42ba81dc33326d57a079")
out = sys.stdout.buffer
mode = sys.argv[1]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000


def packet(*parts):
    return field(1, b"".join(field(*p) if isinstance(p, tuple) else p for p in parts))


def track(uuid, parent=None, **parts):
    rows = [(1, uuid)] + ([(5, parent)] if parent else [])
    numbers = {"name": 2, "process": 3, "thread": 4, "counter": 8}
    return (60, message(*rows, *[(numbers[k], message(*v) if isinstance(v, list) else v) for k, v in parts.items()]))


def event(kind, uuid, *more):
    return (11, message((9, kind), (11, uuid)) + b"".join(field(*m) if isinstance(m, tuple) else m for m in more))


def argument(name, v):
    no = 2 if isinstance(v, bool) else 4 if isinstance(v, int) else 5 if isinstance(v, float) else 6
    if isinstance(v, dict):
        return message((10, name)) + b"".join(field(11, argument(k, x)) for k, x in v.items())
    if isinstance(v, list):
        return message((10, name)) + b"".join(field(12, argument("", x)) for x in v)
    return message((10, name), (no, int(v) if no == 2 else v))


def everything():
    names = message((2, message((1, 1), (2, "frame"))), (1, message((1, 1), (2, "render"))))
    head = packet((10, 1), (6, message((1, message((1, 6), (2, 1000))), (1, message((1, 3), (2, 500))), (2, 3))))
    head += packet((10, 2), (13, 1), (59, message((58, 64), (11, message((11, 11), (31, 14))))),
                   (6, message((1, message((1, 6), (2, 2000))), (1, message((1, 64), (2, 2), (3, 1), (4, 1000))))))
    head += packet(track(10, process=[(1, 42), (6, "app")]))
    head += packet(track(11, 10, thread=[(1, 42), (2, 43), (5, "main")]))
    head += packet(track(12, 11, name="phase")) + packet(track(13, 10, name="queue", counter=[(4, 8), (5, 1)]))
    head += packet(track(14, 11, name="thread_time", counter=[(4, 1000), (5, 1)]))
    body = packet((10, 2), (13, 2), (8, 1), (11, message((9, 1), (3, 1), (10, 1), (12, 5)) +
                  field(4, argument("size", 5)) + field(4, argument("ratio", 0.5)) + field(4, argument("ok", True)) +
                  field(4, argument("more", {"x": [1, 2], "y": {"z": "é\"\n"}})) + fixed(47, 900)), (12, names))
    body += packet((10, 2), (13, 2), (8, 1), event(1, 12, (23, "load"), (22, "a"), (22, "b")))
    body += packet((10, 2), (13, 2), (8, 2), event(2, 12))
    body += packet((10, 2), (13, 2), (8, 0), event(3, 11, (23, "tick")))
    body += packet((10, 2), (13, 2), (8, 0), event(4, 13, (30, 3)))
    body += packet((10, 2), (13, 2), (8, 1), event(4, 13, (30, 2)))
    body += packet((10, 2), (13, 2), (8, 1), (11, message((9, 2), (12, 2)) + field(4, argument("done", 1)) +
                  fixed(48, 900)))
    packed = zlib.compress(body)
    tail = packet((10, 2), (13, 2), (58, 6), (8, 9000), event(3, 11, (23, "old"), (6, message((2, ord("X")), (3, 7)))))
    tail += packet((10, 2), (13, 2), (58, 6), (8, 9500), event(1, 11, (10, 77), (3, 9)))
    tail += packet((10, 9), (13, 2), (8, 5), event(1, 11, (10, 1)))
    tail += packet((10, 2), (8, 1), (2, b"\x08\x01")) + packet((10, 2), (58, 3), (8, 9800), event(4, 99, (44, 2.5)))
    return head + packet((10, 2), (50, packed)) + tail


def torch():
    out = packet((10, 1), (8, 1000), (6, message((1, message((1, 6), (2, 1000))))))
    out += packet(track(1, process=[(1, 7), (6, "python")])) + packet(track(2, 1, thread=[(1, 7), (2, 8), (5, "main")]))
    tables = [(1, "cpu_op"), (1, "cuda_runtime")], ["aten::mm", "aten::add", "cudaLaunchKernel", "cudaMemcpyAsync"]
    inter = b"".join(field(1, message((1, i + 1), (2, c))) for i, (_, c) in enumerate(tables[0]))
    inter += b"".join(field(2, message((1, i + 1), (2, c))) for i, c in enumerate(tables[1]))
    inter += b"".join(field(24, message((1, i), (2, s), (4, c))) for i, s, c in
                      ((1, "Kernel", 2), (2, "Memcpy", 0), (100, "[07] stream 7", 0)))
    inter += field(1000, message((1, 1), (2, "_Z4gemm"), (3, "gemm<float>(int)")))
    inter += field(1001, message((1, 1), (2, "registers")))
    inter += field(47, message((1, 1), (2, message((1, message((1, 0), (2, "Power (W)"))))), (3, 1)))
    out += packet((10, 1), (13, 1), (12, inter))
    groups = [[(100, 150, 1, 1), (150, 170, 2, 1), (160, 165, 2, 1)], [(110, 115, 3, 2), (155, 158, 4, 2)]]
    for group in groups:
        for i, (ts, end, name, cat) in enumerate(group):
            args = field(4, argument("cbid", 211)) + field(4, argument("correlation", 5 + i)) if cat == 2 else b""
            more = field(3000, message((1, 1))) if name == 3 else b""
            out += packet((8, 1000 + ts), (10, 1), (13, 2), event(1, 2, (10, name), (3, cat), args, more))
        for ts, end, name, cat in group:
            out += packet((8, 1000 + end), (10, 1), event(2, 2))
    extra = lambda **k: b"".join(field(6, message((1, n.replace("_", " ")), (2, str(v)))) for n, v in k.items())
    launch = message((1, message((1, 8), (2, 4), (3, 1))), (2, message((1, 64), (2, 1), (3, 1))),
                     (3, message((1, 1), (4, 32))))
    stage = message((1, 1), (2, 40), (11, 1), (13, 100), (14, 1), (19, 1), (21, launch))
    out += packet((8, 1300), (10, 1), (13, 2), (53, stage + extra(correlation=5, stream_id=7, arch="sm_90")))
    out += packet((8, 1350), (10, 1), (13, 2), (53, message((1, 2), (2, 9), (11, 1), (13, 100), (14, 2), (18, 1)) +
                  extra(correlation=6, bytes=4096)))
    return out + packet((8, 1400), (10, 1), (13, 2), (52, message((4, 1), (2, message((1, 0), (3, 300.5))))))


def rocprof():
    out = packet((10, 1), (13, 1)) + packet(track(1, process=[(1, 7), (6, "app")]))
    out += packet(track(2, 1, thread=[(1, 7), (2, 8)])) + packet(track(3, name="COMPUTE [0] QUEUE [0]"))
    slices = [(2, "hip_api", "hipLaunchKernel", 10, 20, {"corr_id": 5, "tid": 8}),
              (2, "rocm_hsa_api", "hsa_queue_create", 12, 13, {"corr_id": 9}),
              (2, "marker_api", "step", 5, 90, {"corr_id": 4}), (2, "marker_api", "mark", 6, 6, {}),
              (3, "kernel_dispatch", "gemm", 30, 40,
               {"agent": "Agent-1", "corr_id": 5, "queue": 1, "stream_ID": 3, "tid": 8})]
    for way, source, target in (("HOST_TO_DEVICE", 0, 2), ("DEVICE_TO_HOST", 2, 0), ("DEVICE_TO_DEVICE", 1, 2)):
        agents = {"src_agent": "Agent-%d" % source, "dst_agent": "Agent-%d" % target}
        slices.append((3, "memory_copy", "MEMORY_COPY_" + way, 50, 60, {**agents, "copy_bytes": 64, "corr_id": 6}))
    slices.append((3, "memory_allocation", "MEMORY_ALLOCATION_ALLOCATE", 70, 71, {"agent": "Agent-1", "size": 32}))
    for on, category, name, begin, end, args in slices:
        notes = b"".join(field(4, argument(k, v)) for k, v in args.items())
        out += packet((10, 1), (8, begin), event(1, on, (22, category), (23, name), notes))
        out += packet((10, 1), (8, end), event(2, on))
    return out


def shared():
    out = packet(track(5, name="requests")) + packet((10, 1), (13, 1)) + packet((10, 2), (13, 1))
    for ts, q, kind, name in ((20, 1, 1, "b"), (30, 2, 2, ""), (10, 2, 1, "a"), (25, 1, 2, "")):
        out += packet((8, ts), (10, q), event(kind, 5, (23, name)))
    return out


def late():
    out = packet(track(5, name="requests")) + packet((10, 1), (13, 1))
    for ts, kind, name in ((10, 1, "a"), (20, 1, "c"), (10, 1, "b"), (12, 2, ""), (25, 2, ""), (30, 2, "")):
        out += packet((8, ts), (10, 1), event(kind, 5, (23, name)))
    return out


def deep():
    inner = message((10, "x"), (4, 1))
    for _ in range(count):
        inner = message((10, "x"), (11, inner))
    following = packet((10, 1), (8, 2), event(3, 1, (23, "next")))
    return packet((10, 1), (8, 1), event(3, 1, (23, "deep"), (4, inner))) + following


def annotations():
    elements = (5, -7), (6, 0.25), (7, 1), (7, 0), (8, "text")
    nested = message((1, 1), (2, "list"), (2, "empty"), (2, "none"),
                     (3, message((1, 2), *((4, message(v)) for v in elements))),
                     (3, message((1, 1))), (3, b""))
    values = (("uint", 3, 2**64 - 1), ("int", 4, -1), ("pointer", 7, 0xfe0), ("zero", 7, 0), ("json", 9, '{"a":1}'),
              ("interned", 17, 1), ("unknown", 17, 2), ("nan", 5, float("nan")), ("inf", 5, float("-inf")),
              ("old", 8, nested))
    strings = message((29, message((1, 1), (2, "shared text"))))
    return packet((10, 1), (13, 1), (12, strings), (8, 1),
                  event(3, 1, (23, "values"), *((4, message((10, name), (no, v))) for name, no, v in values),
                        (4, message((10, "nothing")))))


def marker():
    one, two = (packet((10, 1), (8, ts), event(3, 1, (23, name))) for ts, name in ((1, "one"), (2, "two")))
    sync = packet((10, 1), (36, MARKER))
    return sync + one * 2 + b"\x07garbage\x0b" + sync + two + b"\xff" * 30


if mode == "large":
    out.write(packet(track(1, process=[(1, 7), (6, "app")])) + packet(track(2, 1, thread=[(1, 7), (2, 8)])) +
              packet(track(3, 1, thread=[(1, 7), (2, 9)])) +
              packet((10, 1), (13, 1), (12, message((2, message((1, 1), (2, "work")))))))
    ts = 0
    for i in range(0, count, 4):
        for k in range(4):
            begin = event(1, 2 + i // 4 % 2, (10, 1), (4, argument("index", i + k)))
            out.write(packet((10, 1), (13, 2), (8, ts + k), begin))
        for k in range(4):
            out.write(packet((10, 1), (13, 2), (8, ts + 10 + k), event(2, 2 + i // 4 % 2)))
        ts += 20
elif mode == "zstd":
    import subprocess
    body = packet((10, 1), (8, 1), event(3, 1, (23, "inside")))
    data = subprocess.run(["zstd", "-qc"], input=body, capture_output=True, check=True).stdout
    out.write(packet((10, 1), (133, data)) + packet((10, 1), (8, 2), event(3, 1, (23, "after"))))
elif mode == "ftrace":
    out.write(packet((10, 1), (1, b"\x08\x01")) * 2 + packet((10, 1), (2, b"\x08\x01")))
else:
    out.write({"all": everything, "torch": torch, "rocprof": rocprof, "shared": shared, "late": late, "deep": deep,
               "marker": marker, "annotations": annotations}[mode]())
