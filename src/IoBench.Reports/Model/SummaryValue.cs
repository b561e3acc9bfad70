using IoBench.Analysis;

namespace IoBench.Reports;

/// <param name="Severity">Info if there is no limit.</param>
internal sealed record SummaryValue(string Label, string Text, FindingSeverity Severity, string Rating);

internal sealed record SummaryValues(string Verdict, IReadOnlyList<SummaryValue> Values);
