#!/usr/bin/python3
"""The analysis of Nsight Systems JSON that users run as a notebook, with the same use of pandas: whole tables are
searched for each event. Our scripts are compared with it; it is not an example to follow.

usage: notebook.py TRACE.json [ROWS]     prints counts and sums; ROWS limits the calls and ranges
"""
import json
import re
import sys
import warnings

import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")
EVENTS = [".*convolutionforward.*", ".*convolutionbackwarddata.*", ".*streamsynchronize"]
RANGES = ["Prediction and loss", "FWD pass", "BWD pass", "Iteration .*"]
IDS = [232, 340, 447, 500]
SECOND = 10e-10
INTEGERS = ["NvtxEvent.Timestamp", "NvtxEvent.EndTimestamp", "CudaEvent.startNs", "CudaEvent.endNs",
            "CudaEvent.correlationId", "CudaEvent.sync.eventId", "TraceProcessEvent.correlationId",
            "TraceProcessEvent.name", "TraceProcessEvent.startNs", "TraceProcessEvent.endNs", "id"]


def load(path):
    """Returns one wide table with a row for each line."""
    df = pd.json_normalize([json.loads(line) for line in open(path)])
    for column in INTEGERS:
        if column in df.columns:
            df[column] = df[column].astype(float).fillna(-1).astype(np.int64).replace(-1, np.nan)
    return df


def part(df, column):
    return df[df[column].notna()].dropna(axis=1, how="all").copy()


def timed(df, start, end):
    df["start"] = df[start] * SECOND
    df["end"] = df[end] * SECOND
    df["duration"] = (df[end] - df[start]) * SECOND
    return df


def matches(text, patterns):
    return any(re.search(pattern, text, re.I) for pattern in patterns)


def by_correlation(df, number):
    """Returns the rows with that id in any column of ids."""
    found = [df[df[column] == number] for column in df.columns if "correlationid" in column.lower()]
    return pd.concat(found).dropna(axis=1, how="all")


def kernel_names(df, names, number):
    found = by_correlation(df, number)
    if not len(found) or "CudaEvent.kernel.shortName" not in found.columns:
        return []
    short = found["CudaEvent.kernel.shortName"]
    return [names[names["id"] == int(i)]["value"].values[0] for i in short[short.notna()].values]


def enclosing(nvtx, start, end):
    """Returns the texts of the ranges that enclose a time."""
    ranges = nvtx[nvtx["end"].notna()].copy()
    ranges = ranges[ranges["start"] <= start]
    ranges = ranges[ranges["end"] >= end]
    return ranges["NvtxEvent.Text"].values


def kernels_within(start, end, traces, kernels, names):
    """Returns the kernels of the calls within a time."""
    calls = traces[traces["start"] >= start]
    calls = calls[calls["end"] <= end]
    result = pd.DataFrame(columns=["correlationId", "api_start", "api_end", "kernel", "start", "end", "duration"])
    for _, row in calls.iterrows():
        number = row["TraceProcessEvent.correlationId"]
        if not number or np.isnan(number):
            continue
        found = by_correlation(kernels, number)
        if not len(found):
            continue
        name = kernel_names(kernels, names, number)
        result.loc[len(result)] = [number, row["start"], row["end"], name[0], found["start"].values[0],
                                   found["end"].values[0], found["duration"].values[0]]
    return result


def main(path, most):
    df = load(path)
    nvtx = part(df, "NvtxEvent.Timestamp")
    nvtx["start"] = nvtx["NvtxEvent.Timestamp"] * SECOND
    nvtx["end"] = (nvtx["NvtxEvent.EndTimestamp"].fillna(0) * SECOND).replace(0, np.nan)
    traces = timed(part(df, "TraceProcessEvent.startNs"), "TraceProcessEvent.startNs", "TraceProcessEvent.endNs")
    kernels = timed(part(df, "CudaEvent.kernel.shortName"), "CudaEvent.startNs", "CudaEvent.endNs")
    names = part(df, "value")

    # Selects the calls whose names match EVENTS, and finds the ranges that enclose each call.
    wanted = names[names.apply(lambda row: matches(row["value"], EVENTS), axis=1)]
    calls = traces[traces["TraceProcessEvent.name"].isin(wanted["id"])].dropna(axis=1, how="all").head(most).copy()
    calls["name"] = calls["TraceProcessEvent.name"].apply(lambda i: wanted[wanted["id"] == i]["value"].values[0])
    calls["NVTX"] = calls.apply(lambda row: enclosing(nvtx, row["start"], row["end"]), axis=1)
    print("calls", len(calls))

    # Measures each call, the kernels launched during the call ("range"), and the device work with its correlation id
    # ("corr").
    events = []
    for _, row in calls.iterrows():
        text = ",".join(row["NVTX"])
        events.append([row["name"], text, "cpu", row["duration"], 0])
        found = kernels_within(row["start"], row["end"], traces, kernels, names)
        if len(found):
            events.append([row["name"], text, "range", found["end"].max() - found["start"].min(), len(found)])
        if row["TraceProcessEvent.correlationId"] != 0:
            device = by_correlation(df, row["TraceProcessEvent.correlationId"])
            if "CudaEvent.startNs" in device.columns:
                device = device[device["CudaEvent.startNs"].notna()]
                length = device["CudaEvent.endNs"].max() - device["CudaEvent.startNs"].min()
                events.append([row["name"], text, "corr", length * SECOND, 0])
    events = pd.DataFrame(events, columns=["name", "NVTX", "how", "duration", "kernels"])
    print(events.groupby("how")["duration"].agg(["count", "sum"]))

    # Computes the device time of each range, from the kernels of the calls that the range encloses.
    ranges = nvtx[nvtx.apply(lambda row: matches(row["NvtxEvent.Text"], RANGES), axis=1)].head(most)
    spans = []
    for _, row in ranges.iterrows():
        outer = [text for text in enclosing(nvtx, row["start"], row["end"]) if text != row["NvtxEvent.Text"]]
        found = kernels_within(row["start"], row["end"], traces, kernels, names)
        spans.append([row["NvtxEvent.Text"], ",".join(outer), found["end"].max() - found["start"].min(), len(found)])
    spans = pd.DataFrame(spans, columns=["name", "NVTX", "duration", "kernels"])
    print(len(spans), spans["duration"].sum(), spans["kernels"].sum())

    # Adds up the times by iteration, and counts the records with each id.
    device = events[events["how"] == "range"].copy()
    device["iteration"] = device["NVTX"].str.extract(r"Iteration (\d+)", expand=False)
    forward = device[device["name"].str.contains("convolutionForward", case=False)]
    print(len(forward.groupby("iteration")[["duration", "kernels"]].sum()))
    print(len(device.groupby(["NVTX", "name", "iteration"])[["duration", "kernels"]].sum()))
    print(sum(len(by_correlation(df, number)) for number in IDS))


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
