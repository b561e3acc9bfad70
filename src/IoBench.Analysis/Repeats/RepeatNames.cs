using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class RepeatSummary
{
    // Sorted by importance. Parts are added until all names are different.
    private static readonly Func<IoTestResult, string?>[] s_nameParts =
    [
        run => run.Label,
        run => run.Path,
        run => run.ComputerName,
        run => run.IOPattern,
        run =>
            run.ThreadCount is { } threads && run.OutstandingIO is { } outstanding
                ? string.Create(CultureInfo.InvariantCulture, $"{threads} x {outstanding}")
                : null,
        run => run.FileSizeMB is { } size ? NumberFormat.Size(size) : null,
        run => run.Buffering?.ToString(),
        run => run.TargetIops is { } rate ? $"at {NumberFormat.Rate(rate)} IOPS" : null,
    ];

    public static string[] CreateNames(IReadOnlyList<IoTestResult> runs)
    {
        string[] names = [.. runs.Select(run => run.Workload ?? run.IOPattern ?? "")];
        foreach (
            var equal in Enumerable
                .Range(0, names.Length)
                .GroupBy(index => names[index])
                .Where(group => group.Count() > 1)
                .Select(group => group.ToArray())
                .ToList()
        )
        foreach (var part in s_nameParts)
        {
            if (equal.Select(index => names[index]).Distinct().Count() == equal.Length)
                break;
            if (equal.Select(index => part(runs[index])).Distinct().Count() < 2)
                continue;
            foreach (var index in equal)
                if (part(runs[index]) is { Length: > 0 } text && text != names[index])
                    names[index] += ", " + text;
        }
        return names;
    }
}
