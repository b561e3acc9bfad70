using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>A result row. Values that the row does not state are null.</summary>
/// <param name="IsWrite">Null if the section heading above the row states the operation.</param>
/// <param name="BlockSize">Bytes per I/O.</param>
/// <param name="Queues">Outstanding I/Os per thread.</param>
/// <param name="MegabytesPerSecond">Throughput in 10^6 bytes per second.</param>
/// <param name="Microseconds">Average latency in microseconds.</param>
internal sealed record CrystalDiskMarkRow(
    bool IsRandom,
    bool? IsWrite,
    long? BlockSize,
    int? Queues,
    int? Threads,
    double MegabytesPerSecond,
    double? Iops,
    double? Microseconds
);

/// <summary>
/// Parses lines of CrystalDiskMark's text: <c>Random Read 4KiB (Q= 32,T= 1) :</c> through version 6, <c>Random 4KiB (Q= 32, T=16):</c> in
/// version 7, <c>RND 4KiB (Q= 32, T= 1):</c> in version 8.
/// </summary>
internal static partial class CrystalDiskMarkParser
{
    internal const string Tool = "CrystalDiskMark";
    private const int LongestRow = 300;

    private const string Quotation = " \t>/*#";

    // Only single spaces occur here, so no text can match in several ways.
    [GeneratedRegex(
        @"^(Sequential|SEQ|Random|RND)( Read| Write)?( \d+ ?[KM]i?B)?( \(.{1,30}\))? ?: ?([\d.,]+) MB/s( \[ ?[\d.,]+ IOPS ?\]?)?( < ?[\d.,]+ us ?>)?",
        RegexOptions.CultureInvariant
    )]
    private static partial Regex GetRowRegex();

    [GeneratedRegex(@"^(Profile|Test|Mode|Time|Date|OS|Comment) ?: ?(.*)$", RegexOptions.CultureInvariant)]
    private static partial Regex GetSettingRegex();

    internal static string? NormalizeLine(ReadOnlySpan<char> line)
    {
        line = line.TrimStart(Quotation).TrimEnd();
        if (line.Length is 0 or > LongestRow)
            return null;
        return string.Join(' ', line.ToString().Split((char[])[' ', '\t', '\u00A0'], StringSplitOptions.RemoveEmptyEntries));
    }

    internal static CrystalDiskMarkRow? ParseRow(ReadOnlySpan<char> line) =>
        line.IndexOf("MB/s") > 0 && NormalizeLine(line) is { } clean && GetRowRegex().Match(clean) is { Success: true } match
            ? ParseRow(match)
            : null;

    private static CrystalDiskMarkRow? ParseRow(Match match)
    {
        if (ParseNumber(match.Groups[5].Value) is not { } rate)
            return null;
        return new CrystalDiskMarkRow(
            match.Groups[1].Value is "Random" or "RND",
            match.Groups[2].Value switch
            {
                " Read" => false,
                " Write" => true,
                _ => null,
            },
            ParseBlockSize(match.Groups[3].Value),
            ParseCount(match.Groups[4].Value, 'Q'),
            ParseCount(match.Groups[4].Value, 'T'),
            rate,
            ParseNumber(match.Groups[6].Value),
            ParseNumber(match.Groups[7].Value)
        );
    }

    // Version 3 writes KB for 1024 bytes: its IOPS of 4KB are MB/s / 4096.
    private static long? ParseBlockSize(string text)
    {
        var digits = string.Concat(text.Where(char.IsAsciiDigit));
        return long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var size) && size is > 0 and <= 1 << 20
            ? size * (text.Contains('M', StringComparison.Ordinal) ? 1 << 20 : 1024)
            : null;
    }

    private static int? ParseCount(string text, char letter)
    {
        var at = text.IndexOf(letter, StringComparison.Ordinal);
        var equals = at < 0 ? -1 : text.IndexOf('=', at);
        if (equals < 0)
            return null;
        var digits = string.Concat(text[(equals + 1)..].SkipWhile(c => c == ' ').TakeWhile(char.IsAsciiDigit));
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count is > 0 and <= 100_000
            ? count
            : null;
    }

    private static double? ParseNumber(string text) =>
        ToolNumberParser.ParseReal(string.Concat(text.Where(c => char.IsAsciiDigit(c) || c is '.' or ',')));

    internal static (string Name, string Value)? ParseSetting(string clean) =>
        GetSettingRegex().Match(clean) is { Success: true } match ? (match.Groups[1].Value, match.Groups[2].Value) : null;

    internal static string? ParseVersion(string clean)
    {
        if (!clean.StartsWith(Tool + " ", StringComparison.Ordinal))
            return null;
        var version = clean[(Tool.Length + 1)..].Split(' ')[0];
        return version.Length > 0 && char.IsAsciiDigit(version[0]) ? version : null;
    }
}
