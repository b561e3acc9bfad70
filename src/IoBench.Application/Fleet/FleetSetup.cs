using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Creates what a fleet command needs from the values of <see cref="OptionTables.FleetLead"/>. Both front ends use it.</summary>
public sealed class FleetSetup
{
    private static readonly OptionName s_ramp = new("Ramp"),
        s_alone = new("Alone"),
        s_copy = new("Copy"),
        s_resumeAlone = new("ResumeAlone"),
        s_hostTimeout = new("HostTimeout");

    private readonly OptionValues _lead;
    private ProgramFile? _copy;

    public FleetSetup(OptionValues lead)
    {
        ArgumentNullException.ThrowIfNull(lead);
        _lead = lead;
        Program = ReadProgram(lead);
        Group = GroupId.Create(DateTimeOffset.Now);
        Rate = GroupRate.Create(lead);
        Resume =
            lead.IsOn(s_resumeAlone) ? FleetResumeMode.Alone
            : lead.IsOn(OptionNames.Resume) ? FleetResumeMode.Together
            : FleetResumeMode.None;
    }

    /// <summary>Returns the program on hosts that have none in the inventory; null if not set.</summary>
    public static string? ReadProgram(OptionValues lead)
    {
        ArgumentNullException.ThrowIfNull(lead);
        var program = lead.GetText(new OptionName("Program"));
        if (program is not null)
            InventoryNames.CheckPath(program);
        return program;
    }

    public string Group { get; }

    /// <summary>Rate that the hosts share.</summary>
    public GroupRate Rate { get; }

    public FleetResumeMode Resume { get; }

    /// <summary>Number of hosts that are enough; null for all hosts.</summary>
    public int? MinHosts => _lead.GetValue<int>(new OptionName("MinHosts"));

    /// <summary>Throws if the fleet is to be resumed and there is no file with its results.</summary>
    public void CheckOutput(string? output)
    {
        if (Resume != FleetResumeMode.None && output is null)
            throw IoBenchException.Usage(
                "IoBench.CannotResume",
                $"{OptionNames.Resume} of a fleet requires the file with its results. Specify {OptionNames.OutputPath}."
            );
    }

    /// <summary>Program on hosts that have none in the inventory; null if not set.</summary>
    public string? Program { get; }

    /// <summary>Program to copy to the hosts; null to use the program that is installed there.</summary>
    public ProgramFile? Copy => _copy ??= _lead.GetText(s_copy) is { } path ? ProgramFile.FromPath(path) : null;

    /// <summary>Creates a transport that uses ssh for other hosts and processes for this computer.</summary>
    public IFleetTransport CreateTransport(string? own) => new ProcessTransport(Program, own, Copy);

    /// <summary>Runs a fleet in one step or in growing steps. The group id of each step starts with <see cref="Group"/>.</summary>
    /// <param name="earlier">Results of an interrupted run.</param>
    public FleetResult Run(
        FleetPlan plan,
        IFleetTransport transport,
        ResultSpool spool,
        IFleetObserver observer,
        IReadOnlyList<IResultSink> sinks,
        IReadOnlyList<IoTestResult> earlier,
        CancellationToken cancelled
    )
    {
        var resumeState = new FleetResumeState(earlier, MinHosts);
        var steps = GetRemainingSteps(plan, resumeState);
        var isSlim = steps.Sum(step => step.Plan.Work.Sum(work => work.Tests.Count)) > MemberOutputReader.MaxCompleteResults;
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
            new FleetController(options, transport, recorder) { Spool = spool }.Run(step.Plan.Work, cancelled);
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
        var rate = Rate switch
        {
            { Iops: { } iops } => FormattableString.Invariant($", {iops:0.###} IOPS in total"),
            { Limit: { } limit } => $", at most {limit} in total",
            _ => "",
        };
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
                yield return new RampStep($"-alone-{work.Host.Name}", Rate.ApplyTo(plan.SelectHost(work.Host.Name)));
        if (ramp.Count == 0)
            yield return new RampStep("", Rate.ApplyTo(plan));
        // If hosts run alone, the first host alone is already measured.
        foreach (
            var hosts in ramp.Select(hosts => Math.Min(hosts, plan.Work.Count)).Distinct().Order().Where(hosts => hosts > 1 || !isAlone)
        )
            yield return new RampStep(FormattableString.Invariant($"-{hosts}"), Rate.ApplyTo(plan.SelectFirst(hosts)));
    }
}
