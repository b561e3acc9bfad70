using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs the tests of a host in a fleet, without a controller once the start time is known. Ends when the reader of commands
/// ends.</summary>
/// <param name="commandReader">Source of commands; null if there is none.</param>
/// <param name="print">Prints a line, without a line break. If it throws, the member ends, because its output is lost.</param>
public sealed class FleetMemberRunner(FleetMemberRequest request, TextReader? commandReader, Action<string> print) : IDisposable
{
    private static readonly TimeSpan s_keepAliveInterval = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly ControllerCommandQueue _commands = new();
    private readonly HashSet<int> _reported = [.. request.CompletedTests];
    private readonly List<IoTestResult> _known = [.. request.EarlierResults];
    private long _lastCommandTime = Clock.Now;
    private int _failed;
    private int _current;

    /// <summary>Targets of the tests, known after approval. The caller may remove their files at the end.</summary>
    public IReadOnlyList<ApprovedTarget> Targets { get; private set; } = [];

    /// <returns>Whether every test has a complete result.</returns>
    public bool Run(CancellationToken cancelled)
    {
        using var registration = cancelled.Register(_stop.Cancel);
        SendMessage(
            new MemberMessage
            {
                State = MemberMessageKind.Hello,
                Computer = Environment.MachineName,
                Machine = MachineId.Current,
                Version = IoTestResult.OwnVersion,
                Count = request.Tests.Count,
                Clock = Clock.Now,
                Time = DateTimeOffset.Now,
            }
        );
        using var alive = new Timer(_ => SendKeepAlive(), null, s_keepAliveInterval, s_keepAliveInterval);
        if (commandReader is not null)
            new Thread(ReadCommands) { IsBackground = true, Name = "IoBench commands" }.Start();
        else if (request.StartAt is not null)
            _stop.CancelAfter(GetTimeUntil(request.HardEnd));
        try
        {
            if (request.Tests.Count > 0)
                JitWarmUp.RunGated(request.Tests[0].TargetIops is not null);
            RunTests();
        }
        catch (IoBenchException error)
        {
            ReportFailure(null, error);
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The loop below reports tests that did not run.
        }
        ReportSkippedTests(request.Tests.Count);
        if (request.IsSuite)
            CleanUpFiles();
        SendMessage(new MemberMessage { State = MemberMessageKind.End, Count = request.Tests.Count - _failed });
        return _failed == 0;
    }

    public void Dispose() => _commands.Dispose();

    private void RunTests()
    {
        if (!request.IsSuite)
        {
            request.Settings.MissingSwitches = TargetPermissions.Options;
            request.Settings.AdviceWithoutSwitch =
                "A fleet never erases devices, fills volumes, reads databases, or overwrites files that IoBench did not create. Use another file.";
        }
        var tests = request.Tests.Where((_, index) => !request.CompletedTests.Contains(index + 1)).ToList();
        var front = new MemberFront(this, request.IsConfirmed);
        var approval = SuiteApproval.Create(tests, request.Settings, front);
        Targets = approval.Targets;
        foreach (var refused in tests.Except(approval.Tests))
            ReportFailure(
                GetTestNumber(refused),
                (
                    approval.Refusals.FirstOrDefault(refusal => refused.Targets.Exists(target => refusal.Path == target.Path))
                    ?? approval.Refusals[0]
                ).Error
            );
        if (approval.Tests.Count == 0)
            return;
        SendLog($"{NumberFormat.Pluralize(approval.Tests.Count, "test")}, {approval.Estimate}");
        foreach (var notice in request.IsSuite ? SuiteMessages.DescribePreconditioning(approval) : [])
            SendMessage(MemberMessage.Create(new IoWarning("", notice)));
        SendMessage(
            new MemberMessage
            {
                State = MemberMessageKind.Preparing,
                Percent = 0,
                BytesToMake = approval.Targets.Sum(target => target.BytesToMake),
                Files =
                [
                    .. approval
                        .Targets.Where(target => !target.IsImagined)
                        .Select(target => MemberFile.FromPath(target.Target.Path, target.Target.IsDevice)),
                ],
            }
        );
        var rhythm = new Throttle();
        var made = SuiteTestFiles.PrepareFiles(
            approval,
            (path, done, total) =>
            {
                if (rhythm.IsDue())
                    SendMessage(
                        new MemberMessage
                        {
                            State = MemberMessageKind.Preparing,
                            Path = path,
                            Percent = 100.0 * done / Math.Max(1, total),
                        }
                    );
            },
            (path, error) =>
            {
                foreach (var test in approval.Tests.Where(test => test.Targets.Exists(target => target.Path == path)))
                    ReportFailure(GetTestNumber(test), error);
            },
            _stop.Token
        );
        new SuiteRunner(front).Run(made, Options, request.EarlierResults, _stop.Token);

        TestRunOptions Options(IoTestSpecification test)
        {
            var number = _current = GetTestNumber(test);
            ReportSkippedTests(number - 1);
            var options = approval.GetOptions(test);
            options.StartGate = token => WaitForStart(number, token);
            return options;
        }
    }

    /// <returns>Start time on the monotonic clock; null if the wait was canceled.</returns>
    private long? WaitForStart(int number, CancellationToken cancelled)
    {
        SendMessage(
            new MemberMessage
            {
                State = MemberMessageKind.Ready,
                Test = number,
                Clock = Clock.Now,
                Name = GetTestName(number),
            }
        );
        if (request.StartAt is not null)
        {
            var left = request.GetStartTime(number - 1) - DateTimeOffset.Now;
            return left >= TimeSpan.Zero
                ? Clock.Now + left.Ticks * 100
                : throw IoBenchException.Failure(
                    FleetErrorIds.StartMissed,
                    $"the test was ready {-left.TotalSeconds:0.0} s after its start time.",
                    advice: "Set a later start time, or create the test files in advance."
                );
        }
        return _commands.WaitForStart(number, cancelled);
    }

    private void ReadCommands()
    {
        try
        {
            while (commandReader!.ReadLine() is { } line)
            {
                if (FleetMessageSerializer.ParseCommand(line) is not { } command)
                    continue;
                Volatile.Write(ref _lastCommandTime, Clock.Now);
                if (command.Order == ControllerCommandKind.Clock)
                    SendMessage(
                        new MemberMessage
                        {
                            State = MemberMessageKind.Clock,
                            Number = command.Number,
                            Clock = Clock.Now,
                            Time = DateTimeOffset.Now,
                        }
                    );
                else if (command.Order == ControllerCommandKind.Stop)
                    break;
                else if (command.Order != ControllerCommandKind.Alive)
                    _commands.AddCommand(command);
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // Treat a broken connection as closed.
        }
        catch (IoBenchException error)
        {
            ReportFailure(null, error);
        }
        _stop.Cancel();
    }

    private void SendKeepAlive()
    {
        // A connection that was cut closes at neither end. Check this before sending, because a write can block forever.
        if (commandReader is not null && Clock.Now - Volatile.Read(ref _lastCommandTime) > Clock.ToNanoseconds(request.LineSilence))
            _stop.Cancel();
        SendMessage(new MemberMessage { State = MemberMessageKind.Alive });
    }

    private void SendMessage(MemberMessage message)
    {
        lock (_gate)
        {
            try
            {
                print(FleetMessageSerializer.Serialize(message with { Member = request.Member, Group = request.Group }));
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or IoBenchException)
            {
                // Without its output, the member is useless to the controller.
                _stop.Cancel();
            }
        }
    }

    private void SendLog(string line)
    {
        if (request.IsSuite)
            SendMessage(new MemberMessage { State = MemberMessageKind.Log, Text = line });
    }

    /// <summary>Removes the test files, also after a cancellation, or describes the files that are kept.</summary>
    private void CleanUpFiles()
    {
        if (!request.Settings.RemoveTestFile)
        {
            foreach (var kept in _stop.IsCancellationRequested ? [] : SuiteTestFiles.DescribeKeptFiles(Targets))
                SendMessage(
                    new MemberMessage
                    {
                        State = MemberMessageKind.Note,
                        Text = kept.Text.Render(CliSpelling.Default),
                        Template = kept.Text.Template,
                    }
                );
            return;
        }
        foreach (var removal in SuiteTestFiles.RemoveOwnFiles(Targets))
            if (removal.Error is { } error)
                SendMessage(MemberMessage.Create(error, null) with { State = MemberMessageKind.Note });
            else if (removal.IsRemoved)
                SendLog($"{removal.Text}");
            else
                SendMessage(MemberMessage.Create(new IoWarning("", removal.Text)));
    }

    private void ReportFailure(int? number, IoBenchException error)
    {
        if (number is { } test && !_reported.Add(test))
            return;
        _failed++;
        SendMessage(MemberMessage.Create(error, number));
    }

    /// <summary>Reports tests that did not run. The other hosts wait for each test of this member that has no message.</summary>
    private void ReportSkippedTests(int last)
    {
        for (var number = 1; number <= last; number++)
        {
            if (_reported.Contains(number))
                continue;
            if (SteadyState.IsRoundNeeded(request.Tests[number - 1], _known))
                ReportFailure(
                    number,
                    IoBenchException.Failure(
                        FleetErrorIds.NotRun,
                        _stop.IsCancellationRequested
                            ? "the fleet was stopped before this test."
                            : "not run, because an earlier step failed."
                    )
                );
            else if (_reported.Add(number))
                SendMessage(new MemberMessage { State = MemberMessageKind.Unneeded, Test = number });
        }
    }

    private void ReportResult(IoTestResult result, int number)
    {
        _known.Add(result);
        result.GroupId = GroupId.ForTest(request.Group, number);
        result.Member = request.Member;
        result.GroupMembers = [.. _commands.GetHosts(number)];
        result.GroupHosts = result.GroupMembers.Count > 0 ? result.GroupMembers.Count : request.Hosts;
        if (_reported.Add(number) && result.Status != IoResultStatus.Complete)
            _failed++;
        SendMessage(
            new MemberMessage
            {
                State = MemberMessageKind.Done,
                Test = number,
                Name = GetTestName(number),
                Result = JsonResultSerializer.SerializeToElement(result),
            }
        );
    }

    private int GetTestNumber(IoTestSpecification test) => request.Tests.ToList().IndexOf(test) + 1;

    private string GetTestName(int number) => request.Tests[number - 1].Workload ?? PatternText.Describe(request.Tests[number - 1]);

    private static TimeSpan GetTimeUntil(DateTimeOffset until) => until - DateTimeOffset.Now is { Ticks: > 0 } wait ? wait : TimeSpan.Zero;

    private sealed class MemberFront(FleetMemberRunner member, bool isConfirmed) : ISuiteFront
    {
        private readonly Throttle _rhythm = new();

        public void OnProgress(SuiteProgress progress)
        {
            if (progress.Run.Phase is RunPhase.Waiting or RunPhase.Preparing or RunPhase.Done || !_rhythm.IsDue())
                return;
            member.SendMessage(
                new MemberMessage
                {
                    State = MemberMessageKind.Running,
                    Test = member._current,
                    Percent = progress.Percent,
                    Iops = progress.Run.CurrentIops,
                    MBps = progress.Run.CurrentMBps,
                }
            );
        }

        /// <summary>Answers with the confirmation for the whole group, because there is no user here. It never permits to overwrite a file
        /// or to read a database.</summary>
        public TargetAnswer Ask(TargetQuestion question) =>
            isConfirmed && question.Kind is TargetQuestionKind.LoadSqlServerVolume or TargetQuestionKind.PreconditionDisk
                ? TargetAnswer.YesToAll
                : TargetAnswer.Nobody;

        public void OnTestEnded() { }

        public void OnWarning(IoWarning warning) => member.SendMessage(MemberMessage.Create(warning));

        public void OnLog(string line) => member.SendLog(line);

        public void OnResult(IoTestResult result) => member.ReportResult(result, member._current);

        public void OnFailure(SuiteFailure failure)
        {
            if (failure.Result is null)
                member.ReportFailure(member.GetTestNumber(failure.Test), failure.Error);
        }
    }
}

/// <summary>Limits an action to once per second. Not thread-safe.</summary>
internal sealed class Throttle
{
    private long _last = long.MinValue / 2;

    public bool IsDue()
    {
        var now = Clock.Now;
        if (now - _last < Clock.Second)
            return false;
        _last = now;
        return true;
    }
}
