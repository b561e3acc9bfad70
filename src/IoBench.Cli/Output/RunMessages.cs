using System.Globalization;
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
            writer.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"  {error.Time:HH:mm:ss.fff} {IntegrityMessages.Describe(error)}")
            );
        if (integrity.ErrorCount > MaxIntegrityErrors)
            writer.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"  ... {integrity.ErrorCount - Math.Min(MaxIntegrityErrors, integrity.Errors.Count):#,##0} more"
                )
            );
    }

    /// <returns>Lines such as <c>T:\iobench.dat  20 GB  NTFS on Samsung MZ-WLL  unbuffered, write-through  about 6 minutes</c>.</returns>
    public static IEnumerable<string> DescribeTargets(
        IReadOnlyList<CheckedTarget> targets,
        IReadOnlyList<IoTestSpecification> plan,
        TestPlanEstimate estimate,
        bool isMost = false
    )
    {
        for (var i = 0; i < targets.Count; i++)
        {
            var parts = new List<string> { targets[i].Path, new IoSize(targets[i].Size).ToDisplayString(), DescribeStorage(targets[i]) };
            if (i == 0)
            {
                parts.Add(DescribeBuffering(plan));
                if (plan[0].Backend != BackendCatalog.Auto)
                    parts.Add(plan[0].Backend);
                // Rounds and searches can end early.
                parts.Add(isMost || plan.Any(t => t.SteadyStateRounds is not null) ? estimate.DescribeAtMost() : estimate.ToString());
            }
            yield return "   " + string.Join("  ", parts.Where(part => part.Length > 0));
        }
    }

    private static string DescribeBuffering(IReadOnlyList<IoTestSpecification> plan)
    {
        var groups = plan.GroupBy(t => t.Buffering).OrderByDescending(g => g.Count()).ToList();
        var text = PatternText.Describe(groups[0].Key);
        return groups.Count == 1
            ? text
            : $"{text} ({string.Join(", ", groups.Skip(1).Select(g => $"{string.Join(", ", g.Select(t => t.Workload ?? PatternText.Describe(t)).Distinct())}: {PatternText.Describe(g.Key)}"))})";
    }

    private static string DescribeStorage(CheckedTarget target)
    {
        var device = target.Device is null ? "" : "on " + target.Device;
        if (target.FileSystem is null)
            return device;
        if (device.Length == 0)
            return target.FileSystem;
        return $"{target.FileSystem}, {device}";
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
        foreach (var line in ResultHeatMaps.FormatLines(results, HeatMapWidth))
            writer.WriteLine(line);
        writer.WriteLine();
    }
}
