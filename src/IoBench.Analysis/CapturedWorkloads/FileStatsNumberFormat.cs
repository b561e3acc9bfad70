using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Meaning of commas and points in the counters of a snapshot file, whose numbers a spreadsheet can have formatted in its culture. Only
/// a number such as 1.638.400 or 20000.0 shows the meaning. Without one, 1.024 is refused.
/// </summary>
internal sealed partial class FileStatsNumberFormat
{
    private readonly HashSet<char> _grouping = [];
    private readonly HashSet<char> _decimal = [];

    /// <summary>Spaces and apostrophes only separate groups of digits. A space in another encoding is read as U+FFFD.</summary>
    [GeneratedRegex(@"(?<=[0-9])[ '\u00A0\u2009\u202F\u2019\uFFFD](?=[0-9]{3})")]
    private static partial Regex GetSpaceRegex();

    /// <summary>Groups of three digits, or of two before the last group, as in India.</summary>
    [GeneratedRegex(@"^[1-9][0-9]{0,2}(([.,])[0-9]{3})(\2[0-9]{3})*$|^[1-9][0-9]?([.,])([0-9]{2}\4)+[0-9]{3}$")]
    private static partial Regex GetGroupedRegex();

    /// <exception cref="IoBenchException"><c>IoBench.InvalidFileStats</c>: the numbers contradict each other.</exception>
    internal static FileStatsNumberFormat Detect(
        IEnumerable<Dictionary<string, object?>> rows,
        IReadOnlyCollection<string> columns,
        string name
    )
    {
        var format = new FileStatsNumberFormat();
        Dictionary<string, string> grouped = new(StringComparer.OrdinalIgnoreCase);
        Dictionary<string, string> plain = new(StringComparer.OrdinalIgnoreCase);
        foreach (var row in rows)
        foreach (var column in columns)
        {
            if (row.GetValueOrDefault(column) is not string text)
                continue;
            text = RemoveSpaces(text);
            if (text.Contains('E', StringComparison.OrdinalIgnoreCase) && text.Any(char.IsAsciiDigit))
                throw CreateError(name, $"{name}: {column} {text} was rounded by a spreadsheet, but snapshots require all digits");
            if (text.Length > 3 && text.All(char.IsAsciiDigit))
                plain.TryAdd(column, text);
            else if (format.AddNumber(text))
                grouped.TryAdd(column, text);
        }
        if (format._grouping.Overlaps(format._decimal) || format._grouping.Count > 1 || format._decimal.Count > 1)
            throw CreateError(
                name,
                $"{name} contains numbers in the formats of several cultures, so it is unclear which character is the decimal separator and which is the thousands separator"
            );
        foreach (var (column, text) in grouped)
        {
            if (plain.TryGetValue(column, out var other) && !format._decimal.Contains(GetSeparator(text)))
                throw CreateError(name, $"{name}: {column} has numbers in different formats, such as {text} and {other}");
        }
        return format;
    }

    /// <summary>Returns a number with digits and an invariant decimal point; null if the meaning of its separator is unknown.</summary>
    internal string? Normalize(string text)
    {
        text = RemoveSpaces(text);
        var point = text.AsSpan().LastIndexOfAny('.', ',');
        var isDecimal = point >= 0 && _decimal.Contains(text[point]);
        var whole = isDecimal ? text[..point] : text;
        var fraction = isDecimal ? "." + text[(point + 1)..] : "";
        var separator = GetSeparator(whole);
        if (separator == '\0')
            return whole + fraction;
        return _grouping.Contains(separator) && GetGroupedRegex().IsMatch(whole.TrimStart('-'))
            ? whole.Replace(separator.ToString(), "", StringComparison.Ordinal) + fraction
            : null;
    }

    /// <summary>Returns whether the text has groups of digits, or looks like that.</summary>
    private bool AddNumber(string text)
    {
        text = text.TrimStart('-');
        var separator = GetSeparator(text);
        if (separator == '\0' || !text.All(c => char.IsAsciiDigit(c) || c is '.' or ','))
            return false;
        var last = text.AsSpan().LastIndexOfAny('.', ',');
        var hasDecimals = text[last] != separator;
        var whole = hasDecimals ? text[..last] : text;
        var isGrouped = GetGroupedRegex().IsMatch(whole);
        var count = whole.Count(c => c == separator);
        if (hasDecimals)
            _decimal.Add(text[last]);
        if (isGrouped && (hasDecimals || count > 1))
            _grouping.Add(separator);
        else if (!isGrouped && count == 1)
            _decimal.Add(separator);
        return isGrouped;
    }

    private static char GetSeparator(string text) => text.AsSpan().IndexOfAny('.', ',') is >= 0 and var at ? text[at] : '\0';

    private static string RemoveSpaces(string text) => GetSpaceRegex().Replace(text.Trim(), "");

    internal static IoBenchException CreateError(string name, string what) =>
        IoBenchException.InvalidData(
            "IoBench.InvalidFileStats",
            what + ".",
            name,
            advice: "Save the numbers without thousands separators. For example, use the CSV output of Management Studio or sqlcmd."
        );
}
