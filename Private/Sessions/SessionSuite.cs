using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// Runs a plan on the hosts of sessions. Every host first makes its files; each test is then sent to all of them at once, when the last has ended the test
/// before: nobody agrees on a moment. Results come as they end; what a lost host has measured is kept.
/// </summary>
internal sealed class SessionSuite(PSCmdlet cmdlet, SuiteCall call, CancellationToken stopped)
{
    /// <summary>At the end a host that does not answer is not waited for.</summary>
    private static readonly TimeSpan s_patienceAtEnd = TimeSpan.FromSeconds(15);

    private readonly SessionCalls _calls = new(cmdlet, stopped);
    private readonly string _id = Guid.NewGuid().ToString("N");

    /// <summary>Takes what keeps the results of a call from being kept.</summary>
    public required Action<IoWarning> Warn { get; init; }

    /// <summary>Runs the plan.</summary>
    public void Run(IReadOnlyList<IoTestSpecification> plan, IEnumerable<PSSession> sessions)
    {
        var hosts = SessionHost.Of(sessions.Where(session => IsWanted(plan, session)));
        if (hosts.Count == 0)
            return;
        new SessionConnection(_calls).Open(hosts);
        hosts = [.. hosts.Where(host => host.IsUsable)];
        if (hosts.Count == 0 || stopped.IsCancellationRequested)
            return;
        using var kept = KeptResults.Open(call, plan, Warn);
        foreach (var host in hosts)
            Share(plan, kept.Earlier, host, hosts);
        var working = hosts.Where(host => host.Tests.Count > 0).ToList();
        if (working.Count == 0)
            return;
        kept.Begin(call, plan);
        _calls.View.Activity = $"{call.Activity} on {hosts.Count} host{(hosts.Count == 1 ? "" : "s")}";
        try
        {
            Prepare(plan, working);
            for (var number = 0; number < plan.Count && !stopped.IsCancellationRequested; number++)
                RunOne(plan, number, working, kept);
            stopped.ThrowIfCancellationRequested();
            foreach (var host in working)
                foreach (var warning in WarningDigest.Of(host.Measured))
                    _calls.View.Warn(host, warning.Render(ModuleSpelling.Default));
        }
        finally
        {
            End(working);
        }
    }

    private bool IsWanted(IReadOnlyList<IoTestSpecification> plan, PSSession session)
    {
        var paths = string.Join("; ", plan.SelectMany(test => test.Targets).Select(target => target.Path).Distinct());
        var writing = plan.Count(test => test.Targets.Exists(target => test.PatternOf(target).WritePercent > 0));
        var kind = writing == 0 ? "" : writing == plan.Count ? " writing to it" : $", {writing} of them writing to it";
        return cmdlet.ShouldProcess(SafeText.Escape($"{paths} on {session.ComputerName}"),
            $"copy IoBench there if it is missing, make the test file if it is missing, run {plan.Count} test{(plan.Count == 1 ? "" : "s")}{kind}, {TestPlan.Estimate(plan)}");
    }

    /// <summary>
    /// Notes the tests that a host has to run: all of the plan, less those whose results it gave before. Of sessions to one host the first takes what was done
    /// first.
    /// </summary>
    private static void Share(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<IoTestResult> earlier, SessionHost host, IReadOnlyList<SessionHost> all)
    {
        var its = earlier.Where(result => result.ComputerName == host.ComputerName).ToList();
        var alike = all.Where(other => other.ComputerName == host.ComputerName).ToList();
        var before = alike.IndexOf(host);
        host.Known.AddRange(its);
        var done = its.Where(result => result is { Status: IoResultStatus.Complete, Specification: not null }).GroupBy(result => ResumePlan.KeyOf(result.Specification!))
            .ToDictionary(group => group.Key, group => group.Count());
        for (var number = 0; number < plan.Count; number++)
        {
            var key = ResumePlan.KeyOf(plan[number]);
            if (done.GetValueOrDefault(key) > before)
                done[key] -= alike.Count;
            else
                host.Tests.Add(number);
        }
    }

    private void Prepare(IReadOnlyList<IoTestSpecification> plan, List<SessionHost> hosts)
    {
        var text = PSSerializer.Serialize(plan.ToArray(), 9);
        _calls.ReadyOf = (host, number) => host.Ready.Add(number);
        _calls.Do(hosts, SessionScripts.Prepare, host => new Hashtable
        {
            ["Id"] = _id, ["Plan"] = text, ["Numbers"] = host.Tests.ToArray(), ["Force"] = call.Settings.Force, ["EraseDevices"] = call.Settings.EraseDevices.ToArray(),
            // A host cannot ask: what -Confirm:$false answers here it answers there.
            ["IsConfirmed"] = Prompts.IsConfirmed(cmdlet), ["Units"] = Throughput.Units.ToString(),
        });
    }

    private void RunOne(IReadOnlyList<IoTestSpecification> plan, int number, List<SessionHost> hosts, KeptResults kept)
    {
        var running = hosts.FindAll(host => host.IsUsable && host.Ready.Contains(number) && SteadyStateRounds.IsWanted(plan[number], host.Known));
        if (running.Count == 0)
            return;
        var after = TestPlan.Estimate(plan.Skip(number + 1)).Total.TotalSeconds;
        var rates = RatesOf(plan[number], running);
        foreach (var (host, value) in _calls.Invoke([.. rates.Keys], SessionScripts.Run, host => new Hashtable { ["Id"] = _id, ["Number"] = number, ["SecondsAfter"] = after, ["Rates"] = rates[host].ToArray() }))
        {
            var result = DeserializedObject.ToResult(value);
            result.ComputerName = host.ComputerName;
            if (SteadyStateRounds.WarningOf(result, host.Known) is { } warning)
                result.AddWarning(new IoWarning(WarningCodes.NeverSteady, warning));
            host.Known.Add(result);
            host.Measured.Add(result);
            Save(host, result, kept);
            call.Emit?.Invoke(result);
            if (result.Status == IoResultStatus.Failed)
                _calls.View.Fail(host, IoBenchException.Failure(result.ErrorId ?? ErrorIds.TestFailed, result.ErrorMessage ?? $"The test of {result.Path} failed."));
            else if (call.Settings.RequireRate && result.HasMissedRate())
                _calls.View.Fail(host, SuiteRunner.MissedRate(result));
        }
    }

    /// <summary>The rates of a paced mix on each host, each a share of what that host reached; a host that did not reach any is reported and left out.</summary>
    private Dictionary<SessionHost, IReadOnlyList<double>> RatesOf(IoTestSpecification test, List<SessionHost> hosts)
    {
        Dictionary<SessionHost, IReadOnlyList<double>> rates = [];
        foreach (var host in hosts)
        {
            try
            {
                rates[host] = PacedMix.RatesOf(test, host.Known);
            }
            catch (IoBenchException error)
            {
                _calls.View.Fail(host, error);
            }
        }
        return rates;
    }

    /// <summary>That a result cannot be saved (a full disk) must not cost the tests that follow.</summary>
    private void Save(SessionHost host, IoTestResult result, KeptResults kept)
    {
        foreach (var sink in kept.Sinks)
        {
            try
            {
                sink.Add(result);
            }
            catch (IoBenchException error)
            {
                _calls.View.Fail(host, error);
            }
        }
        if (kept.TakeNotice() is { } notice)
            _calls.View.Warn(host, notice);
    }

    /// <summary>Ends the call on the hosts that are there, after Ctrl+C too: test files that were to be removed are.</summary>
    private void End(List<SessionHost> hosts)
    {
        if (stopped.IsCancellationRequested && !call.Settings.RemoveTestFile)
            return;
        var last = new SessionCalls(cmdlet, CancellationToken.None) { Silence = s_patienceAtEnd };
        last.Do(hosts.FindAll(host => host.IsUsable), SessionScripts.End, _ => new Hashtable { ["Id"] = _id, ["RemoveTestFiles"] = call.Settings.RemoveTestFile });
    }
}
