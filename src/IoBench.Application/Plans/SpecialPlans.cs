using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

internal static class SpecialPlans
{
    private static readonly OptionName[] s_ownLoadBrings = [Opt.BlockSize, Opt.AccessPattern, Opt.WritePercent, Opt.TargetIops];

    public static void Prepare(PlanRequest request, List<IoWarning> warnings)
    {
        if (request.MixLoad is { } percent)
            CheckMix(request, percent);
        if (request.FileStats.Count > 0)
            AddOwnLoad(request, warnings);
        else if (!request.Roles.IsEmpty)
            AddRoles(request);
    }

    private static void CheckMix(PlanRequest request, int percent)
    {
        if (percent is < 1 or > 100)
            throw IoBenchException.Usage(
                "IoBench.InvalidMixLoad",
                $"{Opt.MixLoad.With(percent)}: a share of each role's own rate is 1 to 100 percent."
            );
        if (request.Roles.IsEmpty || request.FileStats.Count > 0 || request.Workloads.Count > 0)
            throw IoBenchException.Usage(
                "IoBench.InvalidMixLoad",
                $"{Opt.MixLoad} is about roles on their own paths, which are measured alone first: give two or more of {Opt.DataPath}, {Opt.LogPath}, {Opt.TempdbPath} and {Opt.BackupPath}, without a workload or a server's own load."
            );
    }

    private static void AddRoles(PlanRequest request)
    {
        var other = request switch
        {
            { Paths.Count: > 0 } => "paths without a role",
            { Specifications.Count: > 0 } => "a workload",
            { PathMode: not (null or IoPathMode.Each) } => "a path mode",
            { Shuffle: true } => "a shuffled order",
            _ => PlanRules.PatternOption(request) is { } option ? Figures.WithArticle(option) : null,
        };
        if (other is not null)
            throw IoBenchException.Usage(
                "IoBench.RolesAndPattern",
                $"Paths of roles and {other} exclude each other: each role brings its own workload, first alone, then all at once.",
                advice: "Leave one of them out."
            );
        request.Specifications =
            request.Workloads.Count == 0
                ? RolePlan.Create(request.Roles, mixLoadPercent: request.MixLoad)
                : MixedTests.OnRoles(request.Workloads, request.Roles.ToDictionary());
        request.Workloads = [];
    }

    private static void AddOwnLoad(PlanRequest request, List<IoWarning> warnings)
    {
        if (request.Workloads.Count > 0 || s_ownLoadBrings.Any(request.Has))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{Opt.FromFileStats}: a server's own load brings its sizes, mix and rate: leave workload, block size, pattern, share of writes and rate out."
            );
        List<FileStatsSnapshot> snapshots = [.. request.FileStats.SelectMany(FileStatsSnapshot.LoadAll)];
        if (snapshots.Count < 2)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{Opt.FromFileStats}: two snapshots are needed, the earlier one first: {Opt.FromFileStats.With("before.csv,after.csv")}, or one file with several."
            );
        var load = FileStatsWorkload.Of(snapshots, request.Value<TimeSpan>(Opt.Duration));
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
                $"{Opt.FromFileStats}: name a path for the loads one by one, or paths of roles for all at once, not both."
            );
        var paths = request.Roles.ToDictionary();
        warnings.AddRange(load.LeftOut(paths).Select(IoWarning.FromString));
        request.Specifications = load.CreateAllTogether(paths);
    }
}
