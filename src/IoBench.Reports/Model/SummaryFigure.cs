using IoBench.Analysis;

namespace IoBench.Reports;

/// <param name="Severity">Info if there is no limit.</param>
internal sealed record SummaryFigure(string Words, string Text, FindingSeverity Severity, string Rating);

internal sealed record SummaryFigures(string Verdict, IReadOnlyList<SummaryFigure> Figures);
