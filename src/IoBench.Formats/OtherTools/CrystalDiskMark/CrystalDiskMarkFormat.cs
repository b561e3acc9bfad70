using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Reads the text of CrystalDiskMark 3 to 8 and of KDiskMark 1.6 to 3.3, one result per row. KDiskMark runs fio and prints its results as
/// CrystalDiskMark does. The text is English in every language of the programs.
/// </summary>
public static class CrystalDiskMarkFormat
{
    public const string Source = "CrystalDiskMark";

    public const string KDiskMarkSource = "KDiskMark";

    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "CrystalDiskMark's text",
            Tool = "CrystalDiskMark",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            Extensions = [".txt"],
            LooksLike = LooksLike,
            ReadText = Read,
        };

    internal static FormatDescriptor KDiskMark { get; } =
        new()
        {
            Name = "KDiskMark's text",
            Tool = "KDiskMark",
            Source = KDiskMarkSource,
            RunsOn = OSPlatform.Linux,
            Extensions = [".txt"],
            LooksLike = head => HasRowsOf(KDiskMarkSource, head),
            ReadText = Read,
        };

    public static bool LooksLike(string head) => HasRowsOf(Source, head);

    internal static bool HasRowsOf(string tool, string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        if (!head.Contains(tool, StringComparison.Ordinal) || !head.Contains("MB/s", StringComparison.Ordinal))
            return false;
        foreach (var line in head.AsSpan().EnumerateLines())
        {
            if (CrystalDiskMarkParser.ParseRow(line) is not null)
                return true;
        }
        return false;
    }

    /// <summary>Reads the results one at a time. Only one saved text is in memory.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoResults</c>, during enumeration: the text has no row with a value.</exception>
    public static IEnumerable<IoTestResult> Read(TextReader reader, string? sourceFile)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return ReadAll(reader, sourceFile);
    }

    private static IEnumerable<IoTestResult> ReadAll(TextReader reader, string? sourceFile)
    {
        var lines = new TextLineReader(reader);
        var text = new CrystalDiskMarkParser(sourceFile);
        var found = false;
        try
        {
            while (lines.MoveNext())
            {
                text.ParseLine(lines.CurrentLine, lines.LineNumber);
                foreach (var result in text.DequeueResults())
                {
                    found = true;
                    yield return result;
                }
            }
        }
        finally
        {
            lines.ReturnBuffer();
        }
        text.EndText();
        foreach (var result in text.DequeueResults())
        {
            found = true;
            yield return result;
        }
        if (!found)
            throw IoBenchException.InvalidData(
                ErrorIds.NoResults,
                $"{(sourceFile is null ? "The text" : $"'{sourceFile}'")} contains no completed test, because each CrystalDiskMark or KDiskMark row shows 0 MB/s.",
                sourceFile
            );
    }
}
