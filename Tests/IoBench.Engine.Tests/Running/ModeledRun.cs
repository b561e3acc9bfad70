namespace IoBench.Engine.Tests;

internal static class ModeledRun
{
    /// <summary>Runs a test on a virtual clock to its end. Fails after a minute, which is enough even on a busy computer.</summary>
    public static IoTestResult RunToEnd(IoTestSpecification specification)
    {
        using var run = new TestRun(specification, null, new VirtualClock());
        run.Start();
        Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
        return run.GetResult();
    }

    /// <summary>
    /// Runs a test on a modeled device. One worker serves all targets. The device advances the clock, so the result does not depend on the
    /// speed of the computer.
    /// </summary>
    public static IoTestResult RunOnOneWorker(IoTestSpecification specification, NullDeviceModel device, ulong seed)
    {
        var test = specification.Clone();
        (test.Backend, test.NullDevice, test.Seed) = (NullBackend.Name, device, seed);
        (test.SharedThreadPool, test.ThreadCount, test.OutstandingIO) = (true, 1, Math.Min(256, test.ThreadCount * test.OutstandingIO));
        return RunToEnd(test);
    }

    public static void AssertClose(double expected, double? actual, double share) =>
        Assert.InRange(actual!.Value, expected * (1 - share), expected * (1 + share));
}
