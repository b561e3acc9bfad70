using System.Runtime.CompilerServices;

namespace IoBench.Application.Suites;

/// <summary>
/// A run that touches no storage and whose result goes nowhere, once before the first test. Where code is compiled as it runs, the end of a first run has
/// thousands of methods to compile: half a second, in which a run that was stopped does not end. So that time is spent before anything is measured.
/// </summary>
internal static class Rehearsal
{
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
            Duration = TimeSpan.FromMilliseconds(100),
        };
        using var run = new TestRun(test, new TestRunOptions { Quiet = true }, source: null, new VirtualClock());
        run.Start();
        while (!run.Wait(TimeSpan.FromSeconds(1))) { }
        JsonResultWriter.Write(TextWriter.Null, [run.GetResult()]);
        return true;
    }
}
