namespace IoBench.Formats.Fio.Reading;

/// <summary>Which of fio's outputs a job was read from.</summary>
internal enum FioForm
{
    /// <summary>JSON or json+.</summary>
    Json,

    /// <summary>The text for people.</summary>
    Normal,

    /// <summary>The line of semicolons.</summary>
    Terse,
}

/// <summary>What one of fio's outputs says of a job, or of a group of jobs that it reports as one. What it does not say is null.</summary>
internal sealed class FioJob
{
    internal FioForm Form { get; init; }
    internal int Line { get; init; }
    internal string Name { get; set; } = "";
    internal string? ToolVersion { get; set; }
    internal string? HostName { get; set; }
    internal string? Description { get; set; }
    internal int Group { get; set; }

    /// <summary>Its process or thread, where the output says it.</summary>
    internal long? ProcessId { get; set; }

    /// <summary>Earlier outputs of the same job, made while it ran.</summary>
    internal int StatusOutputs { get; set; }

    /// <summary>Number of the error that ended the job; 0 = none.</summary>
    internal int Error { get; set; }

    /// <summary>That error in words.</summary>
    internal string? ErrorText { get; set; }

    /// <summary>I/Os that failed while the job went on.</summary>
    internal long? FailedIOs { get; set; }
    internal int? FirstError { get; set; }

    /// <summary>The job's options, those of all jobs among them; null when the output has none.</summary>
    internal FioOptions? Options { get; set; }

    /// <summary>The options are only those that fio's text announces: the others are not known, in place of having their defaults.</summary>
    internal bool Announced { get; set; }

    /// <summary>What IoBench wrote of it beyond fio's figures; null in fio's own outputs.</summary>
    internal FioOptions? OwnFacts { get; set; }

    /// <summary>An option that is not there is not known, in place of having its default.</summary>
    internal bool IsPartial => Announced || OwnFacts is not null;

    /// <summary>Jobs that the figures are of, where the output says it.</summary>
    internal int? Members { get; set; }

    /// <summary>Entries of the same name in the same output: each is one of a job's clones.</summary>
    internal int Clones { get; set; } = 1;

    internal DateTimeOffset? StartTime { get; set; }

    /// <summary>Local time of the output, as printed.</summary>
    internal string? TimeText { get; set; }

    /// <summary>Seconds from fio's start to the output.</summary>
    internal double? ElapsedSeconds { get; set; }

    /// <summary>Milliseconds of all members together.</summary>
    internal double? JobRuntimeMs { get; set; }
    internal double? UserCpu { get; set; }
    internal double? SystemCpu { get; set; }
    internal double? ContextSwitches { get; set; }
    internal double? MajorFaults { get; set; }
    internal double? MinorFaults { get; set; }

    /// <summary>Percent of the I/Os that found no other one outstanding.</summary>
    internal double? DepthOnePercent { get; set; }

    internal FioDirection? Read { get; set; }
    internal FioDirection? Write { get; set; }
    internal FioDirection? Trim { get; set; }

    /// <summary>Reads, writes and trims as one, where the job reports them so.</summary>
    internal FioDirection? Mixed { get; set; }
    internal long? SyncCount { get; set; }
    internal FioLatency? SyncLatency { get; set; }

    /// <summary>Latencies below a microsecond have bands of their own, as they have from fio 3 on.</summary>
    internal bool HasNanoseconds { get; set; }

    /// <summary>Percent of the I/Os by latency.</summary>
    internal List<FioBand> Bands { get; } = [];
    internal string? Device { get; set; }
    internal bool IsCancelled { get; set; }

    /// <summary>Why it is not complete; null when it is.</summary>
    internal string? CutOff { get; set; }
    internal List<string> Warnings { get; } = [];

    private FioDirection?[] Directions => [Read, Write, Trim, Mixed];

    /// <summary>Milliseconds of its longest direction.</summary>
    internal double LongestRuntimeMs => Directions.Max(d => d?.RuntimeMs) ?? 0;

    /// <summary>What it has done, to see whether it has done more since.</summary>
    internal double Amount => Directions.Sum(d => (double?)d?.Bytes ?? 0);

    /// <summary>Whether another form has the same job: name and group, and what both say of times and counts.</summary>
    internal bool IsSameAs(FioJob other) =>
        Name == other.Name
        && Group == other.Group
        && Error == other.Error
        && IsSame(Read, other.Read)
        && IsSame(Write, other.Write)
        && IsSame(Mixed, other.Mixed);

    private static bool IsSame(FioDirection? a, FioDirection? b)
    {
        if (a is null || b is null)
            return true;
        if (a.IOs is { } ios && b.IOs is { } otherIos && ios != otherIos)
            return false;
        // Terse output has whole KiB.
        if (a.Bytes is { } bytes && b.Bytes is { } otherBytes && bytes >> 10 != otherBytes >> 10)
            return false;
        return a.RuntimeMs is null || b.RuntimeMs is null || a.RuntimeMs == b.RuntimeMs;
    }
}

/// <summary>A share of the I/Os between two latencies.</summary>
/// <param name="FromMs">Lower edge, inclusive.</param>
/// <param name="ToMs">Upper edge, exclusive; null = open.</param>
/// <param name="Percent">Share of the job's I/Os.</param>
internal readonly record struct FioBand(double FromMs, double? ToMs, double Percent);

/// <summary>Figures of the reads, the writes or the trims.</summary>
internal sealed class FioDirection
{
    internal long? IOs { get; set; }
    internal long? ShortIOs { get; set; }
    internal long? DroppedIOs { get; set; }
    internal long? Bytes { get; set; }
    internal double? BytesPerSecond { get; set; }
    internal double? Iops { get; set; }
    internal double? RuntimeMs { get; set; }
    internal FioLatency Submission { get; set; } = new();
    internal FioLatency Completion { get; set; } = new();
    internal FioLatency Total { get; set; } = new();
    internal double? IopsDeviation { get; set; }
    internal long? IopsSamples { get; set; }
}

/// <summary>A latency, in the unit its source has.</summary>
internal sealed class FioLatency
{
    /// <summary>The source's units in a millisecond: 1,000,000 for fio 3's JSON, 1,000 for fio 2's.</summary>
    internal double UnitsPerMs { get; set; } = 1e6;
    internal double? Min { get; set; }
    internal double? Max { get; set; }
    internal double? Mean { get; set; }

    /// <summary>Of the sample: its sum of squares is divided by one less than the count.</summary>
    internal double? Deviation { get; set; }
    internal long? Count { get; set; }
    internal List<(double Percent, double Value)> Percentiles { get; private set; } = [];

    /// <summary>Middle of a bucket and the I/Os in it (json+).</summary>
    internal List<(long Value, long Count)> Bins { get; private set; } = [];
    internal bool HasBins => Bins.Count > 0;

    /// <summary>Whether any latency was measured: where there was none, fio prints 0.</summary>
    internal bool IsMeasured => Count is { } count ? count > 0 : Max > 0 || Mean > 0;

    internal double? MinMs => Ms(Min);
    internal double? MaxMs => Ms(Max);
    internal double? MeanMs => Ms(Mean);
    internal double? DeviationMs => Ms(Deviation);

    internal double? Ms(double? value) => IsMeasured ? value / UnitsPerMs : null;
}
