using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioPatternMapper
{
    internal static void SetPattern(IoPattern pattern, FioJobDefinition section, Action<string> note)
    {
        SetOperation(pattern, section);
        SetBlockSize(pattern, section);
        pattern.ThreadCount = section.GetNumber("numjobs", 1, SpecificationValidator.MaxThreads) ?? 1;
        pattern.OutstandingIO = GetQueueDepth(section, note);
        SetBuffering(pattern, section);
        SetRate(pattern, section, note);
        SetThinkTime(pattern, section, note);
        SetContent(pattern, section);
        SetProcessors(pattern, section);
    }

    private static void SetOperation(IoPattern pattern, FioJobDefinition section)
    {
        var options = section.Options;
        (bool random, int writes) = options.OperationKind switch
        {
            "read" => (false, 0),
            "write" => (false, 100),
            "rw" => (false, -1),
            "randread" => (true, 0),
            "randwrite" => (true, 100),
            "randrw" => (true, -1),
            "readwrite" => (false, -1),
            "trim" or "randtrim" or "trimwrite" or "randtrimwrite" => throw section.CreateNotSupportedError(
                $"rw={options.OperationKind}: IoBench does not support trim."
            ),
            _ => throw section.CreateError($"rw={options.OperationKind} is not one of read, write, rw, randread, randwrite, randrw."),
        };
        pattern.WritePercent =
            writes >= 0 ? writes : section.GetNumber("rwmixwrite", 0, 100) ?? 100 - (section.GetNumber("rwmixread", 0, 100) ?? 50);
        pattern.AccessPattern = random ? IoAccessPattern.Random : IoAccessPattern.Sequential;
        if (random && section.GetNumber("percentage_random", 0, 100) is { } share and < 100)
            (pattern.AccessPattern, pattern.RandomPercent) =
                share == 0 ? (IoAccessPattern.Sequential, 100) : (IoAccessPattern.PartRandom, share);
        // All clones of a job start at the same offset.
        if (pattern.AccessPattern == IoAccessPattern.Sequential)
            pattern.ThreadStride = section.GetSize("offset_increment") ?? 0;
        else if (section.GetSize("offset_increment") is > 0)
            throw section.CreateNotSupportedError(
                "IoBench does not support offset_increment with random I/O, because each clone of the job would have to use a separate range of the file."
            );
        SetDistribution(pattern, section);
    }

    private static void SetDistribution(IoPattern pattern, FioJobDefinition section)
    {
        if (
            section.Options["random_distribution"] is not { } text
            || text == "random"
            || pattern.AccessPattern == IoAccessPattern.Sequential
        )
            return;
        var kind = text.Split(':')[0];
        if (kind is "zipf" or "pareto")
        {
            SetSkewedDistribution(pattern, section, text, kind);
            return;
        }
        if (kind is not ("zoned" or "zoned_abs") || text.Contains(',', StringComparison.Ordinal))
            throw section.CreateNotSupportedError(
                $"IoBench does not support random_distribution={text}. Use zipf, pareto, zoned, or zoned_abs, and use the same distribution for reads and writes."
            );
        pattern.DistributionIsAbsolute = kind == "zoned_abs";
        var zones = new List<IoDistributionRange>();
        long before = 0;
        foreach (var zone in text.Split(':')[1..])
        {
            var parts = zone.Split('/');
            // A zone of percents without a size is the rest of the file.
            var part =
                kind == "zoned" && parts is [_, ""] ? 100 - before
                : parts.Length == 2 ? section.Options.ParseSize(parts[1])
                : null;
            if (!int.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out var share) || part is null or < 0)
                throw section.CreateError(
                    $"random_distribution={text}: specify each zone in the form 60/10. The first number is the percentage of the I/Os, and the second is the size of the zone."
                );
            before += kind == "zoned" ? Math.Min(part.Value, 100) : 0;
            zones.Add(new IoDistributionRange(share, part.Value));
        }
        pattern.Distribution = [.. zones];
    }

    /// <summary>fio's defaults are 1.1 for zipf and 0.2 for pareto. A center is ignored: popular blocks are spread over the file.</summary>
    private static void SetSkewedDistribution(IoPattern pattern, FioJobDefinition section, string text, string kind)
    {
        var parts = text.Split(':');
        var value = kind == "zipf" ? 1.1 : 0.2;
        if (parts.Length > 1 && !double.TryParse(parts[1], NumberStyles.Float, CultureInfo.InvariantCulture, out value))
            throw section.CreateError($"random_distribution={text}: {parts[1]} is not a number.");
        if (parts.Length > 2)
            throw section.CreateNotSupportedError(
                $"random_distribution={text}: IoBench does not support a center value. IoBench spreads the most frequently used blocks over the whole file."
            );
        if (kind == "pareto" && value is >= 0.5 and < 1)
            throw section.CreateNotSupportedError($"random_distribution={text} is not supported. Use pareto with a value below 0.5.");
        pattern.SetDistribution(kind == "zipf" ? new IoDistribution { ZipfTheta = value } : new IoDistribution { ParetoShare = value });
    }

    private static void SetBlockSize(IoPattern pattern, FioJobDefinition section)
    {
        var options = section.Options;
        if (GetBlockMix(section) is { } mix)
        {
            // If all sizes are equal, this is not a mix.
            if (mix.GetLargestSize() > mix.GetSmallestSize())
                pattern.SetBlockMix(mix);
            else
                pattern.BlockSize = mix.GetLargestSize();
            SetAlignment(pattern, section);
            return;
        }
        if (options["bsrange"] is not null || options.IsOn("blocksize_unaligned"))
            throw section.CreateNotSupportedError(
                "IoBench does not support a range of block sizes. Use one block size, or several block sizes with percentages (bssplit)."
            );
        var read = options.GetBlockSize(write: false);
        var write = options.GetBlockSize(write: true);
        if ((pattern.WritePercent < 100 && read is not > 0) || (pattern.WritePercent > 0 && write is not > 0))
            throw section.CreateError($"bs={options["bs"]} is not a block size.");
        if (pattern.WritePercent is > 0 and < 100 && read != write)
            pattern.SetBlockMix(new IoBlockMix([new(read!.Value, 100)], [new(write!.Value, 100)]));
        else
            pattern.BlockSize = pattern.WritePercent == 100 ? write!.Value : read!.Value;
        SetAlignment(pattern, section);
        // rw=read:4k skips 4 KB after each I/O. rw=randread:8 has a different meaning and is not handled here.
        if ((options["rw"] ?? "").Split(':') is not [_, var suffix])
            return;
        if (suffix.StartsWith('-'))
            throw section.CreateNotSupportedError($"rw={options["rw"]}: IoBench does not support backward sequential I/O.");
        pattern.Stride =
            pattern.AccessPattern == IoAccessPattern.Sequential && options.ParseSize(suffix) is { } gap and >= 0
                ? pattern.BlockSize + gap
                : throw section.CreateNotSupportedError(
                    $"rw={options["rw"]}: IoBench does not support several sequential I/Os after each random offset. Use percentage_random, which has a similar effect."
                );
    }

    private static void SetAlignment(IoPattern pattern, FioJobDefinition section)
    {
        if (section.Options["blockalign"] is not null && pattern.AccessPattern != IoAccessPattern.Sequential)
            pattern.Alignment = section.GetSize("blockalign");
    }

    /// <summary>Example: <c>bssplit=4k/60:64k/40,64k/100</c>. Null if there is one size.</summary>
    private static IoBlockMix? GetBlockMix(FioJobDefinition section)
    {
        if (section.Options["bssplit"] is not { } text)
            return null;
        // The order is reads, writes, trims. A missing part equals the part before it.
        var kinds = text.Split(',');
        var reads = ParseShares(section, text, kinds[0]);
        return new IoBlockMix(reads, kinds.Length > 1 && kinds[1].Length > 0 ? ParseShares(section, text, kinds[1]) : reads);
    }

    private static List<IoBlockShare> ParseShares(FioJobDefinition section, string text, string side)
    {
        var parts = side.Split(':').Select(part => part.Split('/')).ToList();
        var given = parts
            .Where(part => part.Length > 1 && part[1].Length > 0)
            .Select(part => int.TryParse(part[1], NumberStyles.None, CultureInfo.InvariantCulture, out var share) ? share : -1)
            .ToList();
        var remaining = 100 - given.Sum();
        var without = parts.Count - given.Count;
        if (given.Exists(share => share is < 0 or > 100) || remaining < 0 || parts.Count > 64 || (without == 0 && remaining > 0))
            throw section.CreateError(
                $"bssplit={text}: specify block sizes and percentages in the form 4k/60:64k/40. The percentages must add up to 100."
            );
        var sizes = new List<IoBlockShare>();
        foreach (var part in parts)
        {
            if (section.Options.ParseSize(part[0]) is not (> 0 and var size))
                throw section.CreateError($"bssplit={text}: {part[0]} is not a size.");
            // fio divides the remaining percentage evenly among the sizes without one.
            var isGiven = part.Length > 1 && part[1].Length > 0;
            var share = isGiven
                ? int.Parse(part[1], CultureInfo.InvariantCulture)
                : remaining / without + (sizes.Count == 0 ? remaining % without : 0);
            if (share > 0)
                sizes.Add(new IoBlockShare(size, share));
        }
        return sizes;
    }

    private static int GetQueueDepth(FioJobDefinition section, Action<string> note)
    {
        var depth = section.GetNumber("iodepth", 1, SpecificationValidator.MaxOutstanding) ?? 1;
        if (depth == 1 || !FioOptions.IsSynchronous(section.Options.Engine ?? "psync"))
            return depth;
        note(
            string.Create(
                CultureInfo.InvariantCulture,
                $"iodepth={depth} has no effect {(section.Options.Engine is { } engine ? $"with {engine}" : "without an ioengine such as libaio or io_uring")}, because each thread has only one outstanding I/O"
            )
        );
        return 1;
    }

    private static void SetBuffering(IoPattern pattern, FioJobDefinition section) =>
        pattern.Buffering = (section.Options.IsOn("direct") || section.Options.IsOn("atomic"), section.Options.IsOn("sync")) switch
        {
            (true, true) => IoBuffering.None,
            (true, false) => IoBuffering.Hardware,
            (false, true) => IoBuffering.Software,
            _ => IoBuffering.Both,
        };

    private static void SetRate(IoPattern pattern, FioJobDefinition section, Action<string> note)
    {
        var reads = pattern.WritePercent < 100;
        var writes = pattern.WritePercent > 0;
        if (RateOf("rate_iops") is { } rates)
        {
            var total = rates.Read + rates.Write;
            pattern.TargetIops = total * pattern.ThreadCount;
            var share = (int)Math.Round(100 * rates.Write / total);
            if (reads && writes && share != pattern.WritePercent)
            {
                note(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"rate_iops={section.Options["rate_iops"]} results in {share}% writes and overrides rwmix"
                    )
                );
                pattern.WritePercent = share;
            }
        }
        SetArrivals(pattern, section, note);
        if (RateOf("rate") is not { } bytes)
            return;
        if (pattern.TargetIops is not null)
            note($"rate={section.Options["rate"]} is ignored, because rate_iops is set");
        else
            pattern.MaxBytesPerSecondPerThread = bytes.Read + bytes.Write;

        (double Read, double Write)? RateOf(string name)
        {
            if (section.Options[name] is null)
                return null;
            var read = reads ? section.Options.GetRate(name, write: false) : 0;
            var write = writes ? section.Options.GetRate(name, write: true) : 0;
            return read is null || write is null || read + write <= 0
                ? throw section.CreateError($"{name}={section.Options[name]} is not a rate.")
                : (read.Value, write.Value);
        }
    }

    private static void SetArrivals(IoPattern pattern, FioJobDefinition section, Action<string> note)
    {
        switch (section.Options["rate_process"])
        {
            case null or "linear":
                return;
            case "poisson" when pattern.TargetIops is not null:
                pattern.Arrivals = IoArrivals.Poisson;
                return;
            case "poisson":
                note("rate_process=poisson has no effect without rate_iops");
                return;
            case var other:
                throw section.CreateError($"rate_process={other} is neither linear nor poisson.");
        }
    }

    private static void SetThinkTime(IoPattern pattern, FioJobDefinition section, Action<string> note)
    {
        if (section.GetTime("thinktime", TimeSpan.FromMicroseconds(1)) is not { } time || time <= TimeSpan.Zero)
            return;
        if (pattern.TargetIops is not null)
            throw section.CreateNotSupportedError("thinktime and rate_iops cannot be combined in IoBench. Remove one of these options.");
        pattern.BurstSize = section.GetNumber("thinktime_blocks", 1, 1_000_000) ?? 1;
        pattern.ThinkTimeMs = (int)Math.Min(int.MaxValue, Math.Ceiling(time.TotalMilliseconds));
        if (pattern.ThinkTimeMs != time.TotalMilliseconds)
            note(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"thinktime={section.Options["thinktime"]} becomes {pattern.ThinkTimeMs} ms: IoBench uses whole milliseconds"
                )
            );
    }

    private static void SetContent(IoPattern pattern, FioJobDefinition section)
    {
        // If a job verifies its data, fio writes random bytes and ignores its options for zeros and duplicate blocks.
        var isChecked = FioTestMapper.IsVerificationRequested(section);
        if (section.Options.IsOn("zero_buffers") && !isChecked)
            pattern.WriteContent = IoWriteContentKind.Zero;
        pattern.CompressiblePercent = section.GetNumber("buffer_compress_percentage", 0, 100) ?? 0;
        var repeated = section.GetNumber("dedupe_percentage", 0, 100) ?? 0;
        pattern.DedupablePercent = isChecked ? 0 : repeated;
        pattern.FlushEvery = section.GetNumber("fsync", 0, int.MaxValue) ?? 0;
    }

    private static void SetProcessors(IoPattern pattern, FioJobDefinition section)
    {
        if (section.Options["cpus_allowed"] is not { } text)
            return;
        foreach (var part in text.Split(',', ':'))
        {
            var ends = part.Split('-');
            if (
                ends.Length > 2
                || !int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
                || !int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var last)
                || first > last
                || last > 4095
            )
                throw section.CreateError($"cpus_allowed={text}: specify CPUs in the form 0-3,8.");
            pattern.Processors.AddRange(Enumerable.Range(first, last - first + 1));
        }
        pattern.AffinityMode = section.Options["cpus_allowed_policy"] == "split" ? IoAffinityMode.RoundRobin : IoAffinityMode.Mask;
    }
}
