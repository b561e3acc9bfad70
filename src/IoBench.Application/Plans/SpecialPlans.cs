using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class TestPlanner
{
    private static readonly OptionName[] s_capturedOptions =
    [
        OptionNames.BlockSize,
        OptionNames.AccessPattern,
        OptionNames.WritePercent,
        OptionNames.TargetIops,
    ];

    public static void AddRoleOrCapturedTests(PlanRequest request, List<IoWarning> warnings)
    {
        if (request.MixLoad is { } percent)
            CheckMixLoad(request, percent);
        if (request.FileStats.Count > 0)
            AddCapturedWorkload(request, warnings);
        else if (!request.Roles.IsEmpty)
            AddRoleTests(request);
    }

    private static void CheckMixLoad(PlanRequest request, int percent)
    {
        if (percent is < 1 or > 100)
            throw IoBenchException.Usage(
                "IoBench.InvalidMixLoad",
                $"{OptionNames.MixLoad.WithValue(percent)}: a share of each role's own rate is 1 to 100 percent."
            );
        if (request.Roles.IsEmpty || request.FileStats.Count > 0 || request.Workloads.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.InvalidMixLoad",
                $"{OptionNames.MixLoad} is about roles on their own paths, which are measured alone first: give two or more of {OptionNames.DataPath}, {OptionNames.LogPath}, {OptionNames.TempdbPath} and {OptionNames.BackupPath}, without a workload or a server's own load."
            );
    }

    private static void AddRoleTests(PlanRequest request)
    {
        var other = request switch
        {
            { Paths.Count: > 0 } => "paths without a role",
            { Specifications.Count: > 0 } => "a workload",
            { PathMode: not (null or IoPathMode.Each) } => "a path mode",
            { Shuffle: true } => "a shuffled order",
            _ => PlanRequestValidator.FindPatternOption(request) is { } option ? NumberFormat.WithArticle(option) : null,
        };
        if (other is not null)
            throw IoBenchException.Usage(
                "IoBench.RolesAndPattern",
                $"Paths of roles and {other} exclude each other: each role brings its own workload, first alone, then all at once.",
                advice: "Leave one of them out."
            );
        request.Specifications =
            request.Workloads.Count == 0
                ? RoleTestPlan.Create(request.Roles, mixLoadPercent: request.MixLoad)
                : TestPlacement.CreateForRoles(request.Workloads, request.Roles.ToDictionary());
        request.Workloads = [];
    }

    private static void AddCapturedWorkload(PlanRequest request, List<IoWarning> warnings)
    {
        if (request.Workloads.Count > 0 || s_capturedOptions.Any(request.Has))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.FromFileStats}: a server's own load brings its sizes, mix and rate: leave workload, block size, pattern, share of writes and rate out."
            );
        List<FileStatsSnapshot> snapshots = [.. request.FileStats.SelectMany(FileStatsSnapshot.LoadFile)];
        if (snapshots.Count < 2)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.FromFileStats}: two snapshots are needed, the earlier one first: {OptionNames.FromFileStats.WithValue("before.csv,after.csv")}, or one file with several."
            );
        var load = CapturedWorkload.FromSnapshots(snapshots, request.GetValue<TimeSpan>(OptionNames.Duration));
        request.OwnLoad = load;
        warnings.AddRange(load.Warnings.Select(IoWarning.FromString));
        if (request.Roles.IsEmpty)
        {
            request.Specifications = load.CreateSpecifications();
            return;
        }
        if (request.Paths.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.FromFileStats}: name a path for the loads one by one, or paths of roles for all at once, not both."
            );
        var paths = request.Roles.ToDictionary();
        warnings.AddRange(load.DescribeRolesWithoutPath(paths).Select(IoWarning.FromString));
        request.Specifications = load.CreateConcurrentSpecifications(paths);
    }
}
