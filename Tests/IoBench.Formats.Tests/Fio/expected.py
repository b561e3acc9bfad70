#!/usr/bin/env python3
"""Expected results of fio's outputs, worked out without IoBench: python3 expected.py OUTPUT... writes Expected/NAME.json for each.

JSON is read by Python's own parser, text and terse lines by patterns. Each expected result has every flat field that is not null, the percentiles and the
histogram's buckets; a field that is not there must be null.
"""
import json
import math
import os
import re
import sys

SYNC = {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice"}


def size(text, base=1024):
    m = re.fullmatch(r"(\d+)([kmgtp]?)(i?)b?", text.strip().lower())
    if not m:
        return None
    unit = base if not m[3] else (1000 if base == 1024 else 1024)
    return int(m[1]) * unit ** ("_kmgtp".index(m[2]) if m[2] else 0)


def latency_of(direction):
    """(name, latency, unit per ms) of the latency that counts, None when none was measured."""
    for name, unit in (("lat_ns", 1e6), ("lat", 1e3), ("clat_ns", 1e6), ("clat", 1e3)):
        lat = direction.get(name)
        if lat and (lat["N"] > 0 if "N" in lat else lat["max"] > 0 or lat["mean"] > 0):
            return name.split("_")[0], lat, unit
    return None


def clat_of(direction, kind):
    for name, unit in ((kind + "_ns", 1e6), (kind, 1e3)):
        lat = direction.get(name)
        if lat and (lat["N"] > 0 if "N" in lat else lat["max"] > 0 or lat["mean"] > 0):
            return lat, unit
    return None, 1


def edges(value, unit):
    """Edges in ms of fio's bucket with this middle, by search and not by formula."""
    if value < 128:
        return value / unit, (value + 1) / unit
    width = 2
    while not 64 * width <= value < 128 * width:
        width *= 2
    low = value // width * width
    assert low + width // 2 == value
    return low / unit, (low + width) / unit


def merged_percentile(bins, unit, percent):
    total = sum(bins.values())
    seen = 0
    for value in sorted(bins):
        seen += bins[value]
        if seen >= percent / 100 * total:
            return value / unit


def bands_of(job):
    found = []
    steps = [0, 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000]
    for name, scale in (("latency_ns", 1e6), ("latency_us", 1e3), ("latency_ms", 1)):
        for key, percent in job.get(name, {}).items():
            if percent <= 0:
                continue
            if key.startswith(">="):
                found.append((int(key[2:]) / scale, None, percent))
                continue
            low = steps[steps.index(int(key)) - 1]
            if low == 0 and (name == "latency_ms" or (name == "latency_us" and "latency_ns" in job)):
                low = 1
            found.append((low / scale, int(key) / scale, percent))
    return sorted(found, key=lambda b: b[0])


def put(result, **fields):
    for name, value in fields.items():
        if value is not None:
            result[name] = value


def pattern_words(result):
    words = []
    kb = result.get("BlockSizeKB")
    if kb:
        words.append(f"{kb / 1024:.0f}MB" if kb >= 1024 and kb % 1024 == 0 else f"{kb:g}KB")
    order = result.get("AccessPattern")
    if order:
        words.append({"Random": "random", "Sequential": "sequential", "PartRandom": "part random"}[order])
    share = result.get("WritePercent")
    if share is not None:
        words.append({0: "read", 100: "write"}.get(share, f"{share}% write"))
    return " ".join(words)


def set_figures(result, read, write, mixed):
    """Each: dict with ios, bytes, iops, rate, runtime, or None."""
    def plus(a, b):
        return None if a is None or b is None else a + b
    if read is not None:
        put(result, ReadIOPS=read["iops"], ReadMBps=read["rate"] if read["rate"] is None else read["rate"] / 2**20)
    if write is not None:
        put(result, WriteIOPS=write["iops"], WriteMBps=write["rate"] if write["rate"] is None else write["rate"] / 2**20)
    total = mixed
    if total is None and read is not None and write is not None:
        total = {k: plus(read[k], write[k]) for k in ("ios", "bytes", "iops", "rate")}
    if total is not None:
        put(result, IOCount=total["ios"], ByteCount=total["bytes"], IOPS=total["iops"], BandwidthMBps=None if total["rate"] is None else total["rate"] / 2**20)
    longest = max([d["runtime"] or 0 for d in (read, write, mixed) if d is not None] or [0])
    if longest > 0:
        result["DurationSeconds"] = longest / 1000


def set_latency(result, read, write, mixed):
    """Each: (min, max, mean, dev, n) in ms, or None."""
    if read:
        put(result, ReadAverageLatencyMs=read[2])
    if write:
        put(result, WriteAverageLatencyMs=write[2])
    total = mixed or (read if not write else write if not read else None)
    if total:
        put(result, MinLatencyMs=total[0], MaxLatencyMs=total[1], AverageLatencyMs=total[2], LatencyStdDevMs=total[3])
    elif read and write:
        put(result, MinLatencyMs=min(read[0], write[0]), MaxLatencyMs=max(read[1], write[1]))
        n, m = read[4], write[4]
        if n and m:
            mean = (read[2] * n + write[2] * m) / (n + m)
            # The definition, from the sums of squares of both parts around the common mean.
            squares = read[3]**2 * (n - 1) + n * (read[2] - mean)**2 + write[3]**2 * (m - 1) + m * (write[2] - mean)**2
            put(result, AverageLatencyMs=mean, LatencyStdDevMs=math.sqrt(squares / (n + m - 1)))


FLAT = {50: "P50Ms", 90: "P90Ms", 95: "P95Ms", 99: "P99Ms", 99.9: "P999Ms"}


def set_percentiles(result, read, write, mixed, merged):
    """Each: dict percent -> ms, or None; merged(percent) gives the total of both."""
    rows = []
    for p in sorted(set(read or {}) | set(write or {}) | set(mixed or {})):
        r, w = (read or {}).get(p), (write or {}).get(p)
        t = mixed.get(p) if mixed is not None else (w if read is None else r if write is None else merged(p))
        rows.append([p, r, w, t])
        if p in FLAT:
            put(result, **{FLAT[p]: t})
        if p == 99:
            put(result, ReadP99Ms=r, WriteP99Ms=w)
    if rows:
        result["Percentiles"] = rows


def set_options(result, options, clones, job_runtime, longest, capped):
    numjobs = int(options.get("numjobs", 1))
    threads = 1 if clones > 1 else numjobs
    if not (clones == 1 and longest < 10) and not (job_runtime and longest and job_runtime / longest > threads + 0.5):
        result["ThreadCount"] = threads
    kind = options.get("rw", "read").split(":")[0]
    operation = {"read": "Read", "randread": "Read", "write": "Write", "randwrite": "Write", "rw": "Mixed", "readwrite": "Mixed", "randrw": "Mixed"}[kind]
    # A write test that verifies reads too: its figures are of both.
    verifies = operation != "Mixed" and result.get("ReadIOPS") and result.get("WriteIOPS")
    if verifies:
        operation = "Mixed"
    result["Operation"] = operation
    share = {"Read": 0, "Write": 100}.get(operation)
    if share is None and not verifies:
        share = int(options["rwmixwrite"]) if "rwmixwrite" in options else 100 - int(options.get("rwmixread", 50))
    put(result, WritePercent=share)
    result["AccessPattern"] = "Random" if kind.startswith("rand") else "Sequential"
    if "bssplit" not in options:
        result["BlockSizeKB"] = size(options.get("bs", "4k")) / 1024
    depth = int(options.get("iodepth", 1))
    engine = options.get("ioengine")
    put(result, Backend=engine)
    if engine in SYNC or capped:
        depth = 1
    result["OutstandingIO"] = depth
    if "ThreadCount" in result:
        result["TotalOutstanding"] = depth * threads
    own = 1
    if "filename" in options:
        names = re.split(r"(?<!\\):", options["filename"])
        result["Path"] = "; ".join(n.replace("\\:", ":") for n in names)
        result["TargetCount"] = len(names)
    else:
        put(result, Path=options.get("directory"))
        own = result.get("ThreadCount", 0)
        if own:
            result["TargetCount"] = own * int(options.get("nrfiles", 1))
    if "size" in options and own:
        result["FileSizeMB"] = size(options["size"]) * own / 2**20
    direct, sync = options.get("direct") == "1", options.get("sync", "0") not in ("0", "none")
    result["Buffering"] = {(True, True): "None", (True, False): "Hardware", (False, True): "Software", (False, False): "Both"}[(direct, sync)]
    if "rate_iops" in options:
        rates = [size(r) for r in options["rate_iops"].split(",")]
        rate = {"Read": rates[0], "Write": rates[-1], "Mixed": rates[0] + rates[-1]}[operation]
        result["LoadModel"] = "Open"
        put(result, TargetIops=rate * threads if "ThreadCount" in result else None)
    else:
        result["LoadModel"] = "Closed"


def json_job(doc, job, previous_error, cancelled, capped):
    result = {"Source": "Fio", "Status": "Complete", "ToolVersion": doc["fio version"][4:], "Label": job["jobname"]}
    sides = {}
    for name in ("read", "write", "mixed"):
        d = job.get(name)
        if d is None:
            sides[name] = None
            continue
        sides[name] = {
            "ios": d.get("total_ios"), "bytes": d["io_bytes"] if "io_kbytes" in d else d["io_bytes"] * 1024,
            "iops": d["iops"], "rate": d["bw_bytes"] if "bw_bytes" in d else d["bw"] * 1024, "runtime": d["runtime"]}
        if d["runtime"] == 0 and d["io_bytes"] > 0:
            sides[name]["iops"] = sides[name]["rate"] = None
    set_figures(result, sides["read"], sides["write"], sides["mixed"])
    longest = max(d["runtime"] for d in sides.values() if d)
    options = dict(doc.get("global options", {}), **job.get("job options", {}))
    names = [(j["jobname"], j["groupid"]) for j in doc["jobs"]]
    if options:
        set_options(result, options, names.count((job["jobname"], job["groupid"])), job.get("job_runtime"), longest, capped)
    else:
        did = [n for n in ("read", "write") if sides[n] and (sides[n]["bytes"] > 0 or sides[n]["ios"])]
        operation = {("read",): "Read", ("write",): "Write", ("read", "write"): "Mixed"}.get(tuple(did))
        put(result, Operation=operation, WritePercent={"Read": 0, "Write": 100}.get(operation))
        if did and all(sides[n]["ios"] and sides[n]["bytes"] for n in did):
            result["BlockSizeKB"] = sides[did[0]]["bytes"] / sides[did[0]]["ios"] / 1024
    if pattern_words(result):
        result["IOPattern"] = pattern_words(result)
    lat = {}
    for name in ("read", "write", "mixed"):
        found = latency_of(job[name]) if job.get(name) else None
        lat[name] = found and (found[1]["min"] / found[2], found[1]["max"] / found[2], found[1]["mean"] / found[2], found[1]["stddev"] / found[2], found[1].get("N") or job[name].get("total_ios"))
    set_latency(result, lat["read"], lat["write"], lat["mixed"])
    kind = "lat" if any(job.get(n) and clat_of(job[n], "lat")[0] and clat_of(job[n], "lat")[0].get("percentile") for n in ("read", "write", "mixed")) else "clat"
    percentiles, bins, unit = {}, {}, 1
    for name in ("read", "write", "mixed"):
        found, u = clat_of(job[name], kind) if job.get(name) else (None, 1)
        percentiles[name] = found and {float(k): v / u for k, v in found.get("percentile", {}).items() if float(k) > 0}
        bins[name] = found and {int(k): v for k, v in found.get("bins", {}).items()}
        unit = u if found else unit
    both = {}
    for name in ("read", "write"):
        for value, count in (bins[name] or {}).items():
            both[value] = both.get(value, 0) + count
    set_percentiles(result, percentiles["read"], percentiles["write"], percentiles["mixed"], lambda p: merged_percentile(both, unit, p) if bins["read"] and bins["write"] else None)
    only_mixed = bins["mixed"] and not both
    chosen = bins["mixed"] if only_mixed else both
    if chosen:
        total = sum(chosen.values())
        result["Buckets"] = [[*edges(v, unit), None if only_mixed else (bins["read"] or {}).get(v, 0), None if only_mixed else (bins["write"] or {}).get(v, 0), 100 * chosen[v] / total] for v in sorted(chosen)]
    elif bands_of(job):
        result["Buckets"] = [[low, high, None, None, percent] for low, high, percent in bands_of(job)]
    if "job_start" in job or "timestamp_ms" in doc or "timestamp" in doc:
        if "job_start" in job:
            result["StartTime"] = job["job_start"]
        elif "elapsed" in job:
            ms = doc.get("timestamp_ms", doc["timestamp"] * 1000) - job["elapsed"] * 1000
            result["StartTime"] = ms
    if job.get("job_runtime") and result.get("IOCount"):
        result["CpuUsPerIO"] = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] * 1000 / result["IOCount"]
    if result.get("ThreadCount") == 1:
        def deviation(d):
            return d.get("iops_stddev") if d and d.get("iops_samples", 0) > 1 else None
        if job.get("mixed"):
            put(result, IopsStdDev=deviation(job["mixed"]))
        elif sides["write"]["ios"] == 0:
            put(result, IopsStdDev=deviation(job["read"]))
        elif sides["read"]["ios"] == 0:
            put(result, IopsStdDev=deviation(job["write"]))
    if result.get("LoadModel") == "Closed" and "TotalOutstanding" in result and result.get("IOPS"):
        result["LittlesLawLatencyMs"] = result["TotalOutstanding"] / result["IOPS"] * 1000
    disks = doc.get("disk_util", [])
    if len(disks) == 1:
        result["Device"] = disks[0]["name"]
    finish(result, job["error"], previous_error, cancelled)
    return result


def finish(result, error, text, cancelled):
    if error:
        text = text or os.strerror(error)[0].lower() + os.strerror(error)[1:]
        result["Status"] = "Failed"
        result["ErrorId"] = "IoBench.FioFailed"
        result["ErrorMessage"] = f"The fio job ended with error {error} ({text})."
    elif cancelled:
        result["Status"] = "Cancelled"


def number(text):
    m = re.fullmatch(r"\s*([\d.]+)([kMG]?)%?", text)
    return float(m[1]) * 1000 ** " kMG".index(m[2] or " ")


def text_jobs(text):
    announced = {}
    for m in re.finditer(r"^(\S+): \(g=(\d+)\): rw=(\w+), bs=(?:\(R\) )?([\d.]+)(K?)i?B?-.*ioengine=(\w+), iodepth=(\d+)", text, re.M):
        announced[m[1], int(m[2])] = m
    cancelled = "terminating on signal" in text
    version = re.search(r"^fio-(\S+)$", text, re.M)
    disks = re.findall(r"^  (\S+): ios=", text, re.M)
    blocks = re.split(r"^(?=\S+: \(groupid=)|^Run status", text, flags=re.M)
    for block in blocks[1:]:
        m = re.match(r"(\S+): \(groupid=(\d+), jobs=(\d+)\): err= ?(\d+)", block)
        if not m:
            continue
        result = {"Source": "Fio", "Status": "Complete", "Label": m[1], "ThreadCount": int(m[3])}
        put(result, ToolVersion=version and version[1])
        a = announced.get((m[1], int(m[2])))
        kind = a[3]
        block_size = float(a[4]) * (1024 if a[5] else 1)
        operation = "Mixed" if kind.endswith("rw") else "Read" if kind.endswith("read") else "Write"
        put(result, Operation=operation, WritePercent={"Read": 0, "Write": 100}.get(operation), AccessPattern="Random" if kind.startswith("rand") else "Sequential",
            BlockSizeKB=block_size / 1024, Backend=a[6])
        depth = 1 if a[6] in SYNC else int(a[7])
        put(result, OutstandingIO=depth, TotalOutstanding=depth * int(m[3]))
        result["IOPattern"] = pattern_words(result)
        counts = [int(c) for c in re.findall(r"\d+", re.search(r"issued[ rwts]*: total=(\S+)", block)[1])]
        sides, lat, percentiles = {}, {}, {}
        for at, name in enumerate(("read", "write")):
            part = re.search(rf"^ +{name} ?: io=[^\n]*, bw=([\d.]+)(\w+)/s, iops=(\d+), runt= *(\d+)msec()(.*?)(?=^  cpu|^  read|^  write)", block, re.M | re.S)
            if part:
                # fio before 2.15: K and M count by 1024.
                part = [None, None, part[1], part[2].replace("KB", "KiB").replace("MB", "MiB"), part[4], part[6]]
            part = part or re.search(rf"^ +{name}: IOPS=(\S+), BW=([\d.]+)(\w+)/s [^\n]*/(\d+)msec\)(.*?)(?=^  cpu|^  read|^  write|^ write)", block, re.M | re.S)
            if not part:
                sides[name] = {"ios": counts[at], "bytes": 0, "iops": 0, "rate": 0, "runtime": 0} if counts[at] == 0 else {"ios": counts[at], "bytes": None, "iops": None, "rate": None, "runtime": None}
                lat[name] = percentiles[name] = None
                continue
            rate = float(part[2]) * 1024 ** ["B", "KiB", "MiB", "GiB"].index(part[3])
            sides[name] = {"ios": counts[at], "bytes": None, "iops": counts[at] * 1000 / int(part[4]), "rate": rate, "runtime": int(part[4])}
            row = re.search(r"^     lat \((\w)sec\): min=([^,]+), max=([^,]+), avg=([^,]+), stdev=(.+)$", part[5], re.M)
            unit = {"n": 1e6, "u": 1e3, "m": 1}[row[1]]
            lat[name] = tuple(number(row[i]) / unit for i in (2, 3, 4, 5)) + (counts[at],)
            found = re.search(r"    lat percentiles \((\w)sec\):\n((?:     \|.*\n)+)", part[5]) or re.search(r"    clat percentiles \((\w)sec\):\n((?:     \|.*\n)+)", part[5])
            unit = {"n": 1e6, "u": 1e3, "m": 1}[found[1]]
            percentiles[name] = {float(p): int(v) / unit for p, v in re.findall(r"([\d.]+)th=\[ *(\d+)\]", found[2])}
            deviation = re.search(r"^   iops .*stdev= ?([\d.]+), samples=(\d+)", part[5], re.M)
            if deviation and int(m[3]) == 1 and int(deviation[2]) > 1 and operation != "Mixed":
                result["IopsStdDev"] = float(deviation[1])
        set_figures(result, sides["read"], sides["write"], None)
        set_latency(result, lat["read"], lat["write"], None)
        set_percentiles(result, percentiles["read"], percentiles["write"], None, lambda p: None)
        bands = {}
        for unit, row in re.findall(r"^ +lat \((\wsec)\) +: (.+)$", block, re.M):
            for edge, percent in re.findall(r"([\d>=]+)=([\d.]+)%", row):
                bands.setdefault("latency_" + unit[0] + "s", {})[edge] = float(percent)
        if not (version and version[1].startswith("2.")):
            bands.setdefault("latency_ns", {})
        if bands_of(bands):
            result["Buckets"] = [[low, high, None, None, percent] for low, high, percent in bands_of(bands)]
        if len(disks) == 1:
            result["Device"] = disks[0]
        error = re.search(r"error=([^)]+)\)", block)
        finish(result, int(m[4]), error and error[1], cancelled)
        yield result


def terse_job(line, failure):
    f = line.split(";")
    version = int(f[0])
    at = 5 if version > 2 else 4
    result = {"Source": "Fio", "Status": "Complete", "Label": f[at - 3]}
    if version > 2:
        result["ToolVersion"] = f[1][4:]
    length = 47 if version == 5 else 41
    sides, lat, percentiles = {}, {}, {}
    for name in ("read", "write"):
        d = f[at:at + length]
        at += length
        kb, rate, iops, runtime = (int(x) for x in d[:4])
        sides[name] = {"ios": None, "bytes": kb * 1024, "iops": iops, "rate": rate * 1024, "runtime": runtime}
        values = [float(x) / 1000 for x in d[32:36]]
        lat[name] = tuple(values) + (None,) if values[2] > 0 else None
        percentiles[name] = {float(p): int(v) / 1000 for p, v in (x.split("%=") for x in d[12:32]) if float(p) > 0} if float(d[10]) > 0 else None
    if version != 3:
        at += length
    set_figures(result, sides["read"], sides["write"], None)
    set_latency(result, lat["read"], lat["write"], None)
    set_percentiles(result, percentiles["read"], percentiles["write"], None, lambda p: None)
    did = tuple(n for n in ("read", "write") if sides[n]["bytes"] > 0)
    if did:
        result["Operation"] = {("read",): "Read", ("write",): "Write", ("read", "write"): "Mixed"}[did]
        put(result, WritePercent={"Read": 0, "Write": 100}.get(result["Operation"]))
    if pattern_words(result):
        result["IOPattern"] = pattern_words(result)
    at += 12
    names = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000]
    bands = {"latency_us": {str(n): float(f[at + i][:-1]) for i, n in enumerate(names)}}
    bands["latency_ms"] = {str(n): float(f[at + 10 + i][:-1]) for i, n in enumerate(names + [2000])}
    bands["latency_ms"][">=2000"] = float(f[at + 21][:-1])
    if bands_of(bands):
        result["Buckets"] = [[low, high, None, None, percent] for low, high, percent in bands_of(bands)]
    at += 22
    if at + 8 < len(f) and f[at + 8].endswith("%"):
        result["Device"] = f[at]
    finish(result, int(f[4 if version > 2 else 3]), failure, False)
    return result


def results_of(text):
    docs = []
    at = 0
    while (at := text.find('{\n  "fio version"', at)) >= 0:
        doc, end = json.JSONDecoder().raw_decode(text, at)
        docs.append(doc)
        at = end
    failure = re.search(r"^fio: pid=.*error=(.+)$", text, re.M)
    failure = failure and failure[1]
    if docs:
        cancelled = "terminating on signal" in text
        if len({d.get("timestamp", 0) for d in docs}) > 1 and len({d["jobs"][0]["jobname"] for d in docs}) == 1:
            docs = docs[-1:]
        capped = "queue depth will be capped at 1" in text
        return [json_job(doc, job, failure, cancelled, capped) for doc in docs for job in doc["jobs"]]
    blocks = list(text_jobs(text))
    if blocks:
        return blocks
    return [terse_job(line, failure) for line in text.splitlines() if re.match(r"[2-5];", line)]


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Expected")
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            results = results_of(file.read())
        assert results, path
        with open(os.path.join(folder, os.path.basename(path) + ".json"), "w", encoding="utf-8") as file:
            file.write("[\n" + ",\n".join(json.dumps(r) for r in results) + "\n]\n")


main()
