namespace IoBench.Analysis.Findings;

/// <summary>How grave a finding is, the lightest first.</summary>
public enum FindingSeverity
{
    /// <summary>A fact that is neither good nor bad: where a sweep stops gaining, how far repeats spread.</summary>
    Info,

    /// <summary>As it should be.</summary>
    Good,

    /// <summary>It is not known; the finding says why.</summary>
    Unknown,

    /// <summary>Worth a look.</summary>
    Watch,

    /// <summary>Not as it should be.</summary>
    Bad,
}

/// <summary>A figure that a finding rests on.</summary>
/// <param name="Name">Which: a metric of the results where it is one, such as <c>AverageLatencyMs</c>, with what sets it apart behind it: <c>IOPS baseline</c>.</param>
/// <param name="Value">Its value; null when it is not known.</param>
/// <param name="Unit">Its unit; empty where it has none.</param>
public sealed record FindingFigure(string Name, double? Value, string Unit = "");

/// <summary>
/// What an analysis found about something, in one shape for all of them: rules, comparisons, knees, limits, caps, trends, roles, repeats, own load and the summary.
/// Every surface (table, JSON, workbook, page) shows these objects; none reads another's words.
/// </summary>
public sealed record Finding
{
    /// <summary>What kind of finding it is, one of <see cref="FindingCodes"/>; scripts may depend on it.</summary>
    public required string Code { get; init; }

    /// <summary>What it is about: a workload or pattern, a path, a question of the summary.</summary>
    public required string Subject { get; init; }

    /// <summary>What was found, as a sentence that stands alone.</summary>
    public required string What { get; init; }

    /// <summary>How grave it is.</summary>
    public required FindingSeverity Severity { get; init; }

    /// <summary>The figures it rests on.</summary>
    public IReadOnlyList<FindingFigure> Evidence { get; init; } = [];

    /// <summary>What to do about it, as an order without a full stop; null when there is nothing to do.</summary>
    public string? WhatToDo { get; init; }

    /// <summary>What belongs to it in words, by name: rule set, label, path.</summary>
    public IReadOnlyDictionary<string, string> Values { get; init; } = new Dictionary<string, string>();

    /// <summary>What was found.</summary>
    public override string ToString() => What;

    /// <summary>Names and texts without those that are not known.</summary>
    internal static Dictionary<string, string> ValuesOf(params (string Name, string? Text)[] values) =>
        values.Where(value => value.Text is not null).ToDictionary(value => value.Name, value => value.Text!);
}

/// <summary>An answer of an analysis that says what it found.</summary>
public interface IHasFindings
{
    /// <summary>What was found, the answer itself first, then what weakens it. An array: PowerShell cannot index the lists that the compiler makes of a collection expression.</summary>
    IReadOnlyList<Finding> Findings { get; }
}
