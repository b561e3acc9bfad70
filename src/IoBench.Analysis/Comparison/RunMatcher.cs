using IoBench.Engine;

namespace IoBench.Analysis;

internal static class RunMatcher
{
    internal sealed record RunPair(IReadOnlyList<IoTestResult> Baseline, IReadOnlyList<IoTestResult> Current);

    private static readonly (string Name, Func<IoTestResult, object?> Of)[] s_conditions =
    [
        ("file size", r => r.FileSizeMB is { } size ? Invariant($"{Math.Round(size):#,0} MB") : null),
        ("buffering", r => r.Buffering),
        ("rate", r => r.TargetIops is { } rate ? Invariant($"{rate:#,0.###} IOPS") : r.LoadModel?.ToString()),
        ("path", r => r.Path),
        ("computer", r => r.ComputerName),
    ];

    // The key of a test. Circumstances such as the file size and the path are handled separately: they can differ, with a warning.
    private static object GetKey(IoTestResult r) =>
        (r.Workload, r.BlockSizeKB, r.AccessPattern, r.WritePercent, r.ThreadCount, r.OutstandingIO);

    internal static (List<RunPair> Pairs, List<(string Name, string Test, string Why)> Unmatched) Match(
        IEnumerable<IoTestResult> baseline,
        IEnumerable<IoTestResult> current,
        string baselineName,
        string currentName
    )
    {
        List<RunPair> pairs = [];
        List<(string Name, string Test, string Why)> unmatched = [];
        var left = baseline.GroupBy(GetKey).ToDictionary(g => g.Key, g => g.ToList());
        var right = current.GroupBy(GetKey).ToDictionary(g => g.Key, g => g.ToList());
        // Other tools have no workload names. Match a run without a workload with a run of the same pattern.
        foreach (var (key, runs) in left)
        {
            if (right.Remove(key, out var others))
                SplitByCondition(new RunPair(runs, others), 0, pairs, unmatched, baselineName, currentName);
            else if (FindWithoutWorkload(right, runs[0]) is { } match && right.Remove(match, out others))
                SplitByCondition(new RunPair(runs, others), 0, pairs, unmatched, baselineName, currentName);
            else
                unmatched.Add(CreateUnmatched(runs[0], "", baselineName));
        }
        unmatched.AddRange(right.Values.Select(runs => CreateUnmatched(runs[0], "", currentName)));
        return (pairs, unmatched);
    }

    private static object? FindWithoutWorkload(Dictionary<object, List<IoTestResult>> others, IoTestResult run) =>
        others
            .Where(o => (run.Workload is null) != (o.Value[0].Workload is null))
            .Where(o =>
                o.Value[0].BlockSizeKB == run.BlockSizeKB
                && o.Value[0].AccessPattern == run.AccessPattern
                && o.Value[0].WritePercent == run.WritePercent
                && o.Value[0].ThreadCount == run.ThreadCount
                && o.Value[0].OutstandingIO == run.OutstandingIO
            )
            .Select(o => o.Key)
            .FirstOrDefault();

    // Several values of a circumstance mean that the user varied it, so match only equal values.
    private static void SplitByCondition(
        RunPair pair,
        int dimension,
        List<RunPair> pairs,
        List<(string Name, string Test, string Why)> unmatched,
        string baselineName,
        string currentName
    )
    {
        if (dimension == s_conditions.Length)
        {
            pairs.Add(pair);
            return;
        }
        var of = s_conditions[dimension].Of;
        var left = pair.Baseline.GroupBy(r => of(r) ?? "").ToDictionary(g => g.Key, g => g.ToList());
        var right = pair.Current.GroupBy(r => of(r) ?? "").ToDictionary(g => g.Key, g => g.ToList());
        if (left.Count == 1 && right.Count == 1)
        {
            SplitByCondition(pair, dimension + 1, pairs, unmatched, baselineName, currentName);
            return;
        }
        foreach (var (value, runs) in left)
        {
            if (right.Remove(value, out var others))
                SplitByCondition(new RunPair(runs, others), dimension + 1, pairs, unmatched, baselineName, currentName);
            else
                unmatched.Add(CreateUnmatched(runs[0], $" with {s_conditions[dimension].Name} {value}", baselineName));
        }
        unmatched.AddRange(
            right.Select(other => CreateUnmatched(other.Value[0], $" with {s_conditions[dimension].Name} {other.Key}", currentName))
        );
    }

    private static (string Name, string Test, string Why) CreateUnmatched(IoTestResult run, string circumstance, string side) =>
        (run.Workload ?? run.IOPattern ?? "a run", DescribeRun(run) + circumstance, $"only in {side}");

    private static string DescribeRun(IoTestResult run) =>
        $"{(run.Workload is null ? "" : run.Workload + ": ")}{run.IOPattern}, {FormatNumber(run.ThreadCount)} thread{(run.ThreadCount == 1 ? "" : "s")} x {FormatNumber(run.OutstandingIO)}";

    private static string FormatNumber(int? number) => number?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "?";

    private const int MaxNames = 3;

    /// <summary>Returns one line per reason.</summary>
    internal static IReadOnlyList<string> DescribeUnmatched(IReadOnlyList<(string Name, string Test, string Why)> tests) =>
        [
            .. tests
                .GroupBy(test => test.Why)
                .Select(group => group.Count() == 1 ? $"{group.First().Test} is {group.Key}" : DescribeGroup([.. group])),
        ];

    private static string DescribeGroup(List<(string Name, string Test, string Why)> tests)
    {
        var names = tests.Select(test => test.Name).Distinct().ToList();
        return $"{tests.Count} tests are {tests[0].Why} ({NumberFormat.List(names, MaxNames)})";
    }
}
