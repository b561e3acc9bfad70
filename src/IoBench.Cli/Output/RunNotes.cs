using IoBench.Analysis;
using IoBench.Cli.Judging;
using IoBench.Cli.Running;
using IoBench.Engine;

namespace IoBench.Cli.Output;

/// <summary>What a reader must know beside the figures: what they mean, each warning once, and the files that stay.</summary>
internal static class RunNotes
{
    public static void Write(CliConsole console, IReadOnlyList<IoTestResult> results, IReadOnlyList<PlannedTarget> targets, bool removed, bool withVerdict)
    {
        var notes = withVerdict ? SuiteVerdict.Of(results).ToList() : [];
        notes.AddRange(Warnings(results));
        if (!removed)
            notes.AddRange(Kept(targets));
        if (notes.Count > 0)
            console.Error.WriteLine();
        notes.ForEach(console.Error.WriteLine);
    }

    /// <summary>Each kind of warning once; one that only some tests have names them.</summary>
    internal static IEnumerable<string> Warnings(IReadOnlyList<IoTestResult> results)
        => WarningDigest.Of(results).Select(warning => warning.Tests.Count == 0 ? $"Note: {warning.Text}" : $"Note ({warning.Names}): {warning.Text}");

    private static IEnumerable<string> Kept(IReadOnlyList<PlannedTarget> targets)
    {
        foreach (var target in targets.Select(t => t.Target))
            if (!target.IsDevice && File.Exists(target.Path) && IsOurs(target.Path))
                yield return $"{target.Path} ({new IoSize(target.Size).ToDisplayString()}) is kept for the next test: iobench remove {Quoted(target.Path)}";
    }

    private static bool IsOurs(string path)
    {
        try
        {
            return TestFiles.IsOurs(path, out _);
        }
        catch (IoBenchException)
        {
            // A disk that fails can show nobody whose file it holds; what it did to the test is what the user has to hear.
            return false;
        }
    }

    private static string Quoted(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;
}
