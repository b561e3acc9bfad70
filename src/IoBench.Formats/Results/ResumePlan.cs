using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Determines which tests of a plan must still run if some results exist already.</summary>
public static class ResumePlan
{
    /// <summary>Example: <c>The output contains the results of 1 of 9 tests. IoBench runs the other 8.</c></summary>
    public static string DescribeProgress(int count, int left)
    {
        var done = count - left;
        if (left == 0)
            return count switch
            {
                1 => "The output already contains the result of the only test, so there is nothing to run.",
                2 => "The output already contains the results of both tests, so there is nothing to run.",
                _ => FormattableString.Invariant(
                    $"The output already contains the results of all {count} tests, so there is nothing to run."
                ),
            };
        if (done == 0)
            return count == 1
                ? "The output does not contain the result of the test yet. IoBench runs the test."
                : FormattableString.Invariant($"The output contains no results of the {count} tests. IoBench runs {left} tests.");
        return FormattableString.Invariant(
            $"The output contains the results of {done} of {count} tests. IoBench runs the other {(left == 1 ? "one" : left)}."
        );
    }

    /// <summary>If equal tests occur several times in the plan, each result counts for one of them.</summary>
    /// <param name="computer">Name of the computer that runs the remaining tests; null to accept results of any computer.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ResumeDiffers</c>: a result of a planned test has another duration.
    /// <c>IoBench.ResumeOtherComputer</c>: a result is of another computer.</exception>
    public static IReadOnlyList<IoTestSpecification> GetRemainingTests(
        IReadOnlyList<IoTestSpecification> plan,
        IEnumerable<IoTestResult> finished,
        string? computer = null
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(finished);
        if (computer is not null)
            ThrowIfOtherComputer(finished, computer);
        var done = finished
            .Where(result => result.Status == IoResultStatus.Complete && result.Specification is not null)
            .GroupBy(result => GetTestKey(result.Specification!))
            .ToDictionary(group => group.Key, group => group.Count());
        ThrowIfMixed(plan, finished);
        var remaining = new List<IoTestSpecification>();
        foreach (var test in plan)
        {
            var key = GetTestKey(test);
            if (done.TryGetValue(key, out var count) && count > 0)
                done[key] = count - 1;
            else
                remaining.Add(test);
        }
        return remaining;
    }

    private static void ThrowIfOtherComputer(IEnumerable<IoTestResult> finished, string computer)
    {
        var other = finished.FirstOrDefault(result =>
            result.ComputerName is { Length: > 0 } name && !name.Equals(computer, StringComparison.OrdinalIgnoreCase)
        );
        if (other is not null)
            throw IoBenchException.Usage(
                "IoBench.ResumeOtherComputer",
                $"The results to resume are from the computer {other.ComputerName}, but this computer is {computer}.",
                other.ComputerName,
                advice: $"Run the command on {other.ComputerName}, or specify another output file without {OptionNames.Resume}."
            );
    }

    private static void ThrowIfMixed(IReadOnlyList<IoTestSpecification> plan, IEnumerable<IoTestResult> finished)
    {
        var durations = plan.ToLookup(GetKeyWithoutTimes, test => test.Duration);
        foreach (
            var done in finished
                .Where(result => result.Status == IoResultStatus.Complete && result.Specification is not null)
                .Select(result => result.Specification!)
        )
            if (durations[GetKeyWithoutTimes(done)].ToList() is { Count: > 0 } wanted && !wanted.Contains(done.Duration))
                throw IoBenchException.Usage(
                    "IoBench.ResumeDiffers",
                    $"The output contains a result of {PatternText.Describe(done)} with {OptionNames.Duration.WithValue(new IoDuration(done.Duration))}, but this command specifies {new IoDuration(wanted[0])}. Each test of a resumed suite must have its original duration.",
                    advice: $"Use {OptionNames.Duration.WithValue(new IoDuration(done.Duration))} to resume the suite, or specify another output file to start a new suite."
                );
    }

    private static string GetKeyWithoutTimes(IoTestSpecification test)
    {
        var key = test.Clone();
        key.Duration = TimeSpan.FromSeconds(1);
        key.WarmUp = TimeSpan.Zero;
        key.CoolDown = TimeSpan.Zero;
        return GetTestKey(key);
    }

    /// <summary>Returns a text that is equal for tests that measure the same thing on the same storage.</summary>
    public static string GetTestKey(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        var key = test.Clone();
        // The idle time and the preconditioning depend on a test's position in the plan. The other values describe the origin and the
        // rating of a test, not its I/O.
        key.RestBefore = TimeSpan.Zero;
        key.PreconditionsFirst = false;
        // A test with another random seed is the same test.
        key.Seed = 0;
        key.SeedBase = null;
        key.WorkloadRole = null;
        key.GetOrAddOrigin().CommandLine = null;
        key.GetOrAddOrigin().SourceFile = null;
        key.GetOrAddOrigin().SourceLine = null;
        key.GetOrAddOrigin().OutputFile = null;
        key.StorageCacheSize = null;
        key.ObservedLatencyMs = null;
        key.ObservedFiles = [];
        foreach (var target in key.Targets)
        {
            target.Path = GetFullPath(target.Path);
            if (target.Pattern is null)
                continue;
            target.Pattern.ObservedLatencyMs = null;
            target.Pattern.ObservedFiles = [];
            // The rates of a rate-limited mix are set when the mix runs.
            if (key.MixLoadPercent is not null)
                target.Pattern.RemoveRateLimits();
        }
        return JsonSerializer.Serialize(key, JsonResultOptions.Specification);
    }

    private static string GetFullPath(string path)
    {
        // "#0" is a drive. The validation of the test refuses an empty path and a path with a zero character.
        if (path.Length == 0 || path[0] == '#' || path.Contains('\0', StringComparison.Ordinal))
            return path;
        var full = Path.GetFullPath(path);
        return Directory.Exists(full) ? Path.Combine(full, IoTargetSpecification.DefaultFileName) : full;
    }
}
