using System.Collections;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Loader;

/// <summary>A server's own load and the history of results, for the module: values or errors as <see cref="Attempt"/> gives them.</summary>
public static class OwnLoad
{
    /// <summary><see cref="FileStatsSnapshot.Load"/>.</summary>
    public static Attempt Load(string path) => Attempt.Of(() => FileStatsSnapshot.Load(path));

    /// <summary><see cref="FileStatsSnapshot.Of"/>.</summary>
    public static Attempt Snapshot(IDictionary[] rows, string name) => Attempt.Of(() => FileStatsSnapshot.Of(rows, name));

    /// <summary><see cref="FileStatsWorkload.Between"/>.</summary>
    public static Attempt Between(FileStatsSnapshot first, FileStatsSnapshot second) => Attempt.Of(() => FileStatsWorkload.Between(first, second));

    /// <summary><see cref="FileStatsWorkload.CreateTogether"/>.</summary>
    public static Attempt Together(FileStatsWorkload load, IReadOnlyDictionary<string, string> paths)
    {
        ArgumentNullException.ThrowIfNull(load);
        ArgumentNullException.ThrowIfNull(paths);
        return Attempt.Of(() => load.CreateTogether(paths));
    }

    /// <summary><see cref="ObservedLatency.Of"/>.</summary>
    public static Attempt Observed(IEnumerable<IoTestResult> results) => Attempt.Of(() => ObservedLatency.Of(results));

    /// <summary><see cref="RolePlan.AddTo"/>; the value is the request.</summary>
    public static Attempt AddRoles(TestPlanRequest request, RolePaths paths) => Attempt.Of(() =>
    {
        RolePlan.AddTo(request, paths);
        return request;
    });

    /// <summary><see cref="RoleInterference.Of"/>.</summary>
    public static Attempt Interference(IEnumerable<IoTestResult> results) => Attempt.Of(() => RoleInterference.Of(results));
}
