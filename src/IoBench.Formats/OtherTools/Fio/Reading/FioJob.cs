using System.Globalization;

namespace IoBench.Formats;

internal enum FioOutputKind
{
    Json,

    Normal,

    Terse,
}

/// <summary>Values of a job, or of a group of jobs, from one of fio's outputs. Values that the output does not state are null.</summary>
internal sealed class FioJob
{
    internal FioOutputKind OutputKind { get; init; }
    internal int Line { get; init; }
    internal string Name { get; set; } = "";
    internal string? ToolVersion { get; set; }
    internal string? HostName { get; set; }
    internal string? Description { get; set; }
    internal int Group { get; set; }

    internal long? ProcessId { get; set; }

    internal int EarlierOutputCount { get; set; }

    /// <summary>Number of the error that ended the job; 0 if there was no error.</summary>
    internal int Error { get; set; }

    internal string? ErrorText { get; set; }

    internal long? FailedIOs { get; set; }
    internal int? FirstError { get; set; }

    /// <summary>Options of the job, including the options for all jobs; null if the output has none.</summary>
    internal FioOptions? Options { get; set; }

    /// <summary>The options are only those of normal output. The others are unknown and do not have fio's defaults.</summary>
    internal bool HasOnlyAnnouncedOptions { get; set; }

    /// <summary>Values that IoBench wrote in addition to fio's; null in fio's own outputs.</summary>
    internal FioOptions? ExtensionValues { get; set; }

    internal bool IsPartial => HasOnlyAnnouncedOptions || ExtensionValues is not null;

    internal int? MemberCount { get; set; }

    internal int CloneCount { get; set; } = 1;

    internal DateTimeOffset? StartTime { get; set; }

    internal string? TimeText { get; set; }

    internal double? ElapsedSeconds { get; set; }

    /// <summary>Milliseconds, the total of all jobs in the group.</summary>
    internal double? JobRuntimeMs { get; set; }
    internal double? UserCpu { get; set; }
    internal double? SystemCpu { get; set; }
    internal double? ContextSwitches { get; set; }
    internal double? MajorFaults { get; set; }
    internal double? MinorFaults { get; set; }

    /// <summary>Percentage of I/Os that found no other I/O outstanding.</summary>
    internal double? DepthOnePercent { get; set; }

    internal FioDirection? Read { get; set; }
    internal FioDirection? Write { get; set; }
    internal FioDirection? Trim { get; set; }

    /// <summary>Reads that verified the data after a write job; null if there were none. They are not in <see cref="Read"/>.</summary>
    internal FioDirection? Verification { get; private set; }

    /// <summary>Reads, writes, and trims together, if the job reports them together (<c>unified_rw_reporting</c>).</summary>
    internal FioDirection? Mixed { get; set; }
    internal long? SyncCount { get; set; }
    internal FioLatency? SyncLatency { get; set; }

    internal bool HasNanosecondBuckets { get; set; }

    internal List<(double FromMs, double? ToMs, double Percent)> LatencyBuckets { get; } = [];
    internal string? Device { get; set; }
    internal bool IsCanceled { get; set; }

    /// <summary>Reason why the job is incomplete; null if it is complete.</summary>
    internal string? IncompleteReason { get; set; }
    internal List<string> Warnings { get; } = [];

    private FioDirection?[] Directions => [Read, Write, Trim, Mixed];

    internal double LongestRuntimeMs => Directions.Max(d => d?.RuntimeMs) ?? 0;

    internal double TotalBytes => Directions.Sum(d => (double?)d?.Bytes ?? 0);

    /// <summary>fio counts the reads of a write job's verification as reads of the job.</summary>
    internal void SeparateVerification()
    {
        if (
            Options is not { } options
            || Read is not ({ IOs: > 0 } or { Bytes: > 0 })
            || !(HasOnlyAnnouncedOptions || options.IsOn("verify"))
        )
            return;
        if (options.OperationKind is not ("write" or "randwrite"))
        {
            if (options.OperationKind is "rw" or "readwrite" or "randrw" && options.IsOn("verify"))
                Warnings.Add(
                    "The read results of fio include the reads that verified data (option verify), so there can be more reads than the pattern specifies."
                );
            return;
        }
        if (Write is not ({ IOs: > 0 } or { Bytes: > 0 }))
        {
            Warnings.Add("These reads only verified data (verify_only). Their results do not show the performance of the pattern.");
            return;
        }
        Verification = Read;
        Read = FioDirection.CreateEmpty();
        // fio adds up the intervals and the CPU time of both passes.
        LatencyBuckets.Clear();
        UserCpu = null;
        SystemCpu = null;
        Warnings.Add(
            string.Create(
                CultureInfo.InvariantCulture,
                $"fio read the data again to verify it ({Verification.IOs} reads, {Verification.Iops:0} IOPS). These reads are not part of the result."
            )
        );
    }

    internal bool IsSameJob(FioJob other) =>
        Name == other.Name
        && Group == other.Group
        && Error == other.Error
        && HasSameTotals(Read, other.Read)
        && HasSameTotals(Write, other.Write)
        && HasSameTotals(Mixed, other.Mixed);

    private static bool HasSameTotals(FioDirection? a, FioDirection? b)
    {
        if (a is null || b is null)
            return true;
        if (a.IOs is { } ios && b.IOs is { } otherIos && ios != otherIos)
            return false;
        // Terse output rounds bytes to KiB.
        if (a.Bytes is { } bytes && b.Bytes is { } otherBytes && bytes >> 10 != otherBytes >> 10)
            return false;
        return a.RuntimeMs is null || b.RuntimeMs is null || a.RuntimeMs == b.RuntimeMs;
    }

    internal static readonly int[] BucketEdges = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

    /// <summary>Largest plausible percentage. Rounding errors add up, so fio can print more than 100%.</summary>
    internal const double MaxPercent = 101;
    private const int MaxLatencyBuckets = 40;

    /// <param name="edge">Upper edge; for the last bucket the lower edge.</param>
    internal void AddLatencyBucket(double? edge, bool isLast, double unitMs, double percent)
    {
        var at = edge is >= 2 and <= 2000 ? Array.IndexOf(BucketEdges, (int)edge.Value) : -1;
        if (at < 0 || LatencyBuckets.Count >= MaxLatencyBuckets)
            return;
        var perMs = Math.Round(1 / unitMs);
        // The first bucket of a unit starts where the next smaller unit ends. fio 2 has no nanoseconds.
        double from;
        if (isLast)
            from = edge!.Value;
        else if (at > 0)
            from = BucketEdges[at - 1];
        else
            from = unitMs > 0.1 || (unitMs > 1e-5 && HasNanosecondBuckets) ? 1 : 0;
        LatencyBuckets.Add((from / perMs, isLast ? null : edge / perMs, percent));
    }
}

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

    internal static FioDirection CreateEmpty() =>
        new()
        {
            IOs = 0,
            Bytes = 0,
            Iops = 0,
            BytesPerSecond = 0,
        };
}

internal sealed class FioLatency
{
    /// <summary>Units of the source per millisecond: 1,000,000 in fio 3's JSON, 1,000 in fio 2's.</summary>
    internal double UnitsPerMs { get; set; } = 1e6;
    internal double? Min { get; set; }
    internal double? Max { get; set; }
    internal double? Mean { get; set; }

    /// <summary>Sample standard deviation (divisor n - 1).</summary>
    internal double? Deviation { get; set; }
    internal long? Count { get; set; }
    internal List<(double Percent, double Value)> Percentiles { get; private set; } = [];

    internal List<(long Value, long Count)> Bins { get; private set; } = [];
    internal bool HasBins => Bins.Count > 0;

    /// <summary>True if a latency was measured. fio prints 0 if it measured none.</summary>
    internal bool IsMeasured => Count is { } count ? count > 0 : Max > 0 || Mean > 0;

    internal double? MinMs => ToMilliseconds(Min);
    internal double? MaxMs => ToMilliseconds(Max);
    internal double? MeanMs => ToMilliseconds(Mean);
    internal double? DeviationMs => ToMilliseconds(Deviation);

    internal double? ToMilliseconds(double? value) => IsMeasured ? value / UnitsPerMs : null;
}
