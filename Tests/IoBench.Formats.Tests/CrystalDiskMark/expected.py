#!/usr/bin/env python3
"""Expected results of CrystalDiskMark's texts, worked out without IoBench: python3 expected.py TEXT... writes Expected/NAME.json for each."""
import json
import os
import re
import sys


def texts(content):
    """Each saved text: from its heading to the next."""
    return re.split(r"(?=^CrystalDiskMark \d)", content, flags=re.M)[1:]


def rows(text):
    section = None
    for line in text.split("\n"):
        line = line.strip()
        mix = re.match(r"\[Mix\] Read (\d+)%/Write (\d+)%", line)
        section = 0 if line == "[Read]" else 100 if line == "[Write]" else int(mix[2]) if mix else section
        rate = re.search(r":\s*([\d.]+) MB/s", line)
        if rate and float(rate[1]) > 0:
            yield line, section, float(rate[1])


def pattern(kb, random, write):
    size = "" if kb is None else (f"{kb // 1024:g}MB " if kb >= 1024 else f"{kb:g}KB ")
    return size + ("random" if random else "sequential") + {0: " read", 100: " write"}.get(write, f" {write}% write")


def result_of(text, line, section, rate):
    version = re.match(r"CrystalDiskMark (\S+)", text)[1]
    random = line.startswith(("Random", "RND"))
    write = 100 if " Write" in line else 0 if " Read" in line else section
    size = re.search(r"(\d+)\s*([KM])i?B[ :]", line)
    kb = None if not size else int(size[1]) * (1024 if size[2] == "M" else 1)
    q, t = re.search(r"QD?= *(\d+)", line), re.search(r"T= *(\d+)", line)
    if kb is None and version[0] in "56" and q:
        kb = 128
    r = {"Source": "CrystalDiskMark", "Status": "Complete", "ToolVersion": version, "LoadModel": "Closed", "WritePercent": write,
         "Operation": {0: "Read", 100: "Write"}.get(write, "Mixed"), "AccessPattern": "Random" if random else "Sequential", "IOPattern": pattern(kb, random, write),
         "BandwidthMBps": rate * 1000000 / 1048576}
    if kb is not None:
        r["BlockSizeKB"] = kb
    iops, us = re.search(r"([\d.]+) IOPS", line), re.search(r"([\d.]+) us", line)
    if iops:
        r["IOPS"] = float(iops[1])
    if us:
        r["AverageLatencyMs"] = float(us[1]) / 1000
    queue = int(q[1]) if q else 1 if t else None
    if t:
        r["ThreadCount"], r["OutstandingIO"] = int(t[1]), queue
    if queue:
        r["TotalOutstanding"] = queue * (int(t[1]) if t else 1)
        if iops:
            r["LittlesLawLatencyMs"] = r["TotalOutstanding"] / r["IOPS"] * 1000
    side = {0: "Read", 100: "Write"}.get(write)
    if side:
        for name, own in (("BandwidthMBps", "MBps"), ("IOPS", "IOPS"), ("AverageLatencyMs", "AverageLatencyMs")):
            if name in r:
                r[side + own] = r[name]
    test = re.search(r"^ *Test ?: (\d+) (\w+)(.*)$", text, re.M)
    if test:
        if test[2] in ("MiB", "GiB"):
            r["FileSizeMB"] = int(test[1]) * (1024 if test[2] == "GiB" else 1)
        drive = re.search(r"\[([A-Z]:)", test[3])
        if drive:
            r["Path"], r["TargetCount"] = drive[1], 1
    time = re.search(r"Measure (\d+) sec", text)
    if time:
        r["DurationSeconds"] = int(time[1])
    comment = re.search(r"^Comment: (.+?)\r?$", text, re.M) or re.search(r"^ +OS : .*\n  (\S.*?)\r?$", text, re.M)
    if comment:
        r["Label"] = comment[1]
    return r


folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Expected")
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        content = file.read()
    results = [result_of(text, *row) for text in texts(content) for row in rows(text)]
    assert results, path
    with open(os.path.join(folder, os.path.basename(path) + ".json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(r) for r in results) + "\n]\n")
