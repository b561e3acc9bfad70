namespace IoBench.Engine.Tests;

/// <summary>Runs of a modelled device, on a clock that only the device moves.</summary>
internal static class ModelledRun
{
    /// <summary>Runs a test to its end; a minute is longer than any busy machine needs.</summary>
    public static IoTestResult Of(IoTestSpecification specification)
    {
        using var run = new TestRun(specification, null, null, new VirtualClock());
        run.Start();
        Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
        return run.GetResult();
    }

    /// <summary>A figure that is right but for a share of it.</summary>
    public static void Close(double expected, double? actual, double share) =>
        Assert.InRange(actual!.Value, expected * (1 - share), expected * (1 + share));
}
