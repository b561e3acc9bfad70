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

    public static void AssertClose(double expected, double? actual, double share) =>
        Assert.InRange(actual!.Value, expected * (1 - share), expected * (1 + share));
}
