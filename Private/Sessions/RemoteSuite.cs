using System.Collections;
using System.Collections.Concurrent;
using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Stays in the host's session between calls: only approved targets are tested, and a replaced file is refused.</summary>
public sealed class RemoteSuite
{
    private static readonly ConcurrentDictionary<string, RemoteSuite> s_suites = new();

    private readonly string _id;
    private readonly IReadOnlyList<IoTestSpecification> _plan;
    private readonly IReadOnlyList<IoTestSpecification> _hostTests;
    private readonly SuiteSettings _settings;
    private readonly ISuiteQuestions _questions;
    private readonly ThroughputUnits _units;
    private SuiteApproval? _approval;

    private RemoteSuite(string id, string plan, int[] numbers, SuiteSettings settings, bool isConfirmed, ThroughputUnits units)
    {
        _id = id;
        _units = units;
        _plan =
        [
            .. ((IEnumerable)DeserializedObject.Unwrap(PSSerializer.Deserialize(plan))!)
                .Cast<object>()
                .Select(DeserializedObject.ToSpecification),
        ];
        _hostTests = [.. numbers.Select(number => _plan[number])];
        _settings = settings;
        _questions = new RemoteConfirmation(isConfirmed);
    }

    /// <param name="numbers">Numbers of this host's tests in the plan, from 0.</param>
    /// <param name="isConfirmed">True if the user confirmed that a server can be slowed down.</param>
    public static RemoteSuite Begin(
        string id,
        string plan,
        int[] numbers,
        bool force,
        string[] eraseDevices,
        bool isConfirmed,
        ThroughputUnits units = ThroughputUnits.Binary
    )
    {
        ArgumentNullException.ThrowIfNull(numbers);
        ArgumentNullException.ThrowIfNull(eraseDevices);
        var suite = new RemoteSuite(
            id,
            plan,
            numbers,
            new SuiteSettings { Force = force, EraseDevices = [.. eraseDevices] },
            isConfirmed,
            units
        );
        s_suites[id] = suite;
        return suite;
    }

    public static RemoteSuite Get(string id) => s_suites[id];

    /// <summary>Checks the tests, creates their files, and reports which tests are ready.</summary>
    public RemoteMessageEnumerator Prepare() =>
        new(
            (send, stopped) =>
            {
                ThroughputDisplay.Units = _units;
                _approval = SuiteApproval.Create(_hostTests, _settings, _questions);
                foreach (var refused in _approval.Refusals)
                    send(SessionMessage.FromError(refused.Error));
                if (_approval.Tests.Count > 0)
                    send(
                        new SessionMessage
                        {
                            Kind = SessionMessageKind.Verbose,
                            Text = $"{_approval.Tests.Count} test{(_approval.Tests.Count == 1 ? "" : "s")}, {_approval.Estimate}",
                        }
                    );
                foreach (var notice in SuiteMessages.DescribePreconditioning(_approval))
                    send(new SessionMessage { Kind = SessionMessageKind.Warning, Text = notice.Render(PowerShellSpelling.Default) });
                var progress = new Dictionary<string, FileCreationProgress>();
                var ready = SuiteTestFiles.PrepareFiles(
                    _approval,
                    (path, written, total) =>
                    {
                        if (!progress.TryGetValue(path, out var fileProgress))
                        {
                            fileProgress = new FileCreationProgress(path);
                            progress[path] = fileProgress;
                        }
                        if (fileProgress.IsDue())
                            send(fileProgress.CreateMessage(written, total));
                    },
                    (_, error) => send(SessionMessage.FromError(error)),
                    stopped
                );
                for (var number = 0; number < _plan.Count; number++)
                    if (ready.Contains(_plan[number]))
                        send(new SessionMessage { Kind = SessionMessageKind.Ready, Number = number });
            }
        );

    /// <param name="number">Number of the test in the plan, from 0.</param>
    /// <param name="rates">Rate-limited mix: target IOPS of each target, from the rates reached before; otherwise empty.</param>
    public RemoteMessageEnumerator Run(int number, double secondsAfter, double[] rates) =>
        new(
            (send, stopped) =>
            {
                ThroughputDisplay.Units = _units;
                var place = new TestPosition(number + 1, _plan.Count, TimeSpan.FromSeconds(secondsAfter));
                var test = _plan[number];
                RateLimitedMix.ApplyRates(test, rates);
                send(new SuiteRunner(new RemoteObserver(send)).RunTest(test, _approval!.GetOptions(test), place, stopped));
            }
        );

    public RemoteMessageEnumerator End(bool removeTestFiles) =>
        new(
            (send, _) =>
            {
                s_suites.TryRemove(_id, out var _);
                var targets = _approval?.Targets ?? [];
                var outcomes = removeTestFiles ? SuiteTestFiles.RemoveOwnFiles(targets) : SuiteTestFiles.DescribeKeptFiles(targets);
                foreach (var outcome in outcomes)
                {
                    if (outcome.Error is { } error)
                    {
                        send(SessionMessage.FromError(error));
                        continue;
                    }
                    var kind = removeTestFiles ? SessionMessageKind.Warning : SessionMessageKind.Note;
                    if (outcome.IsRemoved)
                        kind = SessionMessageKind.Verbose;
                    send(new SessionMessage { Kind = kind, Text = outcome.Text.Render(PowerShellSpelling.Default) });
                }
            }
        );

    /// <summary>A remote host cannot prompt, so the user's confirmation on the local computer applies.</summary>
    private sealed class RemoteConfirmation(bool isConfirmed) : ISuiteQuestions
    {
        public TargetAnswer Ask(TargetQuestion question) =>
            isConfirmed && question.Kind != TargetQuestionKind.Overwrite ? TargetAnswer.YesToAll : TargetAnswer.Nobody;
    }

    private sealed class RemoteObserver(Action<object> send) : ISuiteObserver
    {
        public void OnProgress(SuiteProgress progress) =>
            send(
                new SessionMessage
                {
                    Kind = SessionMessageKind.Progress,
                    Text = SuiteProgressMessages.FormatStatus(progress),
                    Percent = (int)Math.Clamp(progress.Percent ?? -1, -1, 100),
                    SecondsLeft = progress.Remaining is { } left ? (int)Math.Min(left.TotalSeconds, int.MaxValue) : -1,
                }
            );

        public void OnTestEnded() { }

        public void OnWarning(IoWarning warning) =>
            send(
                new SessionMessage
                {
                    Kind = SessionMessageKind.Warning,
                    ErrorId = warning.Code,
                    Text = warning.Text.Render(PowerShellSpelling.Default),
                }
            );

        public void OnLog(string line) => send(new SessionMessage { Kind = SessionMessageKind.Verbose, Text = line });

        public void OnResult(IoTestResult result) { }

        public void OnFailure(SuiteFailure failure) { }
    }
}
