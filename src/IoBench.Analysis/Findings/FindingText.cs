namespace IoBench.Analysis.Findings;

/// <summary>Findings as text, the same on every surface.</summary>
public static class FindingText
{
    /// <summary>A severity in a word; what needs a look stands out.</summary>
    public static string Word(FindingSeverity severity) =>
        severity switch
        {
            FindingSeverity.Good => "good",
            FindingSeverity.Watch => "WATCH",
            FindingSeverity.Bad => "BAD",
            FindingSeverity.Unknown => "not rated",
            _ => "note",
        };

    /// <summary>What to do and why, in a line: <c>Find out what changed: …</c>; what was found alone where there is nothing to do.</summary>
    public static string Advice(Finding finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        return finding.WhatToDo is null ? finding.What : $"{finding.WhatToDo}: {finding.What}";
    }
}
