using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>The values of a <c>for</c> loop over a list.</summary>
internal static partial class BatchForLoop
{
    // No repetition begins like the text that follows it, so matching is linear. NonBacktracking would enlarge the program.

    /// <summary>Matches the head of a loop, such as <c>for %i in (a b c) do command</c>. Another kind of loop has a switch.</summary>
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
        if (!loop.Success || loop.Groups["kind"].Length > 0)
            problem = "IoBench cannot read this kind of 'for'. Write the values as a list (for %%i in (8 64) do …)";
        else if (CommandLinePlaceholder.FindFirstName(list) is { } name)
            problem = $"the value of {name} is unknown. Set it in the file";
        else if (list.AsSpan().ContainsAny('*', '?'))
            problem = $"IoBench cannot read a 'for' over files ({list}). Write the names of the files";
        return problem.Length > 0 ? null : GetListItemRegex().Matches(list).Select(item => item.Value).ToList();
    }
}
