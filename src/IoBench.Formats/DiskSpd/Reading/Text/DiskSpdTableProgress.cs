namespace IoBench.Formats;

/// <summary>Tables of a timespan that have begun and that are complete, to detect truncated text.</summary>
internal struct DiskSpdTableProgress
{
    private int _began;
    private int _whole;

    internal void MarkBegun(DiskSpdIoTable.TableKind section) => _began |= 1 << (int)section;

    internal void MarkComplete(DiskSpdIoTable.TableKind section) => _whole |= 1 << (int)section;

    internal readonly bool HasBegun(DiskSpdIoTable.TableKind section) => (_began & (1 << (int)section)) != 0;

    internal readonly bool HasTotal(DiskSpdIoTable.TableKind section) => (_whole & (1 << (int)section)) != 0;

    internal readonly bool IsComplete(DiskSpdRun run, DiskSpdTimespan? span) => span is not null && DescribeMissing(run, span, 0) is null;

    /// <summary>Returns a sentence about what is missing; null if the timespan is complete.</summary>
    internal readonly string? DescribeMissing(DiskSpdRun run, DiskSpdTimespan span, int line)
    {
        if (span.Interruption is not null)
            return null;
        var names = new List<string>(4);
        if (!HasTotal(DiskSpdIoTable.TableKind.Total))
            names.Add("Total IO");
        if (!HasTotal(DiskSpdIoTable.TableKind.Read))
            names.Add("Read IO");
        if (!HasTotal(DiskSpdIoTable.TableKind.Write))
            names.Add("Write IO");
        var index = span.Number - 1;
        var latency = index >= 0 && index < run.Specifications.Count && run.Specifications[index].GetOrAddOrigin().DiskSpd!.MeasureLatency;
        if (latency && !span.Percentiles.Exists(p => p.Percent == 100))
            names.Add("latency percentiles");
        return names.Count == 0 ? null : $"The output is not whole (up to line {line}): no end of {string.Join(", ", names)}.";
    }
}
