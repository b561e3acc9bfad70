namespace IoBench.Engine.Tests;

/// <summary>If the operating system completes I/Os within the call that starts them, the queue depth is not reached.</summary>
public class NotPendingTests
{
    [Theory]
    [InlineData(32, 90, true)]
    [InlineData(32, 5, false)]
    // At a queue depth of 1, synchronous completion makes no difference.
    [InlineData(1, 100, false)]
    public void Warning_reports_IOs_that_complete_synchronously(int outstanding, int percentAtOnce, bool expected)
    {
        var model = new NullDeviceModel(Servers: 1, 0.1);
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = model,
            ThreadCount = 1,
            OutstandingIO = outstanding,
            Duration = TimeSpan.FromSeconds(1),
            WarmUp = TimeSpan.Zero,
            FileSize = 1 << 30,
        };
        var clock = new VirtualClock();
        using var run = new TestRun(test, null, clock)
        {
            BackendFactory = () =>
                new SynchronousStartsBackend(
                    BackendCatalog.Get(NullBackend.Name).Create(new NullDevice(model, 1), clock),
                    (1000, 10 * percentAtOnce)
                ),
        };
        run.Start();
        Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
        var warning = run.GetResult().GetWarnings().FirstOrDefault(w => w.Code == WarningCodes.NotPending);
        Assert.Equal(expected, warning is not null);
        if (warning is not null)
            Assert.Contains($"{percentAtOnce}% of 1000 I/Os", warning.ToString(), StringComparison.Ordinal);
    }

    private sealed unsafe class SynchronousStartsBackend(IoBackend inner, (long, long) starts) : IoBackend
    {
        public override BackendDescriptor Kind => inner.Kind;

        public override VirtualClock? VirtualClock => inner.VirtualClock;

        public override (long Started, long DoneAtOnce)? SynchronousStarts => starts;

        public override void Open(BackendSetup setup) => inner.Open(setup);

        public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions) =>
            inner.SubmitAndReap(ready, count, until, completions);

        public override void Close() => inner.Close();
    }
}
