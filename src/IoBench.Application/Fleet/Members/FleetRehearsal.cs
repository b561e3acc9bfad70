using System.Runtime.CompilerServices;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Goes the way of an armed start once, on the backend that does no I/O, before a member says that it is ready: what runs for the first time is compiled then, and would be late by
/// that when all begin. A native program needs none of it.
/// </summary>
internal static class FleetRehearsal
{
    private const long Lead = 30_000_000;
    private const int Threads = 2;

    /// <summary>Rehearses.</summary>
    /// <param name="tests">The tests that follow: paced ones take another way than those that go as fast as they can.</param>
    public static void Run(IReadOnlyList<IoTestSpecification> tests)
    {
        if (!RuntimeFeature.IsDynamicCodeCompiled || tests.Count == 0)
            return;
        var test = new IoTestSpecification
        {
            Backend = IoBackendKind.Null, FileSize = 1 << 20, BlockSize = 8192, ThreadCount = Threads, TargetIops = 500, WarmUp = TimeSpan.Zero, Duration = TimeSpan.FromMilliseconds(50),
            Targets = [new IoTargetSpecification("null")],
        };
        using var run = new TestRun(test, new TestRunOptions { StartGate = _ => Clock.Now + Lead });
        run.Start();
        run.Wait(Timeout.InfiniteTimeSpan);
        _ = run.GetResult();
    }
}
