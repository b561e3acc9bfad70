using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Creates what a fleet command needs from the values of <see cref="OptionTables.FleetLead"/>. Both front ends use it.</summary>
public sealed class FleetSetup
{
    /// <summary>Program on hosts for which neither the options nor the inventory have one.</summary>
    public const string DefaultProgram = "iobench";

    private static readonly OptionName s_ramp = new("Ramp"),
        s_alone = new("Alone"),
        s_copy = new("Copy"),
        s_program = new("Program"),
        s_groupIops = new("GroupIops"),
        s_groupMaxRate = new("GroupMaxRate"),
        s_resumeAlone = new("ResumeAlone"),
        s_hostTimeout = new("HostTimeout");

    private readonly OptionValues _lead;
    private readonly double? _iops;
    private readonly IoRate? _limit;

    public FleetSetup(OptionValues lead)
    {
        ArgumentNullException.ThrowIfNull(lead);
        _lead = lead;
        Program = lead.GetText(s_program);
        if (Program is not null)
            InventoryNames.CheckPath(Program);
        Group = FleetPlan.CreateGroupId(DateTimeOffset.Now);
        (_iops, _limit) = (lead.GetValue<double>(s_groupIops), lead.GetValue<IoRate>(s_groupMaxRate));
        if (_iops is not null && _limit is not null)
            throw IoBenchException.Usage("IoBench.ConflictingOptions", $"{s_groupIops} and {s_groupMaxRate} cannot be combined.");
        Resume =
            lead.IsOn(s_resumeAlone) ? FleetResumeMode.Alone
            : lead.IsOn(OptionNames.Resume) ? FleetResumeMode.Together
            : FleetResumeMode.None;
    }

    public string Group { get; }

    public FleetResumeMode Resume { get; }

    /// <summary>Number of hosts that are enough; null for all hosts.</summary>
    public int? MinHosts => _lead.GetValue<int>(new OptionName("MinHosts"));

    /// <summary>Throws if the fleet is to be resumed and there is no file with its results.</summary>
    public void CheckOutput(string? output)
    {
        if (Resume != FleetResumeMode.None && output is null)
            throw IoBenchException.Usage(
                "IoBench.CannotResume",
                $"{OptionNames.Resume} requires the file with the results of the interrupted fleet run. To specify this file, use {OptionNames.OutputPath}."
            );
    }

    /// <summary>Program on hosts that have none in the inventory; null if not set.</summary>
    public string? Program { get; }

    /// <summary>Starts members with ssh on other hosts and as processes on this computer.</summary>
    /// <param name="own">Program on this computer if the options and the inventory have none; null for <c>iobench</c>.</param>
    public MemberStarter CreateProcessStarter(string? own)
    {
        var copy = _lead.GetText(s_copy) is { } path ? ProgramFile.FromPath(path) : null;
        return (work, group, onLine, onClosed) =>
            new ProcessConnection(work, group, Program ?? (work.Host.IsLocal ? own : null) ?? DefaultProgram, copy, onLine, onClosed);
    }

    /// <summary>Runs a fleet in one step or in growing steps. The group id of each step starts with <see cref="Group"/>.</summary>
    /// <param name="earlier">Results of an interrupted run.</param>
    public FleetResult Run(
        FleetPlan plan,
        MemberStarter start,
        ResultSpool spool,
        IFleetObserver observer,
        IReadOnlyList<IResultSink> sinks,
        IReadOnlyList<IoTestResult> earlier,
        CancellationToken cancelled
    )
    {
        var resumeState = new FleetResumeState(earlier, MinHosts);
        var steps = GetRemainingSteps(plan, resumeState);
        var isSlim = steps.Sum(step => step.Plan.Work.Sum(work => work.Tests.Count)) > FleetResult.MaxCompleteResults;
        var outcomes = new List<FleetResult>();
        foreach (var step in steps)
        {
            if (cancelled.IsCancellationRequested)
                break;
            var options = new FleetOptions
            {
                Group = Group + step.Name,
                Mark = step.Mark,
                MinHosts = MinHosts is { } min ? Math.Min(min, step.Plan.Work.Count) : null,
                HostTimeout = _lead.GetValue<TimeSpan>(s_hostTimeout) ?? FleetOptions.DefaultHostTimeout,
            };
            var recorder = new FleetResultRecorder(options.Group, observer, sinks, spool, isSlim, step.Plan.Work);
            new FleetController(options, start, recorder) { Spool = spool }.Run(step.Plan.Work, cancelled);
            outcomes.Add(recorder.Finish(cancelled.IsCancellationRequested));
        }
        List<FleetGroup> groups = [.. FleetMerge.FindGroups(resumeState.Kept).Concat(outcomes.SelectMany(outcome => outcome.Groups))];
        List<IoTestResult> results = [.. resumeState.Kept, .. outcomes.SelectMany(outcome => outcome.Results)];
        return new FleetResult(
            results,
            [.. outcomes.SelectMany(outcome => outcome.Failures)],
            groups,
            ScalingCurve.Find(groups),
            cancelled.IsCancellationRequested,
            outcomes.TrueForAll(outcome => outcome.IsSaved)
        )
        {
            Unmeasured = [.. outcomes.SelectMany(outcome => outcome.Unmeasured)],
            Whole = isSlim ? new SpooledResults(results, spool) : results,
        };
    }

    /// <summary>Describes the plan in a sentence, and how much of it has already run.</summary>
    public IoMessage DescribePlan(FleetPlan plan, IReadOnlyList<IoTestResult> earlier)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var rate =
            _iops is { } iops ? FormattableString.Invariant($", {iops:0.###} IOPS in total")
            : _limit is { } limit ? $", at most {limit} in total"
            : "";
        if (Resume == FleetResumeMode.None)
            return $"{plan}{rate}.";
        var remaining = GetRemainingSteps(plan, new FleetResumeState(earlier, MinHosts));
        return $"{plan}{rate}. {ResumePlan.DescribeProgress(CreateSteps(plan).Sum(CountTests), remaining.Sum(CountTests))}";

        static int CountTests(RampStep step) => step.Plan.Work.Max(work => work.Tests.Count);
    }

    private List<RampStep> GetRemainingSteps(FleetPlan plan, FleetResumeState resumeState) =>
        [.. CreateSteps(plan).SelectMany(step => resumeState.GetRemaining(step, Resume))];

    private IEnumerable<RampStep> CreateSteps(FleetPlan plan)
    {
        var isAlone = _lead.IsOn(s_alone);
        var ramp = _lead.GetList<int>(s_ramp);
        if (isAlone)
            foreach (var work in plan.Work)
                yield return new RampStep($"-alone-{work.Host.Name}", SplitRate(plan.SelectHost(work.Host.Name)));
        if (ramp.Count == 0)
            yield return new RampStep("", SplitRate(plan));
        // If hosts run alone, the first host alone is already measured.
        foreach (
            var hosts in ramp.Select(hosts => Math.Min(hosts, plan.Work.Count)).Distinct().Order().Where(hosts => hosts > 1 || !isAlone)
        )
            yield return new RampStep(FormattableString.Invariant($"-{hosts}"), SplitRate(plan.SelectFirst(hosts)));
    }

    /// <summary>Splits the rate of the group evenly over the hosts that run a test together. A host with its own rate in the inventory
    /// keeps that rate, and the other hosts share the rest.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidRate</c>: nothing is left for the other hosts.</exception>
    public FleetPlan SplitRate(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return _iops is null && _limit is null
            ? plan
            : plan.WithTests(work =>
                work.Host.Rate is not null ? work.Tests : [.. work.Tests.Select((test, number) => CreateHostTest(plan, test, number))]
            );
    }

    private IoTestSpecification CreateHostTest(FleetPlan plan, IoTestSpecification test, int number)
    {
        var together = plan.Work.Where(work => work.Tests.Count > number).ToList();
        var sharing = together.Where(work => work.Host.Rate is null).Sum(work => work.Tests[number].Targets.Count);
        var own = together
            .Where(work => work.Host.Rate is not null)
            .Sum(work => work.Tests[number].Targets.Sum(target => work.Tests[number].GetPattern(target).TargetIops ?? 0));
        var part = test.Clone();
        if (_iops is { } iops)
            SetOption(part, "TargetIops", GetRemainingRate(iops, own) / sharing);
        else
            SetOption(
                part,
                "MaxRate",
                _limit!.Value.Iops is { } count
                    ? IoRate.FromIops(GetRemainingRate(count, own) / sharing)
                    : IoRate.FromBytesPerSecond(_limit.Value.BytesPerSecond!.Value / sharing)
            );
        return part;
    }

    private static double GetRemainingRate(double all, double own) =>
        all > own
            ? all - own
            : throw IoBenchException.Usage(
                "IoBench.InvalidRate",
                $"The host rates in the inventory add up to {own} IOPS, but the total rate that you specified for all hosts is {all} IOPS. Nothing remains for the hosts without a rate."
            );

    private static void SetOption(IoTestSpecification test, string option, object value) => OptionTables.Find(option)!.Apply(test, value);
}
