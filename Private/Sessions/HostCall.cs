using System.Collections;
using System.Collections.Concurrent;
using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>
/// Part of a suite that runs on the host of a session, from the check of its targets to their removal. It stays in the session between the
/// scripts of a call, so that only approved targets are tested. A file that replaced an approved target is refused.
/// </summary>
public sealed class HostCall
{
    private static readonly ConcurrentDictionary<string, HostCall> s_calls = new();

    private readonly string _id;
    private readonly IReadOnlyList<IoTestSpecification> _plan;
    private readonly IReadOnlyList<IoTestSpecification> _mine;
    private readonly SuiteSettings _settings;
    private readonly ISuiteQuestions _questions;
    private readonly ThroughputUnits _units;
    private SuiteApproval? _approval;

    private HostCall(string id, string plan, int[] numbers, SuiteSettings settings, bool isConfirmed, ThroughputUnits units)
    {
        (_id, _units) = (id, units);
        _plan =
        [
            .. ((IEnumerable)DeserializedObject.Unwrap(PSSerializer.Deserialize(plan))!)
                .Cast<object>()
                .Select(DeserializedObject.ToSpecification),
        ];
        _mine = [.. numbers.Select(number => _plan[number])];
        _settings = settings;
        _questions = new HostQuestions(isConfirmed);
    }

    /// <summary>Starts a suite in this session.</summary>
    /// <param name="id">Id of the suite in later calls.</param>
    /// <param name="plan">Complete plan, serialized.</param>
    /// <param name="numbers">Numbers of this host's tests in the plan, from 0.</param>
    /// <param name="force">True to use files that IoBench did not create.</param>
    /// <param name="eraseDevices">Raw devices that can be overwritten although they contain unknown data.</param>
    /// <param name="isConfirmed">True if the user confirmed that a server can be slowed down.</param>
    /// <param name="units">Units of throughput in progress messages.</param>
    public static HostCall Begin(
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
        return s_calls[id] = new HostCall(
            id,
            plan,
            numbers,
            new SuiteSettings { Force = force, EraseDevices = [.. eraseDevices] },
            isConfirmed,
            units
        );
    }

    /// <summary>Returns a suite that was started in this session.</summary>
    public static HostCall Get(string id) => s_calls[id];

    /// <summary>Checks the tests, creates their files, and reports which tests are ready.</summary>
    public HostMessages Prepare() =>
        new(
            (say, stopped) =>
            {
                Throughput.Units = _units;
                _approval = SuiteApproval.Create(_mine, _settings, _questions);
                foreach (var refused in _approval.Refusals)
                    say(SessionMessage.Error(refused.Error));
                if (_approval.Tests.Count > 0)
                    say(
                        new SessionMessage
                        {
                            Kind = SessionMessageKind.Verbose,
                            Text = $"{_approval.Tests.Count} test{(_approval.Tests.Count == 1 ? "" : "s")}, {_approval.Estimate}",
                        }
                    );
                foreach (var notice in PreconditionNotice.Of(_approval))
                    say(new SessionMessage { Kind = SessionMessageKind.Warning, Text = notice.Render(ModuleSpelling.Default) });
                var rates = new Dictionary<string, FileRate>();
                var made = SuiteFiles.Make(
                    _approval,
                    (path, written, total) =>
                    {
                        if (!rates.TryGetValue(path, out var rate))
                            rates[path] = rate = new FileRate(path);
                        if (rate.IsDue())
                            say(rate.Message(written, total));
                    },
                    (_, error) => say(SessionMessage.Error(error)),
                    stopped
                );
                for (var number = 0; number < _plan.Count; number++)
                    if (made.Contains(_plan[number]))
                        say(new SessionMessage { Kind = SessionMessageKind.Ready, Number = number });
            }
        );

    /// <summary>Runs a test whose files are ready. Its result is one of the messages.</summary>
    /// <param name="number">Number of the test in the plan, from 0.</param>
    /// <param name="secondsAfter">Duration of the tests that follow, in seconds.</param>
    /// <param name="rates">For a rate-limited mix: target rate of each target in IOPS, based on the rates that this host reached before;
    /// otherwise empty.</param>
    public HostMessages Run(int number, double secondsAfter, double[] rates) =>
        new(
            (say, stopped) =>
            {
                Throughput.Units = _units;
                var place = new SuitePlace(number + 1, _plan.Count, TimeSpan.FromSeconds(secondsAfter));
                var test = _plan[number];
                PacedMix.Apply(test, rates);
                say(new SuiteRunner(new HostObserver(say)).RunOne(test, _approval!.OptionsFor(test), place, stopped));
            }
        );

    /// <summary>Ends the suite: removes its test files, or keeps them for the next call.</summary>
    public HostMessages End(bool removeTestFiles) =>
        new(
            (say, _) =>
            {
                s_calls.TryRemove(_id, out var _);
                var targets = _approval?.Targets ?? [];
                foreach (var fate in removeTestFiles ? TestFileCare.RemoveOwn(targets) : TestFileCare.Kept(targets))
                {
                    say(
                        fate.Error is { } error
                            ? SessionMessage.Error(error)
                            : new SessionMessage
                            {
                                Kind =
                                    fate.IsRemoved ? SessionMessageKind.Verbose
                                    : removeTestFiles ? SessionMessageKind.Warning
                                    : SessionMessageKind.Note,
                                Text = fate.Text.Render(ModuleSpelling.Default),
                            }
                    );
                }
            }
        );

    /// <summary>A remote host cannot prompt, so the user's confirmation on the local computer applies.</summary>
    private sealed class HostQuestions(bool isConfirmed) : ISuiteQuestions
    {
        public TargetAnswer Ask(TargetQuestion question) =>
            isConfirmed && question.Kind != TargetQuestionKind.Overwrite ? TargetAnswer.YesToAll : TargetAnswer.Nobody;
    }

    private sealed class HostObserver(Action<object> say) : ISuiteObserver
    {
        public void OnProgress(SuiteProgress progress) =>
            say(
                new SessionMessage
                {
                    Kind = SessionMessageKind.Progress,
                    Text = SuiteProgressText.Status(progress),
                    Percent = (int)Math.Clamp(progress.Percent ?? -1, -1, 100),
                    SecondsLeft = progress.Remaining is { } left ? (int)Math.Min(left.TotalSeconds, int.MaxValue) : -1,
                }
            );

        public void OnTestEnded() { }

        public void OnWarning(IoWarning warning) =>
            say(
                new SessionMessage
                {
                    Kind = SessionMessageKind.Warning,
                    ErrorId = warning.Code,
                    Text = warning.Text.Render(ModuleSpelling.Default),
                }
            );

        public void OnLog(string line) => say(new SessionMessage { Kind = SessionMessageKind.Verbose, Text = line });

        public void OnResult(IoTestResult result) { }

        public void OnFailure(SuiteFailure failure) { }
    }
}
