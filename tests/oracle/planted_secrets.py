#!/usr/bin/env python3
"""Writes a small trace of each format, with secrets in it, into the working directory.

usage: planted_secrets.py DATA >SECRETS
DATA is the folder of the traces in the tree. Each line of SECRETS has three columns: the file; the kind of secret:
variable (of the environment), host or secret; and the secret, a text that occurs nowhere else.
"""
import gzip, json, pickle, subprocess, sys
from protobuf import field, message

DATA = sys.argv[1]
TOKENS = ["hf_", "ghp_", "AKIA", "glpat-", "npm_"]
number = 0


def plant(file, kind="secret", prefix="", tail=""):
    """Returns a new secret, and lists it."""
    global number
    number += 1
    secret = f"{prefix}planted{number}{kind}{tail}"
    print(file, kind, secret, sep="\t")
    return secret


def token(file):
    return plant(file, prefix=TOKENS[number % len(TOKENS)], tail="0123456789abcdefghijklmnop")


def command(file):
    """A command line with a secret of each form."""
    s = lambda: plant(file)
    return (f"PYTHONPATH=/opt /home/{s()}/bin/python train.py --token {s()} --password={s()} --api-key '{s()}' "
            f"WANDB_API_KEY={s()} git@x https://{s()}:{s()}@example.org/ -H 'Authorization: Basic {s()}' "
            f"-H \"Authorization: Bearer {s()}\" AWS_SECRET_ACCESS_KEY={s()} {token(file)} {token(file)}")


def variables(file):
    v = lambda: plant(file, "variable")
    return {"HF_TOKEN": v(), "PATH": f"/opt/{v()}", "LOGNAME": v(), "MASTER_PORT": 4711,
            "list": [v(), {"inner": v()}], "SOME_NAME": v()}




def block(file, end):
    """The text of a whole environment."""
    return end.join(f"{n}={plant(file, 'variable')}" for n in ("PATH", "HOME", "LD_LIBRARY_PATH", "MY_VALUE")) + end


def write(file, content):
    with open(file, "wb") as f:
        f.write(content if isinstance(content, bytes) else content.encode())


def lines(file, rows):
    write(file, "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in rows))


def chrome():
    f = "chrome.json"
    events = [{"ph": "X", "cat": "python_function", "name": f"/home/{plant(f)}/train.py(12): forward", "pid": 1,
               "tid": 1, "ts": 5, "dur": 2, "args": {"stack": ["\\Users\\" + plant(f) + "\\x.py"], "note": command(f)}},
              {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": command(f)}}]
    with open(f"{DATA}/train.pt.trace.json") as file:
        trace = json.load(file)
    trace["traceEvents"] += events
    trace.update({
        "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "env": variables(f),
                            "command": plant(f, "variable")},
        "environment": variables(f), "system": {"env_vars": variables(f), "user_name": plant(f),
                                                "hostname": plant(f, "host"), "argv": ["python", "--token", plant(f)]},
        "api_key": plant(f), "export_user": plant(f), "key": [{"name": "DB_PASSWORD", "value": plant(f)}],
        "started_by": {"name": plant(f)}, "env_text": block(f, "\n"), "node_name": plant(f, "host"),
        "note": json.dumps({"password": plant(f), "ok": 1}),
        "pem": "-----BEGIN RSA PRIVATE KEY-----\n" + plant(f) + "\n-----END RSA PRIVATE KEY-----"})
    write(f, json.dumps(trace))


def nsys():
    for f in "nsys.jsonl", "nsys.sqlite":
        rows = [{"table": "StringIds", "id": 1, "value": block(f, "\0")},
                {"table": "StringIds", "id": 2, "value": "main"},
                {"table": "META_DATA_CAPTURE", "name": "PROCESS_0:USER_NAME", "value": plant(f)},
                {"table": "META_DATA_CAPTURE", "name": "PROCESS_0:COMMAND", "value": command(f)},
                {"table": "META_DATA_CAPTURE", "name": "PROCESS_0:ENVIRONMENT", "value": plant(f, "variable")},
                {"table": "META_DATA_EXPORT", "name": "EXPORT_HOST", "value": plant(f, "host")},
                {"table": "TARGET_INFO_SYSTEM_ENV", "globalVid": 1, "name": "TargetOptions",
                 "value": plant(f, "variable")},
                {"table": "CUPTI_ACTIVITY_KIND_RUNTIME", "start": 5, "end": 9, "eventClass": 0, "nameId": 2,
                 "globalTid": 281474976710657, "correlationId": 1, "returnValue": 0}]
        if f.endswith(".jsonl"):
            lines(f, rows)
        else:
            lines("rows", rows)
            subprocess.run(["database_of.py", "rows", f], check=True)


def rocprof():
    f = "rocprof.json"
    trace = json.loads(subprocess.run(["rocprof_trace.py"], stdout=subprocess.PIPE, check=True).stdout)
    process = trace["rocprofiler-sdk-tool"][0]["metadata"]
    process["node"]["hostname"] = plant(f, "host")
    process["command"] = command(f).split(" ")
    write(f, json.dumps(trace))


def protobufs():
    f = "perfetto.pftrace"
    write(f, field(1, message((10, 1), (60, message((1, 1), (3, message((1, 7), (6, command(f)))))))) +
          field(1, message((8, 5), (10, 1), (11, message((9, 1), (11, 1), (23, f"/home/{plant(f)}/x"))))) +
          field(1, message((8, 9), (10, 1), (11, message((9, 2), (11, 1))))))
    f = "xla.xplane.pb"
    stat = message((1, 1), (2, message((1, 1), (2, "command_line"))))
    env = message((1, 2), (2, message((1, 2), (2, "environment"))))
    write(f, field(1, message((2, "Task Environment"), (5, stat), (5, env), (6, message((1, 1), (5, command(f)))),
                              (6, message((1, 2), (5, block(f, "\n")))))) + field(4, plant(f, "host")))
    f = "plaidml.eventlog.gz"
    with gzip.open(f"{DATA}/mlp.eventlog.gz") as file:
        text = file.read()
    source = b"kernel void kernel_c1_sdk_0(global float* x) {}"
    secret = f"// /home/{plant(f)}/".encode()
    write(f, gzip.compress(text.replace(source, secret.ljust(len(source)))))


def flight():
    for f, dump in ("flight.json", lambda x: json.dumps(x).encode()), ("flight.pickle", pickle.dumps):
        entry = {"record_id": 0, "pg_id": 0, "process_group": ("0", "default_pg"), "collective_seq_id": 1,
                 "p2p_seq_id": 0, "op_id": 1, "profiling_name": "nccl:all_reduce", "time_created_ns": 1758581237,
                 "input_sizes": [[8]], "input_dtypes": ["Float"], "output_sizes": [[8]], "output_dtypes": ["Float"],
                 "state": "scheduled", "time_discovered_started_ns": None, "time_discovered_completed_ns": None,
                 "retired": False, "timeout_ms": 600000, "is_p2p": False,
                 "frames": [{"name": "f", "filename": f"/home/{plant(f)}/train.py", "line": 3}]}
        write(f, dump({"version": "2.9", "nccl_version": "2.27.3", "entries": [entry],
                       "pg_config": {"0": {"name": "0", "desc": command(f), "ranks": "[0]"}}}))


def snapshot():
    f = "snapshot.pickle"
    frames = [{"name": "f", "filename": f"/home/{plant(f)}/train.py", "line": 3}]
    event = {"action": "alloc", "addr": 1, "size": 1, "frames": frames}
    write(f, pickle.dumps({"segments": [], "device_traces": [[event]], "user_metadata": command(f)}))


def texts():
    f = "inspector.log"
    lines(f, [{"header": {"id": "0x7f", "rank": 0, "n_ranks": 2, "nnodes": 1},
               "metadata": {"inspector_output_format_version": "v4.0", "git_rev": "", "dump_timestamp_us": 9,
                            "rec_mechanism": "nccl_profiler_interface", "hostname": plant(f, "host"), "pid": 4},
               "coll_perf": {"coll": "AllReduce", "coll_sn": 1, "coll_msg_size_bytes": 8, "coll_exec_time_us": 6,
                             "note": f"--token {plant(f)}"}}])
    f = "perf.txt"
    write(f, f"# hostname : {plant(f, 'host')}\n# cmdline : {command(f)}\n#\n"
             f"prog 7/7 [001] 1.000001:       1 cpu-clock: \n\t    401234 f (/home/{plant(f)}/app)\n\n")
    f = "onednn.txt"
    write(f, f"onednn_verbose,info,oneDNN v2.5.0 (commit {token(f)})\nonednn_verbose,info,cpu,"
             f"runtime:/home/{plant(f)}/lib\nonednn_verbose,exec,cpu,relu,jit,forward_inference,src_f32,,,2x3,0.1\n")
    f = "torch.txt"
    rule = "-" * 80
    write(f, f"{rule}\n  Environment Summary\n{rule}\nPyTorch 1.9 at /home/{plant(f)}/torch\nPATH={plant(f)}\n"
             f"{rule}\n  cProfile output\n{rule}\n         3 function calls in 0.001 seconds\n\n"
             "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
             f"        3    0.001    0.000    0.001    0.000 /home/{plant(f)}/x.py:3(f)\n\n")
    f = "choices.dvdt.json"
    with open(f"{DATA}/tiny.ckp.json") as file:
        trace = json.load(file)
    trace.setdefault("choices", {})["env"] = variables(f)
    trace["choices"]["params"] = {"started_by": plant(f), "host": plant(f, "host")}
    write(f, json.dumps(trace))
    f = "records.ndjson"
    lines(f, [{"kind": "meta", "name": "env", "args": variables(f)},
              {"kind": "meta", "name": "run", "args": {"command": command(f)}, "user": plant(f), "x": command(f)},
              {"ts": 1, "kind": "range", "name": f"load {token(f)}", "src": {"path": f"/Users/{plant(f)}/x"},
               "note": f"Bearer {plant(f)}"}])


for make in chrome, nsys, rocprof, protobufs, flight, snapshot, texts:
    make()
