using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>What of a plan is still to run when some of its results are there, whoever began it: the program or the cmdlet.</summary>
public static class ResumePlan
{
    /// <summary>The tests without a complete result of the same test in <paramref name="finished"/>; equal tests count as often as they are there.</summary>
    public static IReadOnlyList<IoTestSpecification> Remaining(IReadOnlyList<IoTestSpecification> plan, IEnumerable<IoTestResult> finished)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(finished);
        var done = finished
            .Where(result => result.Status == IoResultStatus.Complete && result.Specification is not null)
            .GroupBy(result => KeyOf(result.Specification!))
            .ToDictionary(group => group.Key, group => group.Count());
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
        key.ObservedLatencyMs = null;
        foreach (var target in key.Targets)
        {
            target.Path = FullPath(target.Path);
            if (target.Pattern is not null)
                target.Pattern.ObservedLatencyMs = null;
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
