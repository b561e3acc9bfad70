namespace IoBench.Formats;

internal sealed class FioTextJobParser(FioJob job)
{
    private const int MaxPercentiles = 64;

    private FioDirection? _direction;
    private FioLatency? _percentiles;
    private bool _inSync;

    internal bool IsComplete { get; private set; }

    internal bool TryParseLine(ReadOnlySpan<char> line)
    {
        var text = line.Trim();
        if (text.IsEmpty)
            return true;
        if (text[0] == '|')
            return ParsePercentiles(text[1..]);
        _percentiles = null;
        return TryParseDirection(text) || TryParseLatency(text) || TryParseOther(text);
    }

    private bool TryParseDirection(ReadOnlySpan<char> text)
    {
        var colon = text.IndexOf(':');
        if (colon <= 0)
            return false;
        var isOld = text.IndexOf("runt=") > 0;
        if (text.IndexOf("IOPS=") < 0 && !isOld)
            return false;
        var direction = new FioDirection();
        switch (text[..colon].TrimEnd())
        {
            case "read":
                job.Read = direction;
                break;
            case "write":
                job.Write = direction;
                break;
            case "trim":
                job.Trim = direction;
                break;
            case "mixed":
                job.Mixed = direction;
                break;
            default:
                return false;
        }
        _direction = direction;
        _inSync = false;
        if (isOld)
        {
            direction.BytesPerSecond = FioValueParser.ParseBytes(FioValueParser.FindValue(text, "bw"), 1024);
            direction.Iops = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "iops"));
            direction.RuntimeMs = FioValueParser.ParseReal(FioValueParser.FindValue(text, "runt").TrimEnd("msec"));
        }
        else
        {
            direction.BytesPerSecond = FioValueParser.ParseBytes(FioValueParser.FindValue(text, "BW"), 1000);
            direction.Iops = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "IOPS"));
            var end = text.LastIndexOf("msec)");
            var slash = end < 0 ? -1 : text[..end].LastIndexOf('/');
            direction.RuntimeMs = slash < 0 ? null : FioValueParser.ParseReal(text[(slash + 1)..end]);
        }
        return true;
    }

    private bool TryParseLatency(ReadOnlySpan<char> text)
    {
        var bracket = text.IndexOf('(');
        var isPercentiles = bracket > 0 && text[..bracket].TrimEnd().EndsWith("percentiles");
        if (FioValueParser.ParseUnitsPerMs(text) is not { } unitsPerMs || bracket <= 0)
            return false;
        var name = text[..bracket].TrimEnd();
        if (isPercentiles)
            name = name[..^"percentiles".Length].TrimEnd();
        var latency = name switch
        {
            "slat" => _direction?.Submission,
            "clat" => _direction?.Completion,
            "lat" => _direction?.Total,
            "sync" when _inSync => job.SyncLatency ??= new FioLatency { UnitsPerMs = unitsPerMs },
            _ => null,
        };
        // Percentiles by priority describe parts of the same I/Os, so skip them.
        if (isPercentiles)
        {
            _percentiles = latency;
            _percentilesUnit = unitsPerMs;
            return true;
        }
        if (name is "lat" && text.IndexOf("min=") < 0)
            return ParseLatencyBuckets(text, 1 / unitsPerMs);
        if (latency is null)
            return true;
        latency.UnitsPerMs = unitsPerMs;
        latency.Min = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "min"));
        latency.Max = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "max"));
        latency.Mean = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "avg"));
        latency.Deviation = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "stdev"));
        return true;
    }

    private double _percentilesUnit;

    /// <summary>Example: <c> 1.00th=[ 35], 5.00th=[ 38],</c>. These lines have their own unit.</summary>
    private bool ParsePercentiles(ReadOnlySpan<char> text)
    {
        while (_percentiles is not null && text.IndexOf("th=[") is > 0 and var at)
        {
            var percent = FioValueParser.ParseReal(text[..at].TrimStart(" ,"));
            text = text[(at + 4)..];
            var end = text.IndexOf(']');
            if (end < 0)
                break;
            if (
                percent is > 0 and <= 100
                && FioValueParser.ParseReal(text[..end]) is { } value
                && _percentiles.Percentiles.Count < MaxPercentiles
            )
                _percentiles.Percentiles.Add((percent.Value, value * (_percentiles.UnitsPerMs / _percentilesUnit)));
            text = text[(end + 1)..];
        }
        return true;
    }

    private bool ParseLatencyBuckets(ReadOnlySpan<char> text, double unitMs)
    {
        var colon = text.IndexOf(':');
        foreach (var part in text[(colon + 1)..].ToString().Split(','))
        {
            var isLast = part.TrimStart().StartsWith(">=", StringComparison.Ordinal);
            var pair = part.Trim().TrimStart('>', '=').Split('=');
            if (pair.Length == 2 && FioValueParser.ParseReal(pair[1].TrimEnd('%')) is > 0 and <= 100 and var percent)
                job.AddLatencyBucket(FioValueParser.ParseReal(pair[0]), isLast, unitMs, percent);
        }
        return true;
    }

    private bool TryParseOther(ReadOnlySpan<char> text)
    {
        if (text.StartsWith("issued "))
            return ParseIOCounts(text);
        if (text.StartsWith("cpu "))
        {
            job.UserCpu = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "usr"));
            job.SystemCpu = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "sys"));
            job.ContextSwitches = FioValueParser.ParseReal(FioValueParser.FindValue(text, "ctx"));
            job.MajorFaults = FioValueParser.ParseReal(FioValueParser.FindValue(text, "majf"));
            job.MinorFaults = FioValueParser.ParseReal(FioValueParser.FindValue(text, "minf"));
        }
        else if (text.StartsWith("iops ") && _direction is not null)
        {
            _direction.IopsDeviation = FioValueParser.ParseReal(FioValueParser.FindValue(text, "stdev"));
            _direction.IopsSamples = FioValueParser.ParseInteger(FioValueParser.FindValue(text, "samples"));
        }
        else if (text.StartsWith("IO depths"))
        {
            job.DepthOnePercent = FioValueParser.ParseScaled(FioValueParser.FindValue(text, "1"));
        }
        else if (text.StartsWith("Description") && text.IndexOf(": [") is > 0 and var at)
        {
            job.Description = text[(at + 3)..].TrimEnd(']').ToString();
        }
        else if (text.StartsWith("errors ") && FioValueParser.FindValue(text, "first_error") is { IsEmpty: false } first)
        {
            job.FailedIOs = FioValueParser.ParseInteger(FioValueParser.FindValue(text, "total"));
            job.FirstError = (int?)Math.Min(int.MaxValue, FioValueParser.ParseInteger(first[..Math.Max(0, first.IndexOf('/'))]) ?? 0);
        }
        else if (text.StartsWith("fsync/fdatasync"))
        {
            _inSync = true;
        }
        return true;
    }

    /// <summary>Parses counts of reads, writes, trims, and syncs: <c>total=r,w,t,s</c>, in fio 2 <c>total=r=1/w=2/d=3</c>.</summary>
    private bool ParseIOCounts(ReadOnlySpan<char> text)
    {
        IsComplete = true;
        var totals = ParseCountList(text, "total=");
        var shorts = ParseCountList(text, "short=");
        var drops = ParseCountList(text, text.IndexOf("dropped=") >= 0 ? "dropped=" : "drop=");
        if (job is { Mixed: { } mixed, Read: null, Write: null, Trim: null })
        {
            mixed.IOs = SumCounts(totals);
            mixed.ShortIOs = SumCounts(shorts);
            mixed.DroppedIOs = SumCounts(drops);
        }
        else
            for (var i = 0; i < 3 && i < totals.Length; i++)
                SetCount(i, totals[i], i < shorts.Length ? shorts[i] : null, i < drops.Length ? drops[i] : null);
        job.SyncCount = totals.Length > 3 ? totals[3] : null;
        return true;
    }

    private void SetCount(int kind, long? total, long? shorts, long? drops)
    {
        var direction = kind switch
        {
            0 => job.Read,
            1 => job.Write,
            _ => job.Trim,
        };
        if (direction is null && total is not null)
        {
            // fio omits directions without I/O.
            direction = total == 0 ? FioDirection.CreateEmpty() : new FioDirection();
            switch (kind)
            {
                case 0:
                    job.Read = direction;
                    break;
                case 1:
                    job.Write = direction;
                    break;
                default:
                    job.Trim = direction;
                    break;
            }
        }
        if (direction is null)
            return;
        direction.IOs = total;
        direction.ShortIOs = shorts;
        direction.DroppedIOs = drops;
        // fio prints IOPS with four digits. Count and time are exact, so compute IOPS from them.
        if (total is not null && direction.RuntimeMs > 0)
            direction.Iops = total * 1000.0 / direction.RuntimeMs;
    }

    private static long? SumCounts(long?[] counts) =>
        counts.Length < 3 || counts.Take(3).Any(c => c is null) ? null : counts[0] + counts[1] + counts[2];

    // "12", in fio 2 "r=12".
    private static long? ParseCount(string part) =>
        FioValueParser.ParseInteger(part.AsSpan(part.IndexOf('=', StringComparison.Ordinal) + 1)) is <= long.MaxValue / 8 and var count
            ? count
            : null;

    private static long?[] ParseCountList(ReadOnlySpan<char> text, string name)
    {
        var at = text.IndexOf(name);
        if (at < 0)
            return [];
        text = text[(at + name.Length)..];
        var end = text.IndexOf(' ');
        if (end >= 0)
            text = text[..end];
        var parts = text.TrimEnd(',').ToString().Split(',', '/');
        return [.. parts.Take(4).Select(ParseCount)];
    }
}
