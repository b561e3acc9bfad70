using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The specification that repeats a run, from its output and, where it was echoed, its command line.</summary>
internal static class SqlioSpecificationBuilder
{
    /// <summary>The specification; null when the output does not say what was done to which file.</summary>
    public static IoTestSpecification? Build(SqlioRun run, IoTestResult result, IoTestSpecification? commandLine)
    {
        if (run.Threads is not { } threads || run.BlockKB is not { } block || run.Access is not { } access || result.Targets.Count == 0)
            return commandLine;
        var specification = commandLine ?? new IoTestSpecification { WarmUp = TimeSpan.Zero };
        specification.Origin().Sqlio ??= Options(run);
        specification.BlockSize = block * 1024L;
        specification.ThreadCount = threads;
        specification.OutstandingIO = run.Outstanding ?? 1;
        specification.WritePercent = run.IsWrite == true ? 100 : 0;
        specification.AccessPattern = access;
        specification.Buffering = result.Buffering ?? IoBuffering.None;
        if (run.Seconds is { } seconds)
            specification.Duration = TimeSpan.FromSeconds(seconds);
        if (run.StripeKB is { } stripe && run.StripeRows is { } rows && block > 0)
            (specification.StripeColumns, specification.StripeRows) = (stripe / block, rows);
        var baseOffset = specification.Targets.Count > 0 ? specification.Targets[0].BaseOffset : 0;
        specification.Targets.Clear();
        foreach (var measured in result.Targets)
        {
            var target = new IoTargetSpecification(measured.Path) { BaseOffset = baseOffset };
            if (measured.FileSizeMB is { } size and < 8e12)
                target.FileSize = (long)Math.Round(size * 1048576);
            specification.Targets.Add(target);
        }
        SetPools(specification, run);
        if (specification.Targets.Count > 1 && run.Pools.Count == 0)
        {
            specification.SharedThreadPool = true;
            specification.PoolOutstandingIO = run.Outstanding is null ? 1 : null;
        }
        return specification;
    }

    /// <summary>The lines of the parameter file as the output echoes them.</summary>
    public static List<SqlioParameterLine> ParameterLines(SqlioRun run) => run.Pools.ConvertAll(p =>
    {
        var size = run.Sizes.FindIndex(s => s.Path == p.Path);
        return new SqlioParameterLine(p.Path, p.Threads, p.Mask, size >= 0 ? run.Sizes[size].Megabytes : null, p.Line);
    });

    /// <summary>What SQLIO was asked to print, as what it printed tells.</summary>
    private static SqlioOptions Options(SqlioRun run) => new()
    {
        LatencyTimer = run.Timer is null ? null : run.Timer.StartsWith('p') ? 'P' : 'S',
        InitiationLatency = run.MinInitUs is not null,
        ProcessorUse = run.Has(SqlioLineKind.Processors),
        ProcessorUseEach = run.Processors.HasEach,
        BufferingGiven = run.Buffering is not null,
        OutstandingGiven = run.Outstanding is not null,
        ParameterFile = run.ParameterFile,
    };

    /// <summary>Each line of a parameter file has threads of its own; one line alone is the run's own pattern.</summary>
    private static void SetPools(IoTestSpecification specification, SqlioRun run)
    {
        if (run.Pools.Count == 0 || run.Pools.Count != specification.Targets.Count)
            return;
        if (run.Pools.Count == 1)
        {
            SqlioParameterFile.SetPool(specification, run.Pools[0].Threads, run.Pools[0].Mask);
            return;
        }
        for (var i = 0; i < run.Pools.Count; i++)
            specification.Targets[i].Pattern = SqlioParameterFile.PoolPattern(specification, run.Pools[i].Threads, run.Pools[i].Mask);
    }
}
