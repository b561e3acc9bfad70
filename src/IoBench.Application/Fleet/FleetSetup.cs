using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Creates what a fleet command needs from the values of <see cref="OptionTables.FleetLead"/>. Both front ends use it.</summary>
public sealed class FleetSetup
{
    private static readonly OptionName s_ramp = new("Ramp"),
        s_alone = new("Alone"),
        s_copy = new("Copy"),
        s_resumeAlone = new("ResumeAlone");

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

    /// <param name="earlier">Results of an interrupted run.</param>
    public FleetRunner CreateRunner(
        IFleetTransport transport,
        ResultSpool spool,
        IFleetObserver observer,
        IReadOnlyList<IResultSink> sinks,
        IReadOnlyList<IoTestResult> earlier
    ) =>
        new()
        {
            Options = FleetOptions.Create(Group, _lead),
            Transport = transport,
            Spool = spool,
            Observer = observer,
            Sinks = sinks,
            Steps = CreatePlanner(earlier),
        };

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
        var (count, left) = CreatePlanner(earlier).CountTests(plan);
        return $"{plan}{rate}. {ResumePlan.DescribeProgress(count, left)}";
    }

    private RampPlanner CreatePlanner(IReadOnlyList<IoTestResult> earlier) =>
        new(earlier, MinHosts)
        {
            Ramp = _lead.GetList<int>(s_ramp),
            IsAlone = _lead.IsOn(s_alone),
            Rate = Rate,
            Resume = Resume,
        };
}
