using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>The values of a <c>for</c> loop over a list or a range of numbers.</summary>
internal static partial class BatchForLoop
{
    private const int MaxRounds = 10_000;

    // No repetition begins like the text that follows it, so matching is linear. NonBacktracking would enlarge the program.

    /// <summary>Matches the head of a loop: <c>for %i in (a b c) do command</c>, <c>for /L %i in (1,1,5) do command</c>.</summary>
    [GeneratedRegex(
        @"^\s*@?for\s+(?<kind>/[a-z]\s+)?(?<options>""[^""]*""\s+)?%(?<name>[A-Za-z])\s+in\s*\((?<list>[^()]*)\)\s*do\b\s*(?<body>.*)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.Singleline
    )]
    internal static partial Regex GetForRegex();

    [GeneratedRegex(@"(?:[^\s,;=""]|""[^""]*(""|$))+", RegexOptions.CultureInvariant)]
    internal static partial Regex GetListItemRegex();

    /// <summary>Returns null and the problem if the values are not known.</summary>
    internal static List<string>? GetValues(Match loop, out string problem)
    {
        problem = "";
        var list = loop.Groups["list"].Value.Trim();
        var kind = loop.Groups["kind"].Value.Trim().ToUpperInvariant();
        if (!loop.Success || kind is not ("" or "/L"))
            problem = "IoBench cannot read this kind of 'for'. It reads lists (for %%i in (8 64) do …) and ranges (for /L)";
        else if (CommandLinePlaceholder.FindFirstName(list) is { } name)
            problem = $"the value of {name} is unknown. Set it in the file";
        else if (kind == "/L")
            return GetRange(list, out problem);
        else if (list.AsSpan().ContainsAny('*', '?'))
            problem = $"IoBench cannot read a 'for' over files ({list}). Write the names of the files";
        return problem.Length > 0 ? null : GetListItemRegex().Matches(list).Select(item => item.Value).ToList();
    }

    private static List<string>? GetRange(string list, out string problem)
    {
        problem = "for /L requires three decimal numbers, (start,step,end), and the step cannot be 0";
        var parts = list.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries);
        if (
            parts.Length != 3
            || !TryParseNumber(parts[0], out var from)
            || !TryParseNumber(parts[1], out var step)
            || !TryParseNumber(parts[2], out var to)
            || step == 0
        )
            return null;
        problem = "the loop has too many repetitions for a test";
        if (Math.Abs(((long)to - from) / step) > MaxRounds)
            return null;
        var values = new List<string>();
        for (long i = from; step > 0 ? i <= to : i >= to; i += step)
            values.Add(i.ToString(CultureInfo.InvariantCulture));
        return values;
    }

    /// <summary>cmd reads a number that begins with 0 as octal or hexadecimal, so it is refused.</summary>
    private static bool TryParseNumber(string text, out int value) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value)
        && (text == "0" || text.TrimStart('-', '+')[0] != '0');
}
