using System.Text.RegularExpressions;
using IoBench.Cli.Judging;
using IoBench.Cli.Running;
using IoBench.Engine;

namespace IoBench.Cli.Output;

/// <summary>What a reader must know beside the figures: what they mean, each warning once, and the files that stay.</summary>
internal static partial class RunNotes
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

    /// <summary>Each warning once, also when its figures differ from test to test: then with those of the first. One that only some tests have names them.</summary>
    internal static IEnumerable<string> Warnings(IReadOnlyList<IoTestResult> results)
    {
        var warnings = results.SelectMany(r => r.Warnings.DistinctBy(WithoutFigures).Select(text => (text, name: r.Workload ?? r.IOPattern ?? "")))
            .GroupBy(w => WithoutFigures(w.text));
        foreach (var warning in warnings)
        {
            var names = warning.Select(w => w.name).Where(n => n.Length > 0).Distinct().ToList();
            var all = warning.Count() == results.Count || names.Count == 0;
            yield return all ? $"Note: {warning.First().text}" : $"Note ({Names(names)}): {warning.First().text}";
        }
    }

    private static string WithoutFigures(string warning) => Figures().Replace(warning, "#");

    [GeneratedRegex(@"\d+([.,]\d+)*")]
    private static partial Regex Figures();

    private static string Names(List<string> names) => names.Count <= 3 ? string.Join(", ", names) : $"{string.Join(", ", names.Take(3))} and {names.Count - 3} more";

    private static IEnumerable<string> Kept(IReadOnlyList<PlannedTarget> targets)
    {
        foreach (var target in targets.Select(t => t.Target))
            if (!target.IsDevice && File.Exists(target.Path) && TestFiles.IsOurs(target.Path, out _))
                yield return $"{target.Path} ({new IoSize(target.Size).ToDisplayString()}) is kept for the next test: iobench remove {Quoted(target.Path)}";
    }

    private static string Quoted(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;
}
