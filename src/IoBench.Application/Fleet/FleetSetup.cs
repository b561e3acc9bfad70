namespace IoBench.Application.Fleet;

/// <summary>A call of a fleet as it was given, by the program or a cmdlet: what both make of the options of <see cref="OptionTables.FleetLead"/>.</summary>
public sealed class FleetSetup
{
    private static readonly OptionName s_detach = new("Detach"),
        s_startAt = new("StartAt"),
        s_ramp = new("Ramp"),
        s_alone = new("Alone"),
        s_copy = new("Copy"),
        s_resumeAlone = new("ResumeAlone");

    private readonly OptionValues _lead;
    private ProgramFile? _copy;

    /// <summary>Takes the options.</summary>
    /// <exception cref="IoBenchException">They contradict each other.</exception>
    public FleetSetup(OptionValues lead)
    {
        ArgumentNullException.ThrowIfNull(lead);
        _lead = lead;
        Group = FleetIds.New(DateTimeOffset.Now);
        Rate = FleetRate.Create(lead);
        Resume =
            lead.IsOn(s_resumeAlone) ? FleetResume.Alone
            : lead.IsOn(Opt.Resume) ? FleetResume.Together
            : FleetResume.None;
        if (IsDetached && (Array.Find([s_ramp, s_alone, s_resumeAlone, Opt.Resume], lead.Has) is { Name: not null } led))
            throw IoBenchException.Usage(FleetErrors.Member, $"{led} needs somebody who leads the hosts: leave it or {s_detach} out.");
        if (IsDetached && StartAt is null)
            throw IoBenchException.Usage(
                FleetErrors.Member,
                $"{s_detach}: hosts that nobody leads begin at a time.",
                advice: $"Give {s_startAt} too."
            );
    }

    /// <summary>A new group.</summary>
    public string Group { get; }

    /// <summary>The rate that hosts share.</summary>
    public FleetRate Rate { get; }

    /// <summary>How an interrupted fleet is gone on with.</summary>
    public FleetResume Resume { get; }

    /// <summary>Members are started, and begin and end by themselves.</summary>
    public bool IsDetached => _lead.IsOn(s_detach);

    /// <summary>When the first test of members that nobody leads begins; null = not said.</summary>
    public DateTimeOffset? StartAt => _lead.Text(s_startAt) is { } text ? FleetTime.Parse(text, DateTimeOffset.Now) : null;

    /// <summary>Hosts that are enough; null = all.</summary>
    public int? MinHosts => _lead.Value<int>(new OptionName("MinHosts"));

    /// <summary>Refuses to continue what nothing is known of.</summary>
    /// <param name="output">The file of the results; null = none is kept.</param>
    /// <exception cref="IoBenchException"><c>IoBench.CannotResume</c>.</exception>
    public void CheckOutput(string? output)
    {
        if (Resume != FleetResume.None && output is null)
            throw IoBenchException.Usage(
                "IoBench.CannotResume",
                $"{Opt.Resume} of a fleet needs the file of its results: give {Opt.OutputPath}."
            );
    }

    /// <summary>The program on hosts that name none; null = not said.</summary>
    public string? Program => _lead.Text(new OptionName("Program"));

    /// <summary>The program that hosts get; null = theirs is used.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ProgramFile</c>.</exception>
    public ProgramFile? Copy => _copy ??= _lead.Text(s_copy) is { } path ? ProgramFile.Of(path) : null;

    /// <summary>The way to hosts by ssh, and to processes of this computer.</summary>
    /// <param name="own">The program on this computer.</param>
    public IFleetTransport Transport(string? own) => new ProcessTransport(Program, own, Copy);

    /// <summary>What runs the fleet.</summary>
    /// <param name="transport">The way to the hosts.</param>
    /// <param name="spool">Where results go as they come: <see cref="FleetSpool.Begin(string)"/> of <see cref="Group"/>.</param>
    /// <param name="observer">Hears what happens.</param>
    /// <param name="sinks">Where results are kept.</param>
    /// <param name="earlier">Results of an interrupted part.</param>
    /// <param name="force">Members may use files that IoBench did not make.</param>
    public FleetRunner Runner(
        IFleetTransport transport,
        FleetSpool spool,
        IFleetObserver observer,
        IReadOnlyList<IResultSink> sinks,
        IReadOnlyList<IoTestResult> earlier,
        bool force
    ) =>
        new()
        {
            Options = FleetOptions.Create(Group, _lead),
            Transport = transport,
            Spool = spool,
            Observer = observer,
            Force = force,
            Sinks = sinks,
            Steps = Steps(earlier),
        };

    /// <summary>What is done on hosts without leading them.</summary>
    /// <param name="own">The program on this computer.</param>
    /// <param name="warn">Takes what there is to beware of; null = nobody does.</param>
    /// <param name="say">Takes what hosts say of what was done; null = nobody does.</param>
    public FleetHands Hands(string? own, Action<IoWarning>? warn = null, Action<string>? say = null) =>
        new()
        {
            Program = Program ?? "iobench",
            OwnProgram = own,
            Copy = Copy,
            HostTimeout = FleetOptions.Create(Group, _lead).HostTimeout,
            Warn = warn ?? (_ => { }),
            Say = say ?? (_ => { }),
        };

    /// <summary>What is to be done in a sentence: the plan, and what of it is there already.</summary>
    /// <param name="earlier">Results of an interrupted part.</param>
    public IoText Words(FleetPlan plan, IReadOnlyList<IoTestResult> earlier)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var rate = Rate switch
        {
            { Iops: { } iops } => FormattableString.Invariant($", {iops:0.###} IOPS in all"),
            { Limit: { } limit } => $", at most {limit} in all",
            _ => "",
        };
        if (Resume == FleetResume.None)
            return $"{plan}{rate}.";
        var (count, left) = Steps(earlier).Look(plan);
        return $"{plan}{rate}. {ResumePlan.Words(count, left)}";
    }

    private FleetSteps Steps(IReadOnlyList<IoTestResult> earlier) =>
        new(earlier, MinHosts)
        {
            Ramp = _lead.List<int>(s_ramp),
            IsAlone = _lead.IsOn(s_alone),
            Rate = Rate,
            Resume = Resume,
        };
}
