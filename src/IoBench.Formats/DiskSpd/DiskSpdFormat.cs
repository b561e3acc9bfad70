using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads DiskSpd's XML (2.0 to 2.3), which can be malformed, and text of DiskSpd 2.0.11 to 2.3 and diskspd-for-linux, also if tabs became
/// spaces or the end is missing. Writes features that DiskSpd does not have as the nearest feature that it has.
/// </summary>
public static class DiskSpdFormat
{
    public const string Source = "DiskSpd";

    public const string XmlSource = "DiskSpdXml";

    internal static FormatDescriptor Text { get; } =
        new()
        {
            Name = "DiskSpd's text",
            Tool = "DiskSpd",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            Command = "Import-DiskSpdResult",
            Extensions = [".txt", ".out", ".log"],
            LooksLike = LooksLikeText,
            ReadBytes = ReadText,
            WrittenAs = ResultFormat.DiskSpd,
            OptionName = "diskspd",
            Write = (writer, results) => WriteText(writer, results),
        };

    internal static FormatDescriptor Xml { get; } =
        new()
        {
            // The Linux port of DiskSpd is rare and prints the same XML. Results that name their host show the operating system themselves.
            Name = "DiskSpd's XML",
            Tool = "DiskSpd",
            Source = XmlSource,
            RunsOn = OSPlatform.Windows,
            Command = "Import-DiskSpdResult",
            Extensions = [".xml"],
            LooksLike = LooksLikeXml,
            ReadText = ReadXml,
            WrittenAs = ResultFormat.DiskSpdXml,
            OptionName = "diskspd-xml",
            Write = (writer, results) => WriteXml(writer, results),
        };

    // The heading nearest to the beginning in most texts is first, so that the others are only searched before it. Through 2.0.17, -v
    // prints a line for each I/O first, so the first kilobytes of such a text only have the line that starts them.
    private static readonly string[] s_marks =
    [
        "Input parameters:",
        "Generating requests for timespan ",
        "Results for timespan ",
        "Results for job ",
        "%-ile |",
        "thread |       bytes",
        "The test was interrupted before the measurements began",
    ];

    public static bool LooksLikeText(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        return Array.Exists(s_marks, m => head.Contains(m, StringComparison.Ordinal))
            || (
                head.Contains("Usage: ", StringComparison.Ordinal)
                && head.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
                && head.Contains("-Sh", StringComparison.Ordinal)
            )
            || DiskSpdLogLines.ContainsFailure(head);
    }

    internal static int FindFirstHeading(ReadOnlySpan<char> head)
    {
        var first = int.MaxValue;
        foreach (var mark in s_marks)
        {
            // After a match, another heading can only be the first one if it starts before the match.
            var end = (int)Math.Min(head.Length, (long)first + mark.Length);
            if (head[..end].IndexOf(mark) is >= 0 and var at)
                first = Math.Min(first, at);
        }
        return first;
    }

    /// <summary>Reads the results one at a time. Only one run is in memory.</summary>
    /// <exception cref="IoBenchException">Thrown during enumeration: the text is empty, DiskSpd's help, or not from DiskSpd.</exception>
    public static IEnumerable<IoTestResult> ReadText(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return MixedTextReader.Read(new TextReaderStream(reader), sourceFile, startsWithSqlio: false);
    }

    internal static IEnumerable<IoTestResult> ReadText(Stream stream, string? sourceFile) =>
        MixedTextReader.Read(TextInput.OpenUtf8(stream), sourceFile, startsWithSqlio: false);

    internal static IoBenchException CreateNoTextResultsError(bool isUsage, int lineCount, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        if (lineCount == 0)
            return IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{name} is empty. The DiskSpd run failed, or its output went elsewhere.",
                sourceFile
            );
        return isUsage
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} contains the help text of DiskSpd, not a result. DiskSpd ran without arguments or with -?.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not DiskSpd text output, because headings such as 'Input parameters:' and 'Total IO' are missing.",
                sourceFile
            );
    }

    public static bool LooksLikeXml(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        // Most texts have no element at all, so the cheap check comes first.
        if (!head.Contains('<'))
            return false;
        var results = head.IndexOf("<Results>", StringComparison.Ordinal);
        return results >= 0
            ? head.AsSpan(results).IndexOf("<System>") >= 0
                || head.AsSpan(results).IndexOf("<Profile>") >= 0
                || head.AsSpan(results).IndexOf("<TimeSpan>") >= 0
            : head.Contains("<Profile>", StringComparison.Ordinal) && head.Contains("<TimeSpan", StringComparison.Ordinal);
    }

    /// <summary>Reads the results one at a time. Only the threads of one document are in memory.</summary>
    /// <exception cref="IoBenchException">Thrown during enumeration: no results, not DiskSpd's XML, or refused XML.</exception>
    public static IEnumerable<IoTestResult> ReadXml(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAllXml(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAllXml(TextReader reader, string? sourceFile)
    {
        var input = new DiskSpdXmlInput(new DiskSpdXmlText(reader, sourceFile), sourceFile);
        var found = false;
        var profile = false;
        while (input.MoveToElement())
        {
            profile |= input.Name == "Profile";
            if (input.Name != "Results")
                continue;
            found = true;
            var run = new DiskSpdXmlParser(input).ReadRun();
            if (run.Timespans.Count == 0)
                yield return DiskSpdResultBuilder.CreateResult(run, null, sourceFile);
            foreach (var span in run.Timespans)
                yield return DiskSpdResultBuilder.CreateResult(run, span, sourceFile);
        }
        if (!found)
            throw CreateNoXmlResultsError(input.HasText, profile, sourceFile);
    }

    private static IoBenchException CreateNoXmlResultsError(bool sawText, bool profile, string? sourceFile)
    {
        var name = sourceFile is null ? "The text" : $"'{sourceFile}'";
        if (!sawText)
            return IoBenchException.InvalidData(
                "IoBench.EmptyFile",
                $"{name} is empty. The DiskSpd run failed, or its output went elsewhere.",
                sourceFile
            );
        return profile
            ? IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{name} is a DiskSpd profile, not a result. Convert it, or run it.",
                sourceFile
            )
            : IoBenchException.InvalidData(
                "IoBench.UnknownFormat",
                $"{name} is not DiskSpd XML output, because <Results> is missing.",
                sourceFile
            );
    }

    // Keys of IoTestResult.ToolDetails that the readers set and the writers print.
    internal const string Distribution = "Effective IO distributions";

    internal const string Waits = "Wait statistics";

    internal const string CompletionWaits = "Wait statistics, completion";

    internal const string Lookasides = "Wait statistics, lookaside";

    internal const string IoRing = "IoRing statistics";

    internal const string EffectiveAffinity = "Effective affinity";

    internal const string MixedCores = "DiskSpd reported that threads ran on P-cores and on E-cores, so the results include both.";

    internal const string Etw = "ETW";

    /// <summary>Line ending of DiskSpd's output in a file.</summary>
    public const string DiskSpdLineEnd = "\r\n";

    /// <summary>Writes results, each as a separate run, as they are enumerated.</summary>
    public static void WriteText(
        TextWriter writer,
        IEnumerable<IoTestResult> results,
        string newLine = DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        foreach (var result in results)
            WriteTextRun(writer, [result], newLine, form);
    }

    /// <summary>Writes one run: its timespans (at least one), and their totals if there are several.</summary>
    public static void WriteTextRun(
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
    public static void WriteTextProfile(
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
    public static void WriteTextSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new DiskSpdTextHeaderWriter(new LineWriter(writer, newLine), DiskSpdOutputVersion.Version23).WriteSystem(result);
    }

    /// <summary>Writes one document. A timespan states the computer or time if it differs from the first result.</summary>
    public static void WriteXml(
        TextWriter writer,
        IEnumerable<IoTestResult> results,
        string newLine = DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(results);
        // The profile of all timespans precedes their results.
        var all = results.ToList();
        var xml = new IndentedXmlWriter(writer, newLine);
        xml.BeginElement("Results");
        var spans = new DiskSpdXmlResultWriter(xml, form);
        if (all.Count > 0)
        {
            new DiskSpdXmlResultWriter(xml, form).WriteSystem(all[0]);
            new DiskSpdXmlProfileWriter(xml, form).WriteProfile(all.ConvertAll(r => r.Specification));
            foreach (var result in all)
                spans.WriteTimespan(result, all[0]);
        }
        xml.EndElement();
    }

    /// <summary>Writes a profile without results (<c>-Rpxml</c>). DiskSpd and IoBench read it with -X.</summary>
    public static void WriteXmlProfile(
        TextWriter writer,
        IReadOnlyList<IoTestSpecification> specifications,
        string newLine = DiskSpdLineEnd,
        DiskSpdOutputVersion form = DiskSpdOutputVersion.Version22
    )
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(specifications);
        new DiskSpdXmlProfileWriter(new IndentedXmlWriter(writer, newLine), form).WriteProfile(specifications);
        writer.Write(newLine);
    }

    /// <summary>Writes the system information (<c>-Rsxml</c>, DiskSpd 2.3 and later).</summary>
    public static void WriteXmlSystem(TextWriter writer, IoTestResult result, string newLine = DiskSpdLineEnd)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(result);
        new DiskSpdXmlResultWriter(new IndentedXmlWriter(writer, newLine), DiskSpdOutputVersion.Version23).WriteSystem(result);
        writer.Write(newLine);
    }
}
