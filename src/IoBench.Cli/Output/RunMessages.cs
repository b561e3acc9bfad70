using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.Cli;

/// <summary>Lines before and after the table of results: targets, integrity errors, warnings, and test files that stay.</summary>
internal static class RunMessages
{
    private const int HeatMapWidth = 100;

    public static void WriteNotes(
        CliConsole console,
        IReadOnlyList<IoTestResult> results,
        IReadOnlyList<ApprovedTarget> targets,
        bool removed,
        bool withVerdict,
        StorageClass? storage = null,
        bool hasRequirement = false
    )
    {
        var notes = withVerdict ? SuiteSummary.CreateSentences(results, storage, hasRequirement).ToList() : [];
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

    /// <summary>Removes the test files, or lists those that stay.</summary>
    public static void WriteTestFiles(CliConsole console, IReadOnlyList<ApprovedTarget> targets, bool remove, bool quiet)
    {
        foreach (var file in SuiteTestFiles.CleanUp(targets, remove))
            if (file.Error is not null)
                App.WriteError(console, file.Error);
            else if (!quiet && !remove)
                console.Error.WriteLine(file.Text.Render(console.Spelling));
    }

    internal static IEnumerable<string> DescribeWarnings(IReadOnlyList<IoTestResult> results, OptionSpelling spelling) =>
        WarningSummary.Summarize(results).Select(warning => App.DescribeWarning(warning.Warning, spelling, warning.Names));

    public const int MaxIntegrityErrors = 10;

    public static void WriteIntegrity(CliConsole console, IReadOnlyList<IoTestResult> results)
    {
        foreach (var integrity in results.Select(result => result.Integrity).OfType<IoIntegrity>().Where(i => i.ErrorCount > 0))
            WriteIntegrityErrors(console.Error, integrity);
    }

    public static void WriteIntegrity(CliConsole console, IoTestResult result, ResultFormat? format)
    {
        if (format is { } wanted)
        {
            ResultWriter.Write(console.GetDataWriter(wanted), [result], wanted);
            return;
        }
        foreach (var answer in IntegrityResult.Find([result]))
        {
            console.Out.WriteLine(answer.Summary);
            foreach (var (name, value) in answer.Integrity.Crash!.Facts)
                console.Out.WriteLine($"  {name}: {value}");
            WriteIntegrityErrors(console.Out, answer.Integrity);
        }
    }

    public static void WriteIntegrityErrors(TextWriter writer, IoIntegrity integrity)
    {
        foreach (var error in integrity.Errors.Take(MaxIntegrityErrors))
            writer.WriteLine(Invariant($"  {error.Time:HH:mm:ss.fff} {IntegrityMessages.Describe(error)}"));
        if (integrity.ErrorCount > MaxIntegrityErrors)
            writer.WriteLine(Invariant($"  ... {integrity.ErrorCount - Math.Min(MaxIntegrityErrors, integrity.Errors.Count):#,##0} more"));
    }

    public static void WriteHeatMaps(
        CliConsole console,
        OptionValues? shown,
        IReadOnlyList<IoTestResult> results,
        OutputDestinations output
    )
    {
        if (shown?.Has(new("HeatMap")) != true || results.Count == 0)
            return;
        var writer = output.Format is null ? console.Out : console.Error;
        writer.WriteLine();
        foreach (var line in Report.FormatHeatMaps(results, HeatMapWidth))
            writer.WriteLine(line);
        writer.WriteLine();
    }
}
