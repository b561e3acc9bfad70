namespace IoBench.Reports.Model;

/// <summary>A figure of the summary in words, for places that have no table.</summary>
/// <param name="Words">What it is.</param>
/// <param name="Text">The figure with its unit.</param>
/// <param name="Severity">The verdict; Info where there is no limit.</param>
/// <param name="Rating">The verdict in a word.</param>
internal sealed record SummaryFigure(string Words, string Text, FindingSeverity Severity, string Rating);

/// <summary>The verdict and the figures of the summary.</summary>
/// <param name="Verdict">The sentence.</param>
/// <param name="Figures">The figures, those that are rated first.</param>
internal sealed record SummaryFigures(string Verdict, IReadOnlyList<SummaryFigure> Figures);
