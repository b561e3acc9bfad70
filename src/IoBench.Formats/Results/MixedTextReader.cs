using System.Text;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Reads a text of SQLIO or DiskSpd. A script can append the output of one tool to that of the other.</summary>
internal static class MixedTextReader
{
    /// <summary>Reads the results one at a time. Only one run is in memory.</summary>
    /// <exception cref="IoBenchException">Thrown during enumeration: a text of DiskSpd without output.</exception>
    internal static IEnumerable<IoTestResult> Read(Stream utf8, string? sourceFile, bool startsWithSqlio)
    {
        var lines = new Utf8LineReader(utf8);
        var results = new Queue<IoTestResult>();
        // Most texts have the output of one tool, so the parser of the other one is created when it is needed.
        var sqlio = startsWithSqlio ? new SqlioTextParser(sourceFile, results) : null;
        var diskSpd = startsWithSqlio ? null : new DiskSpdTextParser(sourceFile, results);
        var inSqlio = startsWithSqlio;
        var isMixed = false;
        string? warning = null;
        char[] chars = [];
        while (lines.TryRead(out var line))
        {
            if (inSqlio ? IsDiskSpdStart(line) : IsSqlioStart(line))
            {
                if (inSqlio)
                    sqlio!.EndText();
                else
                    diskSpd!.EndText();
                inSqlio = !inSqlio;
                sqlio ??= new SqlioTextParser(sourceFile, results);
                diskSpd ??= new DiskSpdTextParser(sourceFile, results);
                isMixed = true;
                if (inSqlio != startsWithSqlio)
                    warning = inSqlio
                        ? $"line {lines.LineNumber}: SQLIO output starts here, in a text that started as DiskSpd output."
                        : $"Line {lines.LineNumber}: DiskSpd output starts here, in a text that started as SQLIO output.";
            }
            if (inSqlio)
            {
                sqlio!.ParseLine(line, lines.LineNumber, lines.WasCut, lines.HadEnd || !startsWithSqlio);
            }
            else
            {
                if (line.Length > chars.Length)
                    chars = new char[Math.Max(256, line.Length)];
                diskSpd!.ParseLine(chars.AsSpan(0, TextEncodings.Utf8Or1252.GetChars(line, chars)), lines.LineNumber);
            }
            while (results.TryDequeue(out var result))
                yield return AddWarning(result);
        }
        // The tool that started the text is last.
        if (inSqlio)
            sqlio!.EndText();
        diskSpd?.EndText();
        if (!inSqlio)
            sqlio?.EndText();
        while (results.TryDequeue(out var result))
            yield return AddWarning(result);
        if (!startsWithSqlio && !isMixed && !diskSpd!.HasDiskSpdOutput)
            throw DiskSpdTextReader.CreateNoResultsError(diskSpd.HasUsageText, lines.LineNumber, sourceFile);

        IoTestResult AddWarning(IoTestResult result)
        {
            if (warning is null || (result.Source == SqlioFormat.Source) == startsWithSqlio)
                return result;
            result.Warnings.Insert(0, warning);
            warning = null;
            return result;
        }
    }

    /// <summary>Scripts print SQLIO's command line with the same prefix. Called for every line, so the first letter decides.</summary>
    private static bool IsDiskSpdStart(ReadOnlySpan<byte> line)
    {
        if (line.IsEmpty || line[0] is not ((byte)'I' or (byte)'C'))
            return false;
        return line.StartsWith("Input parameters:"u8)
            || (
                line.StartsWith("Command Line:"u8) && !Encoding.ASCII.GetString(line).Contains("sqlio", StringComparison.OrdinalIgnoreCase)
            );
    }

    private static bool IsSqlioStart(ReadOnlySpan<byte> line)
    {
        if (line.Length < 8)
            return false;
        if (line[0] is (byte)'s' or (byte)'S')
            return Ascii.EqualsIgnoreCase(line[..7], "sqlio v"u8) && SqlioLineScanner.IsDigit(line[7]);
        return line[1] == ':'
            && line[2] == '\\'
            && line.IndexOf((byte)'>') > 0
            && SqlioSurroundingLines.TryGetCommandLine(line[..Math.Min(line.Length, 4096)], out _);
    }
}
