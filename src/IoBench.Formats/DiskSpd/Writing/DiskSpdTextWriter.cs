namespace IoBench.Formats.DiskSpd.Writing;

/// <summary>
/// Writes results as DiskSpd's text, column by column, so that programs which read DiskSpd need no change. Percentiles are by nearest rank
/// always, as DiskSpd's. What DiskSpd has no words for (open loop, SQLIO's stripes) is shown as the nearest that it has.
/// </summary>
public static class DiskSpdTextWriter
{
    /// <summary>DiskSpd's line end where its output goes into a file.</summary>
    public const string DiskSpdLineEnd = "\r\n";

    /// <summary>Writes results, each as a run of its own.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="results">The results, written as they come.</param>
    /// <param name="newLine">The line end; DiskSpd's own is CR LF.</param>
    /// <param name="form">The version whose output it is.</param>
    public static void Write(
        TextWriter writer,
        IEnumerable<IoTestResult> results,
        string newLine = DiskSpdLineEnd,
        DiskSpdForm form = DiskSpdForm.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        foreach (var result in results)
            WriteRun(writer, [result], newLine, form);
    }

    /// <summary>Writes one run: its timespans, and their sums where there are several.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="timespans">The result of each timespan, in order; at least one.</param>
    /// <param name="newLine">The line end.</param>
    /// <param name="form">The version whose output it is.</param>
    public static void WriteRun(
        TextWriter writer,
        IReadOnlyList<IoTestResult> timespans,
        string newLine = DiskSpdLineEnd,
        DiskSpdForm form = DiskSpdForm.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(timespans);
        if (timespans.Count == 0)
            return;
        var lines = new LineWriter(writer, newLine);
        if (timespans.All(t => t.Specification is not null))
            new TextParameters(lines, form).Write(timespans.Select(t => t.Specification!).ToList());
        else
            lines.Line();
        var results = new TextResults(lines, form);
        new TextSystem(lines, form).Write(timespans[0]);
        for (var i = 0; i < timespans.Count; i++)
            results.Write(timespans[i], i + 1);
        if (timespans.Count > 1)
            results.WriteTotals(timespans);
    }

    /// <summary>Writes what would be run (<c>-Rptext</c>).</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="specifications">The timespans; at least one.</param>
    /// <param name="newLine">The line end.</param>
    /// <param name="form">The version whose output it is.</param>
    public static void WriteProfile(
        TextWriter writer,
        IReadOnlyList<IoTestSpecification> specifications,
        string newLine = DiskSpdLineEnd,
        DiskSpdForm form = DiskSpdForm.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(specifications);
        if (specifications.Count > 0)
            new TextParameters(new LineWriter(writer, newLine), form).Write(specifications);
    }

    /// <summary>Writes the computer (<c>-Rstext</c>), which came with 2.3.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="result">A result with the computer's facts and nothing measured.</param>
    /// <param name="newLine">The line end.</param>
    public static void WriteSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new TextSystem(new LineWriter(writer, newLine), DiskSpdForm.Version23).Write(result);
    }
}
