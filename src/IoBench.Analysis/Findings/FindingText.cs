namespace IoBench.Analysis;

public static class Finding
{
    /// <summary>Describes a severity in one word.</summary>
    public static string DescribeSeverity(FindingSeverity severity) =>
        severity switch
        {
            FindingSeverity.Good => "good",
            FindingSeverity.Watch => "WATCH",
            FindingSeverity.Bad => "BAD",
            FindingSeverity.Unknown => "not rated",
            _ => "note",
        };

    /// <summary>
    /// Returns the action and its reason in one line, such as <c>Find out what changed: …</c>. Without an action, returns only the finding.
    /// </summary>
    public static string DescribeAdvice(Finding finding)
    {
        ArgumentNullException.ThrowIfNull(finding);
        return finding.WhatToDo is null ? finding.What : $"{finding.WhatToDo}: {finding.What}";
    }
}
