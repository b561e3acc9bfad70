using System.Runtime.CompilerServices;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs a modeled test before the first test. Otherwise, the JIT compiler would compile thousands of methods at the end of the
/// first run and delay a cancellation (see docs/concepts/performance.md).</summary>
internal static class JitWarmUp
{
    private const long StartLead = 30_000_000;

    private static readonly TimeSpan s_duration = TimeSpan.FromMilliseconds(60);

    private static readonly Lazy<bool> s_warmUp = new(() => RunModeledTest(targetIops: null, isGated: false));

    /// <summary>Does nothing if code is compiled ahead of time.</summary>
    public static void RunOnce()
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            _ = s_warmUp.Value;
    }

    /// <summary>Also compiles the code of a synchronized start, which would otherwise be delayed on all hosts.</summary>
    /// <param name="hasTargetRate">True for a test with a target rate, because such tests take another code path.</param>
    public static void RunGated(bool hasTargetRate)
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            RunModeledTest(hasTargetRate ? 500 : null, isGated: true);
    }

    private static bool RunModeledTest(double? targetIops, bool isGated)
    {
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = BackendCatalog.Null,
            NullDevice = new NullDeviceModel(Servers: 1, MeanMs: 1),
            ThreadCount = 1,
            OutstandingIO = 2,
            WritePercent = 30,
            WarmUp = TimeSpan.Zero,
            TimelineInterval = TimeSpan.FromMilliseconds(10),
            TargetIops = targetIops,
        };
        using var run = new TestRun(test, new TestRunOptions { Quiet = true, StartGate = isGated ? _ => Clock.Now + StartLead : null });
        run.Start();
        // End the run as Ctrl+C does, so that the methods of a cancellation are compiled too.
        _ = run.Wait(s_duration);
        run.Cancel();
        while (!run.Wait(TimeSpan.FromSeconds(1))) { }
        var result = run.GetResult();
        result.Integrity = new IoIntegrity { FirstPass = new IoIntegrityPass(), FinalPass = new IoIntegrityPass() };
        ResultWriter.Write(TextWriter.Null, [result], ResultFormat.Json);
        return true;
    }
}
