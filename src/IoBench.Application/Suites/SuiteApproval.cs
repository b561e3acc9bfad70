using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Determines the tests that can run before the first test, so that a wrong path does not end a long run in the middle. Checking
/// changes no target. The user is asked about targets that need a confirmation. Tests with refused targets are left out.</summary>
public sealed class SuiteApproval
{
    private readonly SuiteSettings _settings;
    private readonly ISuiteFront? _front;

    // Keyed by the resolved path: a folder and the test file in it are one target.
    private readonly Dictionary<string, ApprovedTarget> _targets = [];
    private readonly Dictionary<string, string> _resolvedPaths = [];
    private readonly List<(string Path, IoBenchException Error)> _refusals = [];
    private readonly HashSet<(string Path, bool Writes)> _refused = [];

    // Full path of the confirmed file, by the path in the test.
    private readonly Dictionary<(string Path, TargetQuestionKind Kind), string> _confirmed = [];
    private readonly Dictionary<TargetQuestionKind, bool> _answersToAll = [];

    // The checks and the tests share these options, so that a file which replaces an approved file is refused.
    private readonly TestRunOptions _sharedOptions = new();
    private List<IoTestSpecification> _tests = [];

    private SuiteApproval(SuiteSettings settings, ISuiteFront? front)
    {
        _settings = settings;
        _front = front;
    }

    /// <summary>Approved tests, in the order of the plan.</summary>
    public IReadOnlyList<IoTestSpecification> Tests => _tests;

    /// <summary>Each target once, in the order of the tests, with the largest size that a test needs.</summary>
    public IReadOnlyList<ApprovedTarget> Targets => [.. _targets.Values];

    public IReadOnlyList<(string Path, IoBenchException Error)> Refusals => _refusals;

    /// <summary>Estimated duration of all tests, including the creation of files.</summary>
    public TestPlanEstimate Estimate =>
        TestPlanEstimate.Create(
            _tests,
            _targets.Values.Sum(target => target.BytesToMake),
            bytesToPrecondition: Preconditions.Sum(run => run.Bytes)
        );

    public IReadOnlyList<(CheckedTarget Target, long Bytes)> Preconditions => GetPreconditions(_tests);

    /// <summary>Tests grouped by their targets, for a separate confirmation of each group.</summary>
    public IReadOnlyList<TargetGroup> Groups =>
        [.. _tests.GroupBy(test => string.Join("; ", test.Targets.Select(target => target.Path))).Select(group => CreateGroup([.. group]))];

    /// <summary>Checks all targets of all tests. Changes nothing.</summary>
    /// <param name="front">Receives the questions and the refusals; null if there is no user to ask. If it needs all targets, no more
    /// questions are asked after the first refusal.</param>
    /// <exception cref="IoBenchException">The front end needs all targets, and at least one was refused; the error has all
    /// reasons.</exception>
    public static SuiteApproval Create(IReadOnlyList<IoTestSpecification> plan, SuiteSettings settings, ISuiteFront? front)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(settings);
        VerificationPlanning.CheckWitness(plan, settings);
        var approval = new SuiteApproval(settings, front);
        foreach (var test in plan)
        {
            foreach (
                var (run, target) in Preconditioning
                    .CreateRuns(test)
                    .Append(test)
                    .SelectMany(run => run.Targets.Select(target => (run, target)))
            )
                approval.CheckTarget(run, target);
        }
        if (approval.NeedsAll && approval._refusals.Count > 0)
            throw IoBenchException.Combine([.. approval._refusals.Select(refusal => refusal.Error)]);
        approval._refusals.ForEach(refusal => front?.OnRefused(refusal.Path, refusal.Error));
        approval._tests = [.. plan.Where(test => !test.Targets.Exists(target => approval.IsRefused(test, target)))];
        return approval;
    }

    private bool NeedsAll => _front?.NeedsAllTargets == true;

    public void ExcludeGroup(TargetGroup group)
    {
        ArgumentNullException.ThrowIfNull(group);
        _tests.RemoveAll(group.Tests.Contains);
    }

    /// <summary>Returns the options of a test: permissions of the call, and confirmations for the test's own targets only.</summary>
    public TestRunOptions GetOptions(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return CreateOptions([.. test.Targets.Select(target => target.Path)]);
    }

    private TestRunOptions CreateOptions(params string[] paths) =>
        new(_sharedOptions)
        {
            OwnFilesOnly = _settings.OwnFilesOnly,
            Permissions = _settings.Permissions with
            {
                OverwriteFiles =
                [
                    .. _settings.Permissions.OverwriteFiles,
                    .. paths
                        .Where(path => _confirmed.ContainsKey((path, TargetQuestionKind.Overwrite)))
                        .Select(path => _confirmed[(path, TargetQuestionKind.Overwrite)]),
                ],
                ReadDatabase =
                    _settings.Permissions.ReadDatabase
                    || paths.Any(path => _confirmed.ContainsKey((path, TargetQuestionKind.ReadSqlServerFile))),
            },
            Witness = _settings.Witness,
        };

    /// <summary>How a test uses a target. A target that is refused for one test is refused for all tests that use it in the same
    /// way.</summary>
    internal static (string Path, bool Writes) GetAccess(IoTestSpecification test, IoTargetSpecification target) =>
        (target.Path, test.GetPattern(target).WritePercent > 0);

    // A refused preconditioning also refuses the test, because without it the test would measure something else.
    private bool IsRefused(IoTestSpecification test, IoTargetSpecification target) =>
        _refused.Contains(GetAccess(test, target)) || test.Precondition is not null && _refused.Contains((target.Path, Writes: true));

    private void CheckTarget(IoTestSpecification test, IoTargetSpecification target)
    {
        if (BackendCatalog.IsModeled(test.Backend))
        {
            AddTarget(target, ApprovedTarget.CreateModeled(test, target));
            return;
        }
        var use = GetAccess(test, target);
        // A file that must not be read must not be written either. A file that must not be written can still be read.
        if (_refused.Contains(use) || _refused.Contains(use with { Writes = false }))
        {
            _refused.Add(use);
            return;
        }
        if (TryPrepareTarget(test, target) is not { } prepared)
        {
            _refused.Add(use);
            return;
        }
        if (!_targets.ContainsKey(prepared.Path) && !CanLoadVolume(prepared))
        {
            _refused.Add(use with { Writes = false });
            _refused.Add(use with { Writes = true });
            return;
        }
        if (!CanPrecondition(test, target, prepared))
        {
            _refused.Add(use);
            return;
        }
        AddTarget(target, ApprovedTarget.FromCheckedTarget(prepared));
    }

    private bool CanPrecondition(IoTestSpecification run, IoTargetSpecification target, CheckedTarget prepared)
    {
        if (run.EndAfterPasses is not { } passes || !SuiteMessages.IsUnaffectedByPreconditioning(prepared))
            return true;
        var why = SuiteMessages.DescribeNoPreconditioningEffect(prepared, passes);
        if (
            AskUser(TargetQuestionKind.PreconditionDisk, prepared.Path, $"{why} Precondition the disk anyway?")
            is not (TargetAnswer.No or TargetAnswer.NoToAll)
        )
            return true;
        _refusals.Add(
            (target.Path, IoBenchException.Refused("IoBench.PreconditionDisk", why, prepared.Path, $"Remove {OptionNames.Precondition}."))
        );
        return false;
    }

    private void AddTarget(IoTargetSpecification target, ApprovedTarget approved)
    {
        var path = approved.Target.Path;
        _resolvedPaths[target.Path] = path;
        if (!_targets.TryGetValue(path, out var earlier) || earlier.Target.Size < approved.Target.Size)
            _targets[path] = approved;
    }

    private CheckedTarget? TryPrepareTarget(IoTestSpecification test, IoTargetSpecification target)
    {
        while (true)
        {
            try
            {
                CheckedTarget Check() => TestFiles.Check(test, target, CreateOptions(target.Path));
                return _front is null ? Check() : _front.RunCancellable(target.Path, Check);
            }
            catch (IoBenchException error)
            {
                // With OwnFilesOnly, or without the switch, no confirmation can allow another file.
                if (
                    !_settings.OwnFilesOnly
                    && !IsSwitchMissing(error)
                    && FindQuestion(error) is { } question
                    && !_confirmed.ContainsKey((target.Path, question.Kind))
                    && AskUser(question.Kind, target.Path, question.Text) is TargetAnswer.Yes or TargetAnswer.YesToAll
                )
                {
                    _confirmed.Add((target.Path, question.Kind), error.Target ?? target.Path);
                    continue;
                }
                _refusals.Add((target.Path, ReplaceAdvice(error)));
                return null;
            }
        }
    }

    private IoBenchException ReplaceAdvice(IoBenchException error) =>
        IsSwitchMissing(error)
            ? new IoBenchException(error.ErrorId, error.Kind, error.What, error.Target, error.InnerException, _settings.AdviceWithoutSwitch)
            : error;

    private bool IsSwitchMissing(IoBenchException error) =>
        _settings.MissingSwitches.Any(option => error.Advice?.Options.Contains(option.Name) == true);

    /// <summary>Only for an error that a switch would allow.</summary>
    private static (TargetQuestionKind Kind, IoMessage Text)? FindQuestion(IoBenchException error)
    {
        if (error.Options.Contains(OptionNames.ReadDatabase.Name))
            return (TargetQuestionKind.ReadSqlServerFile, $"{error.What} The test slows down SQL Server. Read the file anyway?");
        if (error.Options.Contains(OptionNames.OverwriteFile.Name))
            return (TargetQuestionKind.Overwrite, $"{error.What} Its content will be lost. Overwrite the file?");
        return null;
    }

    /// <summary>Without a user to ask, a test on a volume with SQL Server files runs: it damages nothing, testing a server's own storage in
    /// a scheduled job is a main use of IoBench, and each result has a warning.</summary>
    private bool CanLoadVolume(CheckedTarget target) =>
        target.SqlServerNeighbor is not { } neighbor
        || AskUser(
            TargetQuestionKind.LoadSqlServerVolume,
            target.Path,
            $"SQL Server files are on the volume of {target.Path} (for example {neighbor}). The test slows down SQL Server. Test the volume anyway?"
        )
            is not (TargetAnswer.No or TargetAnswer.NoToAll);

    private TargetAnswer AskUser(TargetQuestionKind kind, string path, IoMessage text)
    {
        if (_front is null || (NeedsAll && _refusals.Count > 0))
            return TargetAnswer.CannotAsk;
        if (_answersToAll.TryGetValue(kind, out var yes))
            return yes ? TargetAnswer.YesToAll : TargetAnswer.NoToAll;
        var answer = _front.Ask(kind, path, text);
        if (answer is TargetAnswer.YesToAll or TargetAnswer.NoToAll)
            _answersToAll[kind] = answer == TargetAnswer.YesToAll;
        return answer;
    }

    private List<(CheckedTarget Target, long Bytes)> GetPreconditions(IReadOnlyList<IoTestSpecification> tests) =>
        [
            .. tests
                .SelectMany(Preconditioning.CreateRuns)
                .Select(run => (_targets[_resolvedPaths[run.Targets[0].Path]].Target, Passes: run.EndAfterPasses!.Value))
                .Select(run => (run.Target, (long)(run.Passes * run.Target.Size))),
        ];

    private TargetGroup CreateGroup(IReadOnlyList<IoTestSpecification> tests)
    {
        var targets = tests[0].Targets.ConvertAll(target => _targets[_resolvedPaths[target.Path]]);
        var preconditionBytes = GetPreconditions(tests).Sum(run => run.Bytes);
        var steps = targets
            .Where(target => target.BytesToMake > 0)
            .Select(target => $"create a test file of {IoSize.Format(target.Target.Size)}")
            .Distinct()
            .Concat(preconditionBytes > 0 ? [$"precondition with {IoSize.Format(preconditionBytes)} of writes"] : Array.Empty<string>())
            .Append(SuiteMessages.DescribeRun(tests));
        return new TargetGroup([.. targets.Select(target => target.Target.Path)], string.Join(", ", steps), tests);
    }
}
