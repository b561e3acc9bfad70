using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Tests of a plan that can run, determined before the first test, so that a wrong path does not end a long run in the middle. Each target
/// is checked without changing it. The user is
/// asked about targets that need a confirmation. Tests with refused targets are left out.
/// </summary>
public sealed class SuiteApproval
{
    private readonly SuiteSettings _settings;
    private readonly ISuiteQuestions _questions;

    // Keyed by the resolved path: a folder and the test file in it are one target.
    private readonly Dictionary<string, ApprovedTarget> _targets = [];
    private readonly Dictionary<string, string> _pathOf = [];
    private readonly List<RefusedTarget> _refusals = [];
    private readonly HashSet<TargetUse> _refused = [];
    private readonly HashSet<(string Path, TargetQuestionKind Kind)> _saidYes = [];
    private readonly Dictionary<TargetQuestionKind, bool> _toAll = [];

    // The checks and the tests share these options, so that a file which replaces an approved file is refused.
    private readonly TestRunOptions _call = new();
    private List<IoTestSpecification> _tests = [];

    private SuiteApproval(SuiteSettings settings, ISuiteQuestions questions) => (_settings, _questions) = (settings, questions);

    /// <summary>Approved tests, in the order of the plan.</summary>
    public IReadOnlyList<IoTestSpecification> Tests => _tests;

    /// <summary>Each target once, in the order of the tests, with the largest size that a test needs.</summary>
    public IReadOnlyList<ApprovedTarget> Targets => [.. _targets.Values];

    /// <summary>Each refused target once.</summary>
    public IReadOnlyList<RefusedTarget> Refusals => _refusals;

    /// <summary>Estimated duration of all tests, including the creation of files.</summary>
    public TestPlanEstimate Estimate =>
        TestPlan.Estimate(
            _tests,
            _targets.Values.Sum(target => target.BytesToMake),
            bytesToPrecondition: Preconditions.Sum(run => run.Bytes)
        );

    /// <summary>Target and bytes of each preconditioning.</summary>
    public IReadOnlyList<(CheckedTarget Target, long Bytes)> Preconditions => PreconditionsOf(_tests);

    /// <summary>Tests grouped by their targets, for a separate confirmation of each group.</summary>
    public IReadOnlyList<TargetGroup> Groups =>
        [.. _tests.GroupBy(test => string.Join("; ", test.Targets.Select(target => target.Path))).Select(group => GroupOf([.. group]))];

    /// <summary>Checks all targets of all tests. Changes nothing.</summary>
    /// <param name="plan">The tests.</param>
    /// <param name="settings">Permissions of the call.</param>
    /// <param name="questions">Asks the user.</param>
    /// <param name="endsAtFirst">True to stop checking after the first refusal, if the caller then runs no test.</param>
    public static SuiteApproval Create(
        IReadOnlyList<IoTestSpecification> plan,
        SuiteSettings settings,
        ISuiteQuestions questions,
        bool endsAtFirst = false
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(questions);
        VerifyPlan.CheckWitness(plan, settings);
        var approval = new SuiteApproval(settings, questions);
        foreach (var test in plan)
        {
            foreach (
                var (run, target) in Preconditioning
                    .RunsOf(test)
                    .Append(test)
                    .SelectMany(run => run.Targets.Select(target => (run, target)))
            )
                if (!endsAtFirst || approval._refusals.Count == 0)
                    approval.Check(run, target);
        }
        approval._tests = [.. plan.Where(test => !test.Targets.Exists(target => approval.IsRefused(test, target)))];
        return approval;
    }

    /// <summary>Leaves out the tests of a group that the user declined.</summary>
    public void LeaveOut(TargetGroup group)
    {
        ArgumentNullException.ThrowIfNull(group);
        _tests.RemoveAll(group.Tests.Contains);
    }

    /// <summary>Returns the options of a test: permissions of the call, and confirmations for the test's own targets only.</summary>
    public TestRunOptions OptionsFor(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return Options([.. test.Targets.Select(target => target.Path)]);
    }

    // EraseDevices is the list of the suite, so that devices written by a test are allowed for the next one.
    private TestRunOptions Options(params string[] paths) =>
        new(_call)
        {
            OwnFilesOnly = _settings.OwnFilesOnly,
            Force = _settings.Force || paths.Any(path => _saidYes.Contains((path, TargetQuestionKind.Overwrite))),
            EraseDevices = _settings.EraseDevices,
            Witness = _settings.Witness,
            AllowSqlServerRead = _settings.Force || paths.Any(path => _saidYes.Contains((path, TargetQuestionKind.ReadSqlServerFile))),
        };

    // A refused preconditioning also refuses the test, because without it the test would measure something else.
    private bool IsRefused(IoTestSpecification test, IoTargetSpecification target) =>
        _refused.Contains(TargetUse.Of(test, target))
        || test.Precondition is not null && _refused.Contains(new TargetUse(target.Path, Writes: true));

    private void Check(IoTestSpecification test, IoTargetSpecification target)
    {
        if (BackendCatalog.IsModelled(test.Backend))
        {
            Keep(target, ApprovedTarget.Imagined(test, target));
            return;
        }
        var use = TargetUse.Of(test, target);
        // A file that must not be read must not be written either. A file that must not be written can still be read.
        if (_refused.Contains(use) || _refused.Contains(use with { Writes = false }))
        {
            _refused.Add(use);
            return;
        }
        if (Prepare(test, target, use) is not { } prepared)
        {
            _refused.Add(use);
            return;
        }
        if (!_targets.ContainsKey(prepared.Path) && !MayLoad(prepared))
        {
            _refused.Add(use with { Writes = false });
            _refused.Add(use with { Writes = true });
            return;
        }
        if (!MayPrecondition(test, target, prepared))
        {
            _refused.Add(use);
            return;
        }
        Keep(target, ApprovedTarget.Of(prepared));
    }

    private bool MayPrecondition(IoTestSpecification run, IoTargetSpecification target, CheckedTarget prepared)
    {
        if (run.EndAfterPasses is not { } passes || _settings.Force || !PreconditionNotice.IsPointless(prepared))
            return true;
        var why = PreconditionNotice.WhyNot(prepared, passes);
        if (
            Ask(new TargetQuestion(TargetQuestionKind.PreconditionDisk, prepared.Path, $"{why} Write it anyway?"))
            is TargetAnswer.Yes
                or TargetAnswer.YesToAll
        )
            return true;
        _refusals.Add(
            new RefusedTarget(
                run,
                target.Path,
                IoBenchException.Refused(
                    "IoBench.PreconditionDisk",
                    why,
                    prepared.Path,
                    $"Leave {Opt.Precondition} out, or add {Opt.Force}."
                )
            )
        );
        return false;
    }

    private void Keep(IoTargetSpecification target, ApprovedTarget approved)
    {
        var path = approved.Target.Path;
        _pathOf[target.Path] = path;
        if (!_targets.TryGetValue(path, out var earlier) || earlier.Target.Size < approved.Target.Size)
            _targets[path] = approved;
    }

    private CheckedTarget? Prepare(IoTestSpecification test, IoTargetSpecification target, TargetUse use)
    {
        while (true)
        {
            try
            {
                return _questions.Look(target.Path, () => TestFiles.Check(test, target, Options(target.Path)));
            }
            catch (IoBenchException error)
            {
                // With OwnFilesOnly, no confirmation can allow another file.
                if (
                    !_settings.OwnFilesOnly
                    && QuestionOf(error, use) is { } question
                    && !_saidYes.Contains((target.Path, question.Kind))
                    && Ask(question) is TargetAnswer.Yes or TargetAnswer.YesToAll
                )
                {
                    _saidYes.Add((target.Path, question.Kind));
                    continue;
                }
                _refusals.Add(new RefusedTarget(test, target.Path, error));
                return null;
            }
        }
    }

    private static TargetQuestion? QuestionOf(IoBenchException error, TargetUse use) =>
        error.ErrorId switch
        {
            ErrorIds.SqlServerFile when !use.Writes => new TargetQuestion(
                TargetQuestionKind.ReadSqlServerFile,
                use.Path,
                $"{error.Text} Read it anyway? SQL Server will wait for its own I/O meanwhile."
            ),
            ErrorIds.ForeignFile when use.Writes => new TargetQuestion(
                TargetQuestionKind.Overwrite,
                use.Path,
                $"{error.Text} Its content will be lost. Use it anyway?"
            ),
            _ => null,
        };

    /// <summary>
    /// A volume with SQL Server files requires a confirmation. If the user cannot be asked, the test runs: it damages nothing, testing a
    /// server's own storage in a scheduled job is a main use of
    /// IoBench, and each result has a warning.
    /// </summary>
    private bool MayLoad(CheckedTarget target) =>
        target.SqlServerNeighbour is not { } neighbour
        || _settings.Force
        || Ask(
            new TargetQuestion(
                TargetQuestionKind.LoadSqlServerVolume,
                target.Path,
                $"SQL Server files lie on the volume of {target.Path} (for example {neighbour}): they will be slow while it is tested. Test it anyway?"
            )
        )
            is not (TargetAnswer.No or TargetAnswer.NoToAll);

    private TargetAnswer Ask(TargetQuestion question)
    {
        if (_toAll.TryGetValue(question.Kind, out var yes))
            return yes ? TargetAnswer.YesToAll : TargetAnswer.NoToAll;
        var answer = _questions.Ask(question);
        if (answer is TargetAnswer.YesToAll or TargetAnswer.NoToAll)
            _toAll[question.Kind] = answer == TargetAnswer.YesToAll;
        return answer;
    }

    private List<(CheckedTarget Target, long Bytes)> PreconditionsOf(IReadOnlyList<IoTestSpecification> tests) =>
        [
            .. tests
                .SelectMany(Preconditioning.RunsOf)
                .Select(run => (_targets[_pathOf[run.Targets[0].Path]].Target, Passes: run.EndAfterPasses!.Value))
                .Select(run => (run.Target, (long)(run.Passes * run.Target.Size))),
        ];

    private TargetGroup GroupOf(IReadOnlyList<IoTestSpecification> tests)
    {
        var targets = tests[0].Targets.ConvertAll(target => _targets[_pathOf[target.Path]]);
        var steps = targets
            .Where(target => target.BytesToMake > 0)
            .Select(target => $"make a test file of {new IoSize(target.Target.Size).ToDisplayString()}")
            .Distinct()
            .Concat(
                PreconditionsOf(tests).Sum(run => run.Bytes) is > 0 and var bytes
                    ? [$"precondition with {new IoSize(bytes).ToDisplayString()} of writes"]
                    : Array.Empty<string>()
            )
            .Append(SuiteWords.Run(tests));
        return new TargetGroup([.. targets.Select(target => target.Target.Path)], string.Join(", ", steps), tests);
    }
}
