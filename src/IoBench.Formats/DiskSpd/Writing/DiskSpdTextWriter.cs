using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Writes results as DiskSpd's text, column by column, so that programs that parse DiskSpd's output need no change. Percentiles are
/// nearest-rank, as in DiskSpd.
/// Features that DiskSpd does not have (open loop, SQLIO's stripes) are written as the nearest feature that it has.
/// </summary>
public static class DiskSpdTextWriter
{
    /// <summary>Line ending of DiskSpd's output in a file.</summary>
    public const string DiskSpdLineEnd = "\r\n";

    /// <summary>Writes results, each as a separate run.</summary>
    /// <param name="writer">Receives the text.</param>
    /// <param name="results">The results, which are written as they are enumerated.</param>
    /// <param name="newLine">Line ending. DiskSpd uses CR LF.</param>
    /// <param name="form">DiskSpd version of the output.</param>
    public static void Write(
        TextWriter writer,
        IEnumerable<IoTestResult> results,
        string newLine = DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        foreach (var result in results)
            WriteRun(writer, [result], newLine, form);
    }

    /// <summary>Writes one run: its timespans, and their totals if there are several.</summary>
    /// <param name="writer">Receives the text.</param>
    /// <param name="timespans">The result of each timespan, in order; at least one.</param>
    /// <param name="newLine">Line ending.</param>
    /// <param name="form">DiskSpd version of the output.</param>
    public static void WriteRun(
        TextWriter writer,
        IReadOnlyList<IoTestResult> timespans,
        string newLine = DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(timespans);
        if (timespans.Count == 0)
            return;
        var lines = new LineWriter(writer, newLine);
        if (timespans.All(t => t.Specification is not null))
            new DiskSpdTextParameterWriter(lines, form).WriteParameters(timespans.Select(t => t.Specification!).ToList());
        else
            lines.WriteLine();
        var results = new DiskSpdTextResultWriter(lines, form);
        new DiskSpdTextSystemWriter(lines, form).WriteSystem(timespans[0]);
        for (var i = 0; i < timespans.Count; i++)
            results.WriteTimespan(timespans[i], i + 1);
        if (timespans.Count > 1)
            results.WriteTotals(timespans);
    }

    /// <summary>Writes the parameters of a run without results (<c>-Rptext</c>).</summary>
    /// <param name="writer">Receives the text.</param>
    /// <param name="specifications">The timespans; at least one.</param>
    /// <param name="newLine">Line ending.</param>
    /// <param name="form">DiskSpd version of the output.</param>
    public static void WriteProfile(
        TextWriter writer,
        IReadOnlyList<IoTestSpecification> specifications,
        string newLine = DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(specifications);
        if (specifications.Count > 0)
            new DiskSpdTextParameterWriter(new LineWriter(writer, newLine), form).WriteParameters(specifications);
    }

    /// <summary>Writes the system information (<c>-Rstext</c>, DiskSpd 2.3 and later).</summary>
    /// <param name="writer">Receives the text.</param>
    /// <param name="result">A result that only has the host facts.</param>
    /// <param name="newLine">Line ending.</param>
    public static void WriteSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new DiskSpdTextSystemWriter(new LineWriter(writer, newLine), DiskSpdOutputVersion.Version23).WriteSystem(result);
    }
}

/// <summary>
/// Version of DiskSpd whose output is written. 2.3 prints spaces instead of tabs, other sizes, and more lines. Its XML has elements that
/// 2.2 refuses.
/// </summary>
public enum DiskSpdOutputVersion
{
    /// <summary>DiskSpd 2.2, which most programs can parse.</summary>
    Version22,

    /// <summary>DiskSpd 2.3.</summary>
    Version23,
}
