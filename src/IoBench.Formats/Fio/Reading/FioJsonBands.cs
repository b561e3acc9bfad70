namespace IoBench.Formats.Fio.Reading;

/// <summary>Reads the distributions of a job: how many I/Os were outstanding, how long they took.</summary>
internal static class FioJsonBands
{
    internal static bool TryRead(FioJsonParser parser, FioJob job, ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("latency_ns"u8))
        {
            job.HasNanoseconds = true;
            Read(parser, job, 1e-6);
        }
        else if (key.SequenceEqual("latency_us"u8))
        {
            Read(parser, job, 1e-3);
        }
        else if (key.SequenceEqual("latency_ms"u8))
        {
            Read(parser, job, 1);
        }
        else if (key.SequenceEqual("iodepth_level"u8))
        {
            ReadDepth(parser, job);
        }
        else
        {
            return false;
        }
        return true;
    }

    private static void Read(FioJsonParser parser, FioJob job, double unitMs)
    {
        if (!parser.BeginObject())
            return;
        while (parser.NextName(out var key))
        {
            var isLast = key.StartsWith(">="u8);
            var edge = FioJsonParser.NumberOf(isLast ? key[2..] : key);
            if (parser.ReadNumber() is > 0 and <= FioBands.MaxPercent and var percent)
                FioBands.Add(job, edge, isLast, unitMs, percent);
        }
    }

    private static void ReadDepth(FioJsonParser parser, FioJob job)
    {
        if (!parser.BeginObject())
            return;
        while (parser.NextName(out var key))
        {
            if (key.SequenceEqual("1"u8))
                job.DepthOnePercent = parser.ReadNumber();
            else
                parser.Skip();
        }
    }
}

/// <summary>The ten or twelve bands that fio names by their upper edge in each unit: 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000.</summary>
internal static class FioBands
{
    private static readonly int[] s_edges = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

    /// <summary>Roundings add up: fio prints 100.01 too.</summary>
    internal const double MaxPercent = 101;
    private const int MaxBands = 40;

    /// <summary>Adds a band to a job; an edge that fio does not have is passed over.</summary>
    /// <param name="edge">The upper edge; of the last band the lower one.</param>
    /// <param name="isLast">It is the last, open band.</param>
    /// <param name="unitMs">Milliseconds in the unit.</param>
    /// <param name="percent">Share of the I/Os.</param>
    internal static void Add(FioJob job, double? edge, bool isLast, double unitMs, double percent)
    {
        var at = edge is >= 2 and <= 2000 ? Array.IndexOf(s_edges, (int)edge.Value) : -1;
        if (at < 0 || job.Bands.Count >= MaxBands)
            return;
        var perMs = Math.Round(1 / unitMs);
        // The first band of a unit begins where the unit below ends; fio 2 has no nanoseconds.
        double from =
            isLast ? edge!.Value
            : at > 0 ? s_edges[at - 1]
            : unitMs > 0.1 || (unitMs > 1e-5 && job.HasNanoseconds) ? 1
            : 0;
        job.Bands.Add(new FioBand(from / perMs, isLast ? null : edge / perMs, percent));
    }
}
