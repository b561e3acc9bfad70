using IoBench.Engine;

namespace IoBench.Application.Tests;

internal sealed class FakeHost(string name, string? computer = null) : ISuiteComputer
{
    public string Name { get; } = name;
    public string ComputerName { get; } = computer ?? name;
    public bool IsUsable { get; set; } = true;
}

/// <summary>Returns the results that a test specifies and records the calls of the suite.</summary>
internal sealed class FakeHostTransport : IHostTransport<FakeHost>, IHostSuiteObserver<FakeHost>, IResultSink
{
    private IReadOnlyList<IoTestSpecification> _tests = [];

    /// <summary>Returns the result of a host for a test; null if there is none.</summary>
    public required Func<FakeHost, IoTestSpecification, IoTestResult?> GetResult { get; init; }

    public Func<FakeHost, int, bool> IsReady { get; init; } = (_, _) => true;

    /// <summary>Number, from 0, of the result that cannot be saved; -1 for none.</summary>
    public int FailingSaveNumber { get; init; } = -1;

    public List<string> Steps { get; } = [];
    public List<string> Shown { get; } = [];
    public List<SuiteFailure> Failures { get; } = [];
    public List<IoTestResult> Kept { get; } = [];
    public int Opened { get; private set; }
    public int Flushed { get; private set; }

    public HostSuiteRunner<FakeHost> CreateSuite(bool isResumed = false, bool requiresRate = false, bool removes = false) =>
        new(this, this)
        {
            IsResumed = isResumed,
            RequiresRate = requiresRate,
            RemovesTestFiles = removes,
            OpenSinks = () =>
            {
                Opened++;
                return [this];
            },
        };

    public void PrepareHosts(
        IReadOnlyList<IoTestSpecification> tests,
        IReadOnlyList<(FakeHost Host, IReadOnlyList<int> Tests)> shares,
        Action<FakeHost, int> ready
    )
    {
        _tests = tests;
        foreach (var (host, numbers) in shares)
        {
            Steps.Add($"prepare {host.Name}: {string.Join(" ", numbers)}");
            foreach (var number in numbers.Where(number => IsReady(host, number)))
                ready(host, number);
        }
    }

    public IEnumerable<(FakeHost Host, IoTestResult Result)> RunTest(
        int number,
        TimeSpan leftAfter,
        IReadOnlyList<(FakeHost Host, IReadOnlyList<double> Rates)> requests
    )
    {
        Steps.Add(
            $"run {number} on {string.Join(" ", requests.Select(request => request.Host.Name + (request.Rates.Count > 0 ? $" at {string.Join("+", request.Rates)}" : "")))}, {leftAfter.TotalSeconds} s left"
        );
        foreach (var request in requests)
            if (GetResult(request.Host, _tests[number]) is { } result)
                yield return (request.Host, result);
    }

    public void EndSuite(IReadOnlyList<FakeHost> hosts, bool removeTestFiles) =>
        Steps.Add($"end {string.Join(" ", hosts.Select(host => host.Name))}{(removeTestFiles ? ", removing" : "")}");

    public void OnResult(FakeHost host, IoTestResult result)
    {
        Assert.Contains(result, Kept);
        Shown.Add($"{host.Name}: result {result.OutstandingIO}");
    }

    public void OnFailure(FakeHost host, SuiteFailure failure)
    {
        Failures.Add(failure);
        Shown.Add($"{host.Name}: error {failure.Error.Message}");
    }

    public void OnWarning(FakeHost host, IoWarning warning) =>
        Shown.Add($"{host.Name}: warning {warning.Code} {warning.Text.Render(PowerShellSpelling.Default)}");

    public void OnNote(FakeHost host, IoMessage note) => Shown.Add($"{host.Name}: note {note.Render(PowerShellSpelling.Default)}");

    public void AddAll(IReadOnlyList<IoTestResult> results)
    {
        Kept.AddRange(results);
        if (Kept.Count - 1 == FailingSaveNumber)
            throw IoBenchException.Failure("IoBench.OutputFailed", "the disk is full");
    }

    public void Flush() => Flushed++;
}
