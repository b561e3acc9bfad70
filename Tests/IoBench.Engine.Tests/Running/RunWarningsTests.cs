namespace IoBench.Engine.Tests;

public class RunWarningsTests
{
    [Fact]
    public void One_busy_processor_is_not_several()
    {
        Assert.StartsWith("processor 1 was busy all the time: it, not the storage, may be the limit.", Busy(1), StringComparison.Ordinal);
        Assert.StartsWith("processors 1, 3 were busy all the time: they, not the storage, may be the limit.", Busy(1, 3), StringComparison.Ordinal);
    }

    [Fact]
    public void One_IO_that_was_due_is_not_several()
    {
        static string Behind(long count) => Of(new IoTestResult { OldestDueMs = 2500, DueNotDone = count }, WarningCodes.BehindAtEnd);
        Assert.Contains(" 1 I/O that was due was not done, for 2.5 s.", Behind(1), StringComparison.Ordinal);
        Assert.Contains(" 1,204 I/Os that were due were not done, the oldest for 2.5 s.", Behind(1204), StringComparison.Ordinal);
    }

    private static string Busy(params int[] busy) => Of(new IoTestResult
    {
        CpuPercent = 50,
        Processors = [.. Enumerable.Range(0, 4).Select(number => new IoProcessorLoad { Processor = number, UsagePercent = busy.Contains(number) ? 99 : 10 })],
    }, WarningCodes.ProcessorsBusy);

    private static string Of(IoTestResult result, string code)
    {
        var specification = new IoTestSpecification { Targets = [new("a.dat")], Backend = NullBackend.Descriptor.Name };
        var target = new CheckedTarget { Path = "a.dat", Size = 1 << 20 };
        using var open = new OpenTarget(target, null, null);
        using var execution = new RunExecution(RunPlan.Make(specification, [target]), [open], NullBackend.Descriptor, null);
        return Assert.Single(RunWarnings.Of(result, execution, new LatencyTotals(0)), warning => warning.Code == code).ToString();
    }
}
