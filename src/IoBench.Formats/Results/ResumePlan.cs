using System.Text.Json;

namespace IoBench.Formats.Results;

/// <summary>What of a plan is still to run when some of its results are there, whoever began it: the program or the cmdlet.</summary>
public static class ResumePlan
{
    /// <summary>How much of a plan is there: <c>1 of 9 tests is there already; 8 are left to run.</c></summary>
    /// <param name="count">Tests of the plan.</param>
    /// <param name="left">Tests that are still to run.</param>
    public static string Words(int count, int left)
    {
        var done = count - left;
        if (left == 0)
            return count switch
            {
                1 => "The only test is there already; nothing is left to run.",
                2 => "Both tests are there already; nothing is left to run.",
                _ => FormattableString.Invariant($"All {count} tests are there already; nothing is left to run."),
            };
        if (done == 0)
            return count == 1
                ? "The only test is not there yet and is left to run."
                : FormattableString.Invariant($"None of {count} tests is there already; {left} are left to run.");
        return FormattableString.Invariant(
            $"{done} of {count} tests {(done == 1 ? "is" : "are")} there already; {left} {(left == 1 ? "is" : "are")} left to run."
        );
    }

    /// <summary>The tests without a complete result of the same test in <paramref name="finished"/>; equal tests count as often as they are there.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ResumeDiffers</c>: a test of the plan is there with another duration. One suite of two durations compares with nothing.</exception>
    public static IReadOnlyList<IoTestSpecification> Remaining(IReadOnlyList<IoTestSpecification> plan, IEnumerable<IoTestResult> finished)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(finished);
        var done = finished
            .Where(result => result.Status == IoResultStatus.Complete && result.Specification is not null)
            .GroupBy(result => KeyOf(result.Specification!))
            .ToDictionary(group => group.Key, group => group.Count());
        ThrowIfMixed(plan, finished);
        var remaining = new List<IoTestSpecification>();
        foreach (var test in plan)
        {
            var key = KeyOf(test);
            if (done.TryGetValue(key, out var count) && count > 0)
                done[key] = count - 1;
            else
                remaining.Add(test);
        }
        return remaining;
    }

    private static void ThrowIfMixed(IReadOnlyList<IoTestSpecification> plan, IEnumerable<IoTestResult> finished)
    {
        var durations = plan.ToLookup(KeyWithoutTimes, test => test.Duration);
        foreach (
            var done in finished
                .Where(result => result.Status == IoResultStatus.Complete && result.Specification is not null)
                .Select(result => result.Specification!)
        )
            if (durations[KeyWithoutTimes(done)].ToList() is { Count: > 0 } wanted && !wanted.Contains(done.Duration))
                throw IoBenchException.Usage(
                    "IoBench.ResumeDiffers",
                    $"{PatternText.Of(done)} is there already with {Opt.Duration.With(new IoDuration(done.Duration))}, and {new IoDuration(wanted[0])} are asked for now: one suite has one duration.",
                    advice: $"Give {Opt.Duration.With(new IoDuration(done.Duration))} to go on with it, or another output file to begin anew."
                );
    }

    private static string KeyWithoutTimes(IoTestSpecification test)
    {
        var key = test.Clone();
        (key.Duration, key.WarmUp, key.CoolDown) = (TimeSpan.FromSeconds(1), TimeSpan.Zero, TimeSpan.Zero);
        return KeyOf(key);
    }

    /// <summary>A text that is equal for tests that ask the same question of the same storage.</summary>
    public static string KeyOf(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        var key = test.Clone();
        // The rest, and which test begins with preconditioning, depend on a test's place in the plan; the others say where a test comes from and what to make of its figures, not what it does.
        key.RestBefore = TimeSpan.Zero;
        key.PreconditionsFirst = false;
        // Another draw is the same question.
        (key.Seed, key.SeedBase) = (0, null);
        key.WorkloadRole = null;
        key.Origin().CommandLine = null;
        key.Origin().SourceFile = null;
        key.Origin().SourceLine = null;
        key.Origin().OutputFile = null;
        key.StorageCacheSize = null;
        (key.ObservedLatencyMs, key.ObservedFiles) = (null, []);
        foreach (var target in key.Targets)
        {
            target.Path = FullPath(target.Path);
            if (target.Pattern is null)
                continue;
            (target.Pattern.ObservedLatencyMs, target.Pattern.ObservedFiles) = (null, []);
            // Rates of a paced mix are set when it runs.
            if (key.MixLoadPercent is not null)
                target.Pattern.Pace = IoPace.Unlimited;
        }
        return JsonSerializer.Serialize(key, JsonResultOptions.Specification);
    }

    /// <summary>A shell's relative path and a cmdlet's full one are the same file, a folder is the test file in it.</summary>
    private static string FullPath(string path)
    {
        // "#0" is a drive; an empty path and one with a zero are refused by the test itself.
        if (path.Length == 0 || path[0] == '#' || path.Contains('\0', StringComparison.Ordinal))
            return path;
        var full = Path.GetFullPath(path);
        return Directory.Exists(full) ? Path.Combine(full, IoTargetSpecification.DefaultFileName) : full;
    }
}
