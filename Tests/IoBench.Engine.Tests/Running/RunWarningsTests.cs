namespace IoBench.Engine.Tests;

public class RunWarningsTests
{
    [Fact]
    public void Busy_CPU_warning_has_a_singular_and_a_plural()
    {
        Assert.StartsWith(
            "CPU 1 was busy all the time. This CPU, not the storage, might be the bottleneck.",
            GetBusyWarning(1),
            StringComparison.Ordinal
        );
        Assert.StartsWith(
            "CPUs 1, 3 were busy all the time. These CPUs, not the storage, might be the bottleneck.",
            GetBusyWarning(1, 3),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Backlog_warning_has_a_singular_and_a_plural()
    {
        static string Behind(long count) =>
            GetWarning(new IoTestResult { OldestDueMs = 2500, DueNotDone = count }, WarningCodes.BehindAtEnd);
        Assert.Contains(" 1 I/O had been due for 2.5 s but had not completed.", Behind(1), StringComparison.Ordinal);
        Assert.Contains(
            " 1,204 I/Os were due but had not completed. The oldest had been due for 2.5 s.",
            Behind(1204),
            StringComparison.Ordinal
        );
    }

    [Theory]
    // 0.1 M IOPS at 15 us use 1.5 of the two busy CPUs; at 5 us they use 0.5.
    [InlineData(
        15,
        " An I/O costs 15.00 us of CPU time, so IoBench can drive about 0.07 M IOPS per core on this computer. The test reached 75% of this rate on 2 cores."
    )]
    [InlineData(5, " IoBench used 25% of the time of these CPUs. The operating system and other programs used the rest.")]
    public void Busy_CPU_warning_distinguishes_IoBench_from_other_load(double cost, string ending) =>
        Assert.EndsWith(
            "might be the bottleneck." + ending,
            GetWarning(
                new IoTestResult
                {
                    CpuPercent = 99,
                    IOPS = 100_000,
                    CpuUsPerIO = cost,
                    Processors =
                    [
                        .. Enumerable.Range(0, 2).Select(number => new IoProcessorLoad { Processor = number, UsagePercent = 99 }),
                    ],
                },
                WarningCodes.ProcessorsBusy
            ),
            StringComparison.Ordinal
        );

    private static string GetBusyWarning(params int[] busy) =>
        GetWarning(
            new IoTestResult
            {
                CpuPercent = 50,
                Processors =
                [
                    .. Enumerable
                        .Range(0, 4)
                        .Select(number => new IoProcessorLoad { Processor = number, UsagePercent = busy.Contains(number) ? 99 : 10 }),
                ],
            },
            WarningCodes.ProcessorsBusy
        );

    private static string GetWarning(IoTestResult result, string code)
    {
        var specification = new IoTestSpecification { Targets = [new("a.dat")], Backend = NullBackend.Descriptor.Name };
        var target = new CheckedTarget { Path = "a.dat", Size = 1 << 20 };
        using var open = new OpenTarget(target, null, null);
        using var execution = new RunExecution(RunPlan.Create(specification, [target]), [open], NullBackend.Descriptor, null);
        return Assert
            .Single(RunWarnings.CreateWarnings(result, execution, new StreamTotals(0)), warning => warning.Code == code)
            .ToString();
    }
}
