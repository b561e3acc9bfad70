using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.Application;

/// <summary>Places tests on paths. A test with several patterns has one target per pattern, with a file role but without a path. All
/// patterns go to one path, or each pattern goes to the path of its role.</summary>
public static class TestPlacement
{
    /// <summary>Returns true if the test has no target, or its targets have no path.</summary>
    public static bool HasNoPath(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Targets.TrueForAll(target => target.Path.Length == 0);
    }

    public static bool HasSeveralPatterns(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Targets.Exists(target => target.Pattern is not null);
    }

    /// <summary>Sets the paths of a test without a path: every pattern on each path.</summary>
    public static void SetPaths(IoTestSpecification test, IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(test);
        ArgumentNullException.ThrowIfNull(paths);
        var patterns = test.Targets;
        test.Targets =
            patterns.Count == 0
                ? [.. paths.Select(path => new IoTargetSpecification(path))]
                : [.. paths.SelectMany(path => patterns.Select(pattern => CloneAtPath(pattern, path)))];
    }

    /// <summary>Creates the tests of workloads, with each pattern on the path of its role.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.RolesAndPattern</c>, <c>IoBench.NoRolePath</c>.</exception>
    public static IReadOnlyList<IoTestSpecification> CreateForRoles(
        IEnumerable<string> workloads,
        IReadOnlyDictionary<string, string> pathOfRole
    )
    {
        ArgumentNullException.ThrowIfNull(pathOfRole);
        var tests = workloads.SelectMany(WorkloadCatalog.Resolve).ToList();
        foreach (var test in tests)
        {
            if (!HasSeveralPatterns(test))
                throw IoBenchException.Usage(
                    "IoBench.RolesAndPattern",
                    $"{test.Workload} has one pattern. Paths for file roles require a workload with several patterns, such as restore or index-rebuild.",
                    advice: "Specify one path for this workload. Or remove the workload, and IoBench selects a workload for each file role."
                );
            if (test.Targets.Find(target => !pathOfRole.ContainsKey(target.Role!)) is { } missing)
                throw IoBenchException.Usage(
                    "IoBench.NoRolePath",
                    $"{test.Workload} requires a path for {missing.Role}. Specify {GetPathOption(missing.Role!)}, or one path for all its patterns."
                );
            test.Targets = test.Targets.ConvertAll(target => CloneAtPath(target, pathOfRole[target.Role!]));
        }
        return tests;
    }

    private static IoTargetSpecification CloneAtPath(IoTargetSpecification pattern, string path)
    {
        var target = pattern.Clone();
        target.Path = path;
        return target;
    }

    private static OptionName GetPathOption(string role) =>
        role switch
        {
            "log" => OptionNames.LogPath,
            "tempdb" => OptionNames.TempdbPath,
            "backup" => OptionNames.BackupPath,
            _ => OptionNames.DataPath,
        };
}
