namespace IoBench.Analysis;

/// <summary>Severity of a finding, the lowest first.</summary>
public enum FindingSeverity : long
{
    /// <summary>Nothing to do: a fact, a passed check, or something that could not be rated.</summary>
    Info,

    Warning,

    Critical,
}

/// <summary>A value that a finding is based on.</summary>
/// <param name="Name">A metric, such as <c>AverageLatencyMs</c>, with an optional qualifier, such as <c>IOPS baseline</c>.</param>
public sealed record FindingEvidence(string Name, double? Value, string Unit = "");

/// <summary>A finding in the same form for all analyses. Table, JSON, workbook, and HTML report show these objects.</summary>
public sealed record Finding
{
    /// <summary>Kind of the finding, one of <see cref="FindingCodes"/>. Scripts can depend on it.</summary>
    public required string Code { get; init; }

    /// <summary>Subject: a workload or pattern, a path, or a metric of the summary.</summary>
    public required string Subject { get; init; }

    /// <summary>What was found, as a sentence that can stand alone.</summary>
    public required string What { get; init; }

    public FindingSeverity Severity { get; init; }

    /// <summary>Outcome of the check that the finding is about; null if the finding states a fact.</summary>
    public VerdictOutcome? Outcome { get; init; }

    public IReadOnlyList<FindingEvidence> Evidence { get; init; } = [];

    /// <summary>Recommended action, in the imperative and without a period; null if there is none.</summary>
    public string? WhatToDo { get; init; }

    /// <summary>Related texts by name, such as rule set, label, and path.</summary>
    public IReadOnlyDictionary<string, string> Values { get; init; } = new Dictionary<string, string>();

    public override string ToString() => What;

    internal static Dictionary<string, string> CreateValues(params (string Name, string? Text)[] values) =>
        values.Where(value => value.Text is not null).ToDictionary(value => value.Name, value => value.Text!);

    /// <summary>What was found, and what to do.</summary>
    public string Describe() => WhatToDo is null ? What : $"{What} To do: {WhatToDo}.";

    /// <summary>Returns the action and its reason, such as <c>Check what changed: …</c>; without an action, only the finding.</summary>
    public static string DescribeAdvice(Finding finding) => finding.WhatToDo is null ? finding.What : $"{finding.WhatToDo}: {finding.What}";

    public static IReadOnlyList<Finding> CollectFrom(IEnumerable<IHasFindings> answers) =>
        (Finding[])[.. answers.SelectMany(answer => answer.Findings)];
}

public interface IHasFindings
{
    /// <summary>The main finding first. An array, because PowerShell cannot index the lists of collection expressions.</summary>
    IReadOnlyList<Finding> Findings { get; }
}
