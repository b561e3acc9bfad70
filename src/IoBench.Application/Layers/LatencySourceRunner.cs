using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs the tests of a <see cref="LatencySourcePlan"/>, and divides the latencies among the layers.</summary>
public sealed class LatencySourceRunner(LatencySourcePlan plan, SuiteApproval approval, ISuiteFront front)
{
    // A wait is reported from this share on.
    private const double NotablePercent = 1;
    private const double LowFrequencyPercent = 80;

    private readonly List<string> _omissions = [];
    private readonly List<LatencyStep> _steps = [];
    private readonly StorageLevels _stack = StorageLevels.Find(approval.Targets[0].Target);

    /// <exception cref="IoBenchException">A test failed.</exception>
    /// <exception cref="OperationCanceledException">The user canceled. The ownership marker of the file is closed.</exception>
    public LatencySourceResult Run(CancellationToken token)
    {
        var start = DateTimeOffset.UtcNow;
        var count = plan.Tests.Count + (plan.ReadsDevice ? 2 : 1);
        List<(IoTestResult Result, StorageSample? Sample)> main = [];
        foreach (var (step, test) in plan.Tests)
        {
            var result = RunTest(step, test, approval.GetOptions(test), count, token);
            if (step is LatencyStepKind.Read or LatencyStepKind.Write && result is not null)
                main.Add((result, _stack.Sample));
        }
        if (plan.ReadsDevice)
            ReadDevice(count, token);
        var idle = RunTest(LatencyStepKind.NoIO, plan.CreateTestWithoutIO(), new TestRunOptions(), count, token);
        var end = DateTimeOffset.UtcNow;
        if (_stack.Levels.All(level => level.Kind != StorageLevelKind.Device))
            _omissions.Add(
                "IoBench cannot show how much time each device takes, because the operating system does not report the I/Os of the devices under this file."
            );
        var found = new LatencySourceResult
        {
            Path = approval.Targets[0].Target.Path,
            ComputerName = Environment.MachineName,
            StartUtc = start,
            EndUtc = end,
            Levels = _stack.Levels,
            Breakdowns =
            [
                .. main.Select(item =>
                    LatencySourceResult.BreakDown(
                        new LatencyObservation(
                            item.Result,
                            _stack.Levels,
                            _stack.Limits,
                            item.Sample,
                            _stack.Sample,
                            idle?.AverageLatencyMs ?? 0
                        )
                        {
                            HasReport = plan.HasReport,
                        }
                    )
                ),
            ],
            Steps = (LatencyStep[])[.. _steps.OrderBy(step => step.Step)],
            SlowestIOs = LatencySourceResult.FindSlowest(main.Select(item => item.Result)),
            Facts = CreateFacts(main),
            Omissions = _omissions,
            Results = [.. main.Select(item => item.Result)],
        };
        return plan.IsAnonymous ? MakeAnonymous(found) : found;
    }

    /// <summary>Returns null if an additional test completed no I/O.</summary>
    private IoTestResult? RunTest(
        LatencyStepKind step,
        IoTestSpecification test,
        TestRunOptions options,
        int count,
        CancellationToken token
    )
    {
        options.Stack = _stack;
        var result = RunTest(test, options, new TestPosition(_steps.Count + 1, count, Name: LatencyStep.Describe(step)), front, token);
        if (result.IOCount is not > 0)
        {
            if (step is LatencyStepKind.Read or LatencyStepKind.Write)
                throw CreateNothingMeasuredError(test, result);
            _omissions.Add($"The test \"{LatencyStep.Describe(step)}\" completed no I/O.");
            return null;
        }
        _steps.Add(LatencyStep.FromResult(step, result));
        return result;
    }

    // Reading needs no permission of IoBench: the operating system decides who can read a device.
    private void ReadDevice(int count, CancellationToken token)
    {
        if (_stack.DevicePath is not { } device)
        {
            _omissions.Add("The raw device was not read, because the operating system does not report which device contains the file.");
            return;
        }
        try
        {
            RunTest(LatencyStepKind.RawRead, plan.CreateDeviceTest(device), new TestRunOptions(), count, token);
        }
        catch (IoBenchException error)
        {
            _omissions.Add($"The raw device {device} was not read: {error.Message}");
        }
    }

    private Dictionary<string, string> CreateFacts(List<(IoTestResult Result, StorageSample? Sample)> main)
    {
        var facts = new Dictionary<string, string>();
        foreach (
            var name in new[]
            {
                HostFacts.OperatingSystemFact,
                "Processor",
                "Processors",
                "Memory",
                "Virtual machine",
                "CPU frequency governor",
            }
        )
            if (HostFacts.All.TryGetValue(name, out var value))
                facts[name] = value;
        foreach (var (result, sample) in main)
        {
            var kind = result.Operation == IoOperation.Write ? "writes" : "reads";
            if (result.CpuPercent is { } cpu)
                facts[$"CPU usage during {kind}"] = Percent(cpu);
            if (result.ProcessorWaitPercent is >= NotablePercent and var wait)
                facts[$"Wait for a CPU during {kind}"] = Percent(wait);
            if (result.HostPauses.Count > 0)
                facts[$"Host pauses during {kind}"] = Invariant(
                    $"{result.HostPauses.Count} (together {result.HostPauses.Sum(pause => pause.LengthSeconds):0.00} s)"
                );
            if (sample?.StolenPercent >= NotablePercent)
                facts[$"CPU time of other virtual machines during {kind}"] = Percent(sample.StolenPercent);
            if (sample?.MemoryStallPercent >= NotablePercent)
                facts[$"Wait for memory during {kind}"] = Percent(sample.MemoryStallPercent.Value);
            if (sample?.FrequencyPercent is < LowFrequencyPercent and var frequency)
                facts[$"Lowest CPU frequency during {kind}"] = Percent(frequency);
        }
        foreach (var limit in _stack.Limits)
            facts[$"Limit of the control group for {_stack.Levels[limit.Level].Name}"] = Invariant($"{limit.Setting} = {limit.Value:0}");
        foreach (var level in _stack.Levels.Where(level => level.Details is not null))
            facts[$"Device {level.Name}"] = level.Details!;
        foreach (var name in s_storageFacts)
            if (approval.Targets[0].Target.Facts.TryGetValue(name, out var value))
                facts[name] = value;
        return facts;

        static string Percent(double value) => Invariant($"{value:0.#}%");
    }

    private static readonly string[] s_storageFacts =
    [
        "Scheduler",
        "Write cache",
        "FUA",
        "Device queue depth",
        "Firmware",
        "Logical sector size",
        "Physical sector size",
        "Bus",
        "SMB",
        "Volume size",
    ];

    private LatencySourceResult MakeAnonymous(LatencySourceResult result)
    {
        var anonymizer = new Anonymizer(approval.Targets[0].Target.Path);
        return result with
        {
            Path = null,
            ComputerName = null,
            Facts = result.Facts.ToDictionary(fact => fact.Key, fact => anonymizer.Clean(fact.Value)),
            Omissions = [.. result.Omissions.Select(anonymizer.Clean)],
        };
    }

    /// <exception cref="IoBenchException">The test failed.</exception>
    /// <exception cref="OperationCanceledException">The user canceled.</exception>
    internal static IoTestResult RunTest(
        IoTestSpecification test,
        TestRunOptions options,
        TestPosition place,
        ISuiteFront front,
        CancellationToken token
    )
    {
        token.ThrowIfCancellationRequested();
        var result = new SuiteRunner(front) { IsQuiet = true }.RunTest(test, options, place, token);
        token.ThrowIfCancellationRequested();
        if (result.Status != IoResultStatus.Complete)
            throw SuiteFailure.CreateError(result);
        return result;
    }

    internal static IoBenchException CreateNothingMeasuredError(IoTestSpecification test, IoTestResult result) =>
        IoBenchException.Failure(
            WarningCodes.NoIo,
            $"No I/O completed within {new IoDuration(test.Duration)}.",
            result.Path,
            advice: $"Use a longer {OptionNames.Duration}."
        );
}
