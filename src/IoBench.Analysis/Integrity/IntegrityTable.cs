using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Columns of the table that integrity commands show for their tests.</summary>
public static class IntegrityTable
{
    /// <param name="Width">In characters.</param>
    public sealed record Column(string Header, int Width, bool IsNumber, Func<IntegrityResult, string> Format);

    public static IReadOnlyList<Column> Columns { get; } =
    [
        new("Verdict", 12, IsNumber: false, result => result.Verdict),
        CreateCountColumn("Reads checked", 13, result => result.CheckedCount),
        CreateCountColumn("Errors", 6, result => result.Integrity.ErrorCount),
        CreateCountColumn("Lost", 5, result => result.CountErrors(IoIntegrityErrorKind.LostWrite)),
        CreateCountColumn("Torn", 5, result => result.CountErrors(IoIntegrityErrorKind.TornWrite)),
        CreateCountColumn("Stale", 5, result => result.CountErrors(IoIntegrityErrorKind.StaleRead)),
        CreateCountColumn("Misplaced", 9, result => result.MisplacedCount),
        CreateCountColumn("Other", 5, result => result.OtherErrorCount),
    ];

    /// <summary>Formats a value; the verdict is NOT RATED and the other values are empty if the test ended before the check.</summary>
    public static string Format(string header, IoTestResult result)
    {
        if (result.Integrity is { } integrity)
            return Columns.First(column => column.Header == header).Format(new IntegrityResult(result, integrity));
        return header == Columns[0].Header ? VerdictWords.Describe(VerdictOutcome.NotRated) : "";
    }

    /// <summary>Returns the files that are kept as evidence, or why the run did not finish; empty otherwise.</summary>
    public static string DescribeEvidence(IoTestResult result)
    {
        if (result.Integrity is { Evidence.Count: > 0 } integrity)
            return $"{string.Join(", ", integrity.Evidence)} (read-only)";
        return result.Status == IoResultStatus.Complete ? "" : RuleEvaluator.DescribeStatus(result.Status);
    }

    private static Column CreateCountColumn(string header, int width, Func<IntegrityResult, long> count) =>
        new(header, width, IsNumber: true, result => count(result).ToString("#,##0", CultureInfo.InvariantCulture));
}
