#!/usr/bin/env python3
"""Writes a small made-up run of two GPUs as rocprofv3 writes it in JSON.

usage: rocprof_trace.py [PID] > FILE
"""
import json
import sys

KINDS = [
    ("NONE", []),
    ("HIP_RUNTIME_API", ["hipMalloc", "hipLaunchKernel"]),
    ("MARKER_CORE_API", ["roctxMarkA", "roctxRangePushA"]),
    ("MEMORY_COPY", ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE", "MEMORY_COPY_DEVICE_TO_DEVICE"]),
    ("MEMORY_ALLOCATION", ["MEMORY_ALLOCATION_NONE", "MEMORY_ALLOCATION_ALLOCATE"]),
    ("KERNEL_DISPATCH", ["KERNEL_DISPATCH_NONE", "KERNEL_DISPATCH_ENQUEUE", "KERNEL_DISPATCH_COMPLETE"]),
]
CPU, GPU0, GPU1 = 100, 101, 102


def handle(n):
    return {"handle": n}


def agent(number, kind, index):
    return {"size": 312, "id": handle(CPU + number), "type": kind, "name": "gfx942" if kind == 2 else "EPYC",
            "vendor_name": "AMD" if kind == 2 else "CPU", "product_name": "MI300X" if kind == 2 else "EPYC 9654",
            "cu_count": 304, "node_id": number, "logical_node_id": number, "logical_node_type_id": index}


def event(kind, operation, corr, start, end, **more):
    return {"size": 96, "kind": [k for k, _ in KINDS].index(kind), "operation": operation,
            "correlation_id": {"internal": corr, "external": 0, "ancestor": 0},
            "start_timestamp": start, "end_timestamp": end, "thread_id": 42, **more}


def dispatch(corr, kernel, gpu):
    return {"size": 72, "agent_id": handle(gpu), "queue_id": handle(3), "kernel_id": kernel, "dispatch_id": corr,
            "private_segment_size": 0, "group_segment_size": 64, "workgroup_size": {"x": 256, "y": 1, "z": 1},
            "grid_size": {"x": 4096, "y": 1, "z": 1}}


def process(pid):
    kernels = [event("KERNEL_DISPATCH", 2, 5, 900, 1400, dispatch_info=dispatch(5, 1, GPU0), stream_id=handle(7)),
               event("KERNEL_DISPATCH", 2, 6, 800, 0, dispatch_info=dispatch(6, 2, GPU1), stream_id=handle(7))]
    values = [{"counter_id": handle(77), "value": 64.0}] * 2 + [{"counter_id": handle(78), "value": 0.5}]
    return {
        "metadata": {"node": {"id": 0, "hostname": "node01"}, "pid": pid, "init_time": 1, "fini_time": 9999,
                     "command": ["python", "train.py"]},
        "agents": [agent(0, 1, 0), agent(1, 2, 0), agent(2, 2, 1)],
        "counters": [{"agent_id": handle(GPU0), "id": handle(77), "name": "SQ_WAVES"},
                     {"agent_id": handle(GPU0), "id": handle(78), "name": "GPU_UTIL"}],
        "strings": {"callback_records": [],
                    "buffer_records": [{"kind": kind, "operations": names} for kind, names in KINDS],
                    "marker_api": [{"key": 1, "value": "step \"0\", {lr"}, {"key": 2, "value": "start"}],
                    "pc_sample_instructions": ["s_endpgm", "s_waitcnt vmcnt(0)"],
                    "pc_sample_comments": ["", "a.cpp:7"]},
        "code_objects": [{"size": 80, "code_object_id": 1, "uri": "file:///app"}],
        "kernel_symbols": [{"size": 88, "kernel_id": 1, "kernel_name": "_Z3addPf.kd",
                            "formatted_kernel_name": "add(float*)"},
                           {"size": 88, "kernel_id": 2, "kernel_name": "mul.kd", "formatted_kernel_name": ""}],
        "host_functions": [], "summary": [],
        "callback_records": {"counter_collection": [
            {"thread_id": 42, "dispatch_data": {
                "size": 96, "correlation_id": {"internal": 5, "external": 0}, "start_timestamp": 900,
                "end_timestamp": 1400, "dispatch_info": dispatch(5, 1, GPU0)},
             "records": values, "stream_id": handle(7)}]},
        "buffer_records": {
            "kernel_dispatch": kernels,
            "hip_api": [event("HIP_RUNTIME_API", 0, 3, 100, 300, retval={"hipError_t_retval": 2},
                              args=[{"type": "void**", "name": "ptr", "value": "0x7f"}], stream_id=handle(0)),
                        event("HIP_RUNTIME_API", 1, 5, 700, 850, retval={"hipError_t_retval": 0}, args=[])],
            "marker_api": [event("MARKER_CORE_API", 1, 1, 50, 2000), event("MARKER_CORE_API", 0, 2, 60, 60)],
            "rccl_api": [event("HIP_RUNTIME_API", 9, 8, 1500, 1490)],
            "memory_copy": [event("MEMORY_COPY", 1, 7, 400, 500, src_agent_id=handle(CPU), dst_agent_id=handle(GPU1),
                                  bytes=4096, stream_id=handle(7)),
                            event("MEMORY_COPY", 2, 9, 600, 650, src_agent_id=handle(GPU0),
                                  dst_agent_id=handle(GPU1), bytes=8, stream_id=handle(7))],
            "memory_allocation": [event("MEMORY_ALLOCATION", 1, 3, 110, 290, agent_id=handle(GPU0),
                                        address="0x00007f0000200000", allocation_size=1024)],
            "pc_sample_host_trap": [{"record": {"size": 64, "exec_mask": 65535, "timestamp": 950, "dispatch_id": 5,
                                                "correlation_id": {"internal": 5, "external": 0}},
                                     "inst_index": 1}]}}


pid = int(sys.argv[1]) if len(sys.argv) > 1 else 42
print(json.dumps({"rocprofiler-sdk-tool": [process(pid)]}, separators=(",", ":")))
