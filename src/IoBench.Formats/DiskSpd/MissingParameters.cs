using IoBench.Engine;

namespace IoBench.Formats.DiskSpd;

/// <summary>Fills in what the parameters in the text leave out or round, from the results.</summary>
internal static class MissingParameters
{
    /// <summary>Completes the specifications of a run.</summary>
    internal static void Fill(DiskSpdRun run, bool isLinux)
    {
        if (run.TellsThreads)
            return;
        for (var i = 0; i < run.Specifications.Count; i++)
        {
            var specification = run.Specifications[i];
            if ((isLinux ? specification.ThreadCount : run.Spans.Find(s => s.Number == i + 1)?.ThreadCount) is int threads)
                SetPool(specification, threads);
        }
    }

    /// <summary>Neither threads a file nor a pool in the text: before 2.0.19, and on Linux, that is a pool (-F), and another line tells its size.</summary>
    private static void SetPool(IoTestSpecification specification, int threads)
    {
        specification.SharedThreadPool = true;
        specification.ThreadCount = threads;
        foreach (var target in specification.Targets)
        {
            if (target.Pattern is not null)
                target.Pattern.ThreadCount = threads;
        }
    }
}
