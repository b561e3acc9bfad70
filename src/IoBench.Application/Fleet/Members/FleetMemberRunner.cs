using System.Collections.Concurrent;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs the tests of one host of a fleet. The controller sends the start of each test, or the tests start at fixed times. The
/// tests end when the commands end.</summary>
/// <param name="readCommand">Waits for the next line with a command, and returns null at the end; null if there are no commands.</param>
/// <param name="print">Prints a line, without a line break. If it throws, the member ends, because its output is lost.</param>
public sealed class FleetMemberRunner(FleetMemberRequest request, Func<string?>? readCommand, Action<string> print)
    : ISuiteFront,
        IDisposable
{
    private static readonly TimeSpan s_keepAliveInterval = TimeSpan.FromSeconds(5);

    private readonly object _gate = new();
    private readonly Throttle _progressThrottle = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<int, TaskCompletionSource<ControllerCommand>> _commands = [];
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
                Machine = MemberFile.MachineId,
                Version = IoTestResult.OwnVersion,
                Count = request.Tests.Count,
                Clock = Clock.Now,
                Time = DateTimeOffset.Now,
            }
        );
        using var alive = new Timer(_ => SendKeepAlive(), null, s_keepAliveInterval, s_keepAliveInterval);
        if (readCommand is not null)
            new Thread(ReadCommands) { IsBackground = true, Name = "IoBench commands" }.Start();
        else if (request.StartAt is not null)
            _stop.CancelAfter(GetTimeUntil(request.HardEnd));
        RunStep(RunTests);
        ReportSkippedTests(request.Tests.Count);
        if (request.IsSuite)
            RunStep(CleanUpFiles);
        SendMessage(new MemberMessage { State = MemberMessageKind.End, Count = request.Tests.Count - _failed });
        return _failed == 0;
    }

    public void Dispose() => _stop.Dispose();

    /// <summary>Ends the tests. The threads of commands and keep-alives can call this method after <see cref="Dispose"/>.</summary>
    private void Stop()
    {
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The member has already ended.
        }
    }

    /// <summary>Reports an error of the step, so that the next step runs and the controller learns the reason.</summary>
    private void RunStep(Action step)
    {
        try
        {
            step();
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // ReportSkippedTests reports the tests that did not run.
        }
        catch (Exception error)
        {
            ReportFailure(null, CreateError(error));
        }
    }

    private static IoBenchException CreateError(Exception error) =>
        error switch
        {
            IoBenchException known => known,
            OutOfMemoryException memory => IoBenchException.NotEnoughMemory(memory),
            IOException or UnauthorizedAccessException => IoBenchException.Failure(ErrorIds.TestFailed, error.Message),
            _ => IoBenchException.Failure(
                FleetErrorIds.Unexpected,
                $"{error.GetType().Name}: {error.Message.TrimEnd('.')}.",
                advice: "This is a bug in IoBench. Please report it."
            ),
        };

    private void RunTests()
    {
        if (request.Tests.Count > 0)
            SuiteRunner.WarmUpJitForStart(request.Tests[0].TargetIops is not null);
        if (!request.IsSuite)
        {
            request.Settings.MissingSwitches = TargetPermissions.Options;
            request.Settings.AdviceWithoutSwitch =
                "A fleet never erases devices, fills volumes, reads databases, or overwrites files that IoBench did not create. Use another file.";
        }
        var tests = request.Tests.Where((_, index) => !request.CompletedTests.Contains(index + 1)).ToList();
        var approval = SuiteApproval.Create(tests, request.Settings, this);
        Targets = approval.Targets;
        foreach (var refused in tests.Except(approval.Tests))
            ReportFailure(
                GetTestNumber(refused),
                approval
                    .Refusals.FirstOrDefault(refusal => refused.Targets.Exists(target => refusal.Path == target.Path), approval.Refusals[0])
                    .Error
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
        var throttle = new Throttle();
        var made = SuiteTestFiles.PrepareFiles(
            approval,
            (path, done, total) =>
            {
                if (throttle.IsDue())
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
        new SuiteRunner(this).Run(made, Options, request.EarlierResults, _stop.Token);

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
                    $"the test was not ready until {-left.TotalSeconds:0.0} s after its start time.",
                    advice: "Set a later start time, or create the test files in advance."
                );
        }
        var arrival = GetCommand(number);
        try
        {
            arrival.Wait(cancelled);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
        return arrival.Result.Order == ControllerCommandKind.Go
            ? arrival.Result.At
            : throw IoBenchException.Failure(FleetErrorIds.Skipped, arrival.Result.Text ?? "the fleet controller skipped this test.");
    }

    private Task<ControllerCommand> GetCommand(int test) => _commands.GetOrAdd(test, _ => new()).Task;

    private void ReadCommands()
    {
        try
        {
            while (readCommand!() is { } line)
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
                else if (command.Test is { } test)
                    _commands.GetOrAdd(test, _ => new()).TrySetResult(command);
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
        Stop();
    }

    private void SendKeepAlive()
    {
        // A cut connection does not close at this end. Check this before sending, because a write can block forever.
        if (readCommand is not null && Clock.Now - Volatile.Read(ref _lastCommandTime) > Clock.ToNanoseconds(request.ControllerTimeout))
            Stop();
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
                // The output is lost, so the controller receives no results.
                Stop();
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
                            : "the test did not run, because an earlier step failed."
                    )
                );
            else if (_reported.Add(number))
                SendMessage(new MemberMessage { State = MemberMessageKind.Unneeded, Test = number });
        }
    }

    private void ReportResult(IoTestResult result, int number)
    {
        _known.Add(result);
        result.GroupId = FleetPlan.GetGroupId(request.Group, number);
        result.Member = request.Member;
        result.GroupMembers = GetCommand(number) is { IsCompleted: true, Result.Hosts: { } hosts } ? [.. hosts] : [];
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

    void ISuiteFront.OnProgress(SuiteProgress progress)
    {
        if (progress.Run.Phase is RunPhase.Waiting or RunPhase.Preparing or RunPhase.Done || !_progressThrottle.IsDue())
            return;
        SendMessage(
            new MemberMessage
            {
                State = MemberMessageKind.Running,
                Test = _current,
                Percent = progress.Percent,
                Iops = progress.Run.CurrentIops,
                MBps = progress.Run.CurrentMBps,
            }
        );
    }

    /// <summary>No user can be asked on this host. The confirmation of the group permits to slow down a server and to precondition a
    /// disk. It never permits to overwrite a file or to read a database.</summary>
    TargetAnswer ISuiteFront.Ask(TargetQuestionKind kind, string path, IoMessage text) =>
        request.IsConfirmed && kind is TargetQuestionKind.LoadSqlServerVolume or TargetQuestionKind.PreconditionDisk
            ? TargetAnswer.YesToAll
            : TargetAnswer.CannotAsk;

    void ISuiteFront.OnTestEnded() { }

    void ISuiteFront.OnWarning(IoWarning warning) => SendMessage(MemberMessage.Create(warning));

    void ISuiteFront.OnLog(string line) => SendLog(line);

    void ISuiteFront.OnResult(IoTestResult result) => ReportResult(result, _current);

    void ISuiteFront.OnFailure(SuiteFailure failure)
    {
        if (failure.Result is null)
            ReportFailure(GetTestNumber(failure.Test), failure.Error);
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
