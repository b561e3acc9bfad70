using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What runs have in common that are repeats of one test.</summary>
public static class EqualTests
{
    /// <summary>Equal for runs that are equal in all but when they ran.</summary>
    public static object Of(IoTestResult run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return (run.Source, run.Label, run.Workload, run.IOPattern, run.ThreadCount, run.OutstandingIO, run.FileSizeMB, (run.Path, run.ComputerName, run.Buffering, run.TargetIops));
    }
}
