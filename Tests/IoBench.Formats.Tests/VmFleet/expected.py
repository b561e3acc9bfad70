#!/usr/bin/env python3
"""Expected results of VMFleet's tables, worked out without IoBench: python3 expected.py TABLE... writes Expected/NAME.json for each."""
import csv
import json
import os
import sys


def result_of(row):
    r = {"Source": "VmFleet", "Status": "Complete", "LoadModel": "Closed", "IOPS": float(row["IOPS"])}
    for name, column in (("Label", "RunLabel"), ("Label", "Result"), ("Workload", "Workload")):
        if row.get(column) and name not in r:
            r[name] = row[column]
    for name, column in (("CpuPercent", "AverageCPU"), ("CpuPercent", "AVCPU"), ("ReadIOPS", "AverageReadIOPS"), ("WriteIOPS", "AverageWriteIOPS")):
        if column in row:
            r[name] = float(row[column])
    latency = {}
    if "AverageReadBW" in row:
        r["ReadMBps"], r["WriteMBps"] = float(row["AverageReadBW"]) / 2**20, float(row["AverageWriteBW"]) / 2**20
        r["BandwidthMBps"] = (float(row["AverageReadBW"]) + float(row["AverageWriteBW"])) / 2**20
        latency = {s: float(row[f"Average{s}Milliseconds"]) for s in ("Read", "Write")}
    else:
        latency = {"Read": float(row["AVRLat"]) * 1000, "Write": float(row["AVWLat"]) * 1000}
        r["WritePercent"] = int(row["WriteRatio"])
        r["Operation"] = {0: "Read", 100: "Write"}.get(r["WritePercent"], "Mixed")
    for side, value in latency.items():
        if value > 0:
            r[f"{side}AverageLatencyMs"] = value
    if "ReadIOPS" in r:
        did = [s for s in ("Read", "Write") if r[f"{s}IOPS"] > 0]
        r["Operation"] = did[0] if len(did) == 1 else "Mixed"
        r["AverageLatencyMs"] = sum(r[f"{s}IOPS"] * latency[s] for s in did) / sum(r[f"{s}IOPS"] for s in did)
        if len(did) == 1:
            r["WritePercent"] = 0 if did == ["Read"] else 100
        if "Result" in row:
            r["Percentiles"] = []
            for p in (50, 90, 99):
                values = {s: float(row[f"{s}Milliseconds{p}"]) if s in did else None for s in ("Read", "Write")}
                total = values[did[0]] if len(did) == 1 else None
                r["Percentiles"].append([p, values["Read"], values["Write"], total])
                if total is not None:
                    r[f"P{p}Ms"] = total
            for s in did:
                r[f"{s}P99Ms"] = float(row[f"{s}Milliseconds99"])
    if "WritePercent" in r:
        r["IOPattern"] = {0: "read", 100: "write"}.get(r["WritePercent"], f"{r['WritePercent']}% write")
    return r


folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Expected")
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        results = [result_of(row) for row in csv.DictReader(file, delimiter="\t")]
    with open(os.path.join(folder, os.path.basename(path) + ".json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(r) for r in results) + "\n]\n")
