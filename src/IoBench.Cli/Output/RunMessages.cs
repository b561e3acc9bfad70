using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Lines before and after the table of results: targets, integrity errors, warnings, and test files that stay.</summary>
internal static class RunMessages
{
    public static void WriteNotes(
        CliConsole console,
        IReadOnlyList<IoTestResult> results,
        IReadOnlyList<ApprovedTarget> targets,
        bool removed,
        bool withVerdict,
        StorageClass? storage = null
    )
    {
        var notes = withVerdict ? SuiteSummary.CreateSentences(results, storage).ToList() : [];
        notes.AddRange(DescribeWarnings(results, console.Spelling));
        if (!removed)
            notes.AddRange(
                (CancellableFileCall.RunOrSkip(console, () => SuiteTestFiles.DescribeKeptFiles(targets)) ?? []).Select(file =>
                    file.Text.Render(console.Spelling)
                )
            );
        if (notes.Count > 0)
            console.Error.WriteLine();
        notes.ForEach(console.Error.WriteLine);
    }

    internal static IEnumerable<string> DescribeWarnings(IReadOnlyList<IoTestResult> results, OptionSpelling spelling) =>
        WarningSummary
            .Summarize(results)
            .Select(warning => $"Note{(warning.Names.Length == 0 ? "" : $" ({warning.Names})")}: {warning.Warning.Text.Render(spelling)}");
}
