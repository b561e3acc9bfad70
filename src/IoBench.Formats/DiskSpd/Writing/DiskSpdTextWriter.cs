using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Writes results as DiskSpd's text. Features that DiskSpd does not have are written as the nearest feature that it has.</summary>
public static class DiskSpdTextWriter
{
    /// <summary>Line ending of DiskSpd's output in a file.</summary>
    public const string DiskSpdLineEnd = "\r\n";

    /// <summary>Writes results, each as a separate run, as they are enumerated.</summary>
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

    /// <summary>Writes one run: its timespans (at least one), and their totals if there are several.</summary>
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
        var header = new DiskSpdTextHeaderWriter(lines, form);
        if (timespans.All(t => t.Specification is not null))
            header.WriteParameters(timespans.Select(t => t.Specification!).ToList());
        else
            lines.WriteLine();
        var results = new DiskSpdTextResultWriter(lines, form);
        header.WriteSystem(timespans[0]);
        for (var i = 0; i < timespans.Count; i++)
            results.WriteTimespan(timespans[i], i + 1);
        if (timespans.Count > 1)
            results.WriteTotals(timespans);
    }

    /// <summary>Writes the parameters of a run without results (<c>-Rptext</c>).</summary>
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
            new DiskSpdTextHeaderWriter(new LineWriter(writer, newLine), form).WriteParameters(specifications);
    }

    /// <summary>Writes the system information (<c>-Rstext</c>, DiskSpd 2.3 and later).</summary>
    public static void WriteSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new DiskSpdTextHeaderWriter(new LineWriter(writer, newLine), DiskSpdOutputVersion.Version23).WriteSystem(result);
    }
}

/// <summary>DiskSpd version of the output. 2.3 has other sizes and more lines, and XML elements that 2.2 refuses.</summary>
public enum DiskSpdOutputVersion
{
    /// <summary>DiskSpd 2.2, which most programs can parse.</summary>
    Version22,

    Version23,
}
