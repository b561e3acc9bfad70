using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Lines before and after the table of results: targets, integrity errors, warnings, and test files that stay.</summary>
internal static class RunNotes
{
    public static void Write(
        CliConsole console,
        IReadOnlyList<IoTestResult> results,
        IReadOnlyList<ApprovedTarget> targets,
        bool removed,
        bool withVerdict,
        StorageClass? storage = null
    )
    {
        var notes = withVerdict ? SuiteVerdict.Of(results, storage).ToList() : [];
        notes.AddRange(Warnings(results, console.Spelling));
        if (!removed)
            notes.AddRange(
                (FileLook.TakeIfAnswered(console, () => TestFileCare.Kept(targets)) ?? []).Select(file =>
                    file.Text.Render(console.Spelling)
                )
            );
        if (notes.Count > 0)
            console.Error.WriteLine();
        notes.ForEach(console.Error.WriteLine);
    }

    internal static IEnumerable<string> Warnings(IReadOnlyList<IoTestResult> results, TextSpelling spelling) =>
        WarningDigest
            .Of(results)
            .Select(warning => $"Note{(warning.Names.Length == 0 ? "" : $" ({warning.Names})")}: {warning.Warning.Text.Render(spelling)}");
}
