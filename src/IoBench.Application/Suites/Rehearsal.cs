using System.Runtime.CompilerServices;

namespace IoBench.Application.Suites;

/// <summary>
/// A run that touches no storage and whose result goes nowhere, once before the first test. Where code is compiled as it runs, the end of a first run has
/// thousands of methods to compile: half a second, in which a run that was stopped does not end. So that time is spent before anything is measured.
/// </summary>
internal static class Rehearsal
{
    /// <summary>Enough for some intervals of the timeline, and for a look at the processors.</summary>
    private static readonly TimeSpan s_length = TimeSpan.FromMilliseconds(60);

    private static readonly Lazy<bool> s_once = new(Run);

    /// <summary>Holds it, unless it was held or nothing is compiled here.</summary>
    public static void Once()
    {
        if (RuntimeFeature.IsDynamicCodeCompiled)
            _ = s_once.Value;
    }

    private static bool Run()
    {
        var test = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = new NullDeviceModel(Servers: 1, MeanMs: 1),
            ThreadCount = 1,
            OutstandingIO = 2,
            WritePercent = 30,
            WarmUp = TimeSpan.Zero,
            TimelineInterval = TimeSpan.FromMilliseconds(10),
        };
        using var run = new TestRun(test, new TestRunOptions { Quiet = true });
        run.Start();
        // Ended as Ctrl+C ends one: whoever presses it waits for each method that is compiled only then.
        _ = run.Wait(s_length);
        run.Cancel();
        while (!run.Wait(TimeSpan.FromSeconds(1))) { }
        var result = run.GetResult();
        result.Integrity = new IoIntegrity { FirstPass = new IoIntegrityPass(), FinalPass = new IoIntegrityPass() };
        ResultWriter.Write(TextWriter.Null, [result], ResultFormat.Json);
        return true;
    }
}
