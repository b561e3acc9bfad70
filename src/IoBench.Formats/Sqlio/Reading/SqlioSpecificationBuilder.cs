using IoBench.Engine;

namespace IoBench.Formats;

internal static class SqlioSpecificationBuilder
{
    /// <summary>Creates the specification that repeats a run; null if the output does not state the operation and the file.</summary>
    public static IoTestSpecification? Build(SqlioRun run, IoTestResult result, IoTestSpecification? commandLine)
    {
        if (run.Threads is not { } threads || run.BlockKB is not { } block || run.Access is not { } access || result.TargetCount is null)
            return commandLine;
        var specification = commandLine ?? new IoTestSpecification { WarmUp = TimeSpan.Zero };
        specification.GetOrAddOrigin().Sqlio ??= CreateOptions(run);
        specification.BlockSize = block * 1024L;
        specification.ThreadCount = threads;
        specification.OutstandingIO = run.Outstanding ?? 1;
        specification.WritePercent = run.IsWrite == true ? 100 : 0;
        specification.AccessPattern = access;
        specification.Buffering = result.Buffering ?? IoBuffering.None;
        if (run.Seconds is { } seconds)
            specification.Duration = TimeSpan.FromSeconds(seconds);
        if (run.StripeKB is { } stripe && run.StripeRows is { } rows && block > 0)
        {
            specification.StripeColumns = stripe / block;
            specification.StripeRows = rows;
        }
        var baseOffset = specification.Targets.Count > 0 ? specification.Targets[0].BaseOffset : 0;
        specification.Targets.Clear();
        foreach (var measured in result.Targets)
            specification.Targets.Add(CreateTarget(measured.Path, measured.FileSizeMB, baseOffset));
        SetPools(specification, run);
        if (specification.Targets.Count > 1 && run.Pools.Count == 0)
        {
            specification.SharedThreadPool = true;
            specification.PoolOutstandingIO = run.Outstanding is null ? 1 : null;
        }
        return specification;
    }

    /// <summary>If true, <see cref="FromResult"/> creates the specification on demand.</summary>
    public static bool CanBuildFromResult(SqlioRun run, IoTestResult result, IoTestSpecification? commandLine) =>
        commandLine is null
        && run is { Threads: not null, BlockKB: not null, Access: not null, StripeKB: null }
        && result.TargetCount == 1
        && (
            run.Pools.Count == 0
                ? run is { SeveralFiles: false, Files: not null }
                : run.Pools is [{ Mask: 0 } pool] && pool.Threads == run.Threads
        );

    public static IoTestSpecification FromResult(IoTestResult result, SqlioOptions options)
    {
        var specification = new IoTestSpecification
        {
            WarmUp = TimeSpan.Zero,
            Extension = new TestOrigin { Sqlio = options with { } },
            BlockSize = (long)((result.BlockSizeKB ?? 0) * 1024),
            ThreadCount = result.ThreadCount ?? 0,
            OutstandingIO = result.OutstandingIO ?? 1,
            WritePercent = result.WritePercent ?? 0,
            Buffering = result.Buffering ?? IoBuffering.None,
            Targets = [CreateTarget(result.Path ?? "", result.FileSizeMB)],
        };
        // Random is the default. Setting it again would allocate memory for each result.
        if (result.AccessPattern is { } access and not IoAccessPattern.Random)
            specification.AccessPattern = access;
        if (result.DurationSeconds is { } seconds)
            specification.Duration = TimeSpan.FromSeconds(seconds);
        return specification;
    }

    private static IoTargetSpecification CreateTarget(string path, double? megabytes, long baseOffset = 0)
    {
        var target = new IoTargetSpecification(path) { BaseOffset = baseOffset };
        if (megabytes is { } size and < 8e12)
            target.FileSize = (long)Math.Round(size * 1048576);
        return target;
    }

    public static List<SqlioParameterLine> GetParameterLines(SqlioRun run) =>
        run.Pools.ConvertAll(p =>
        {
            var size = run.Sizes.FindIndex(s => s.Path == p.Path);
            return p with { SizeMB = size >= 0 ? run.Sizes[size].Megabytes : null };
        });

    public static SqlioOptions CreateOptions(SqlioRun run) =>
        new()
        {
            LatencyTimer =
                run.Timer is null ? null
                : run.Timer.StartsWith('p') ? 'P'
                : 'S',
            InitiationLatency = run.MinInitUs is not null,
            ProcessorUse = run.Has(SqlioLineKind.Processors),
            ProcessorUseEach = run.Processors?.HasProcessorColumns == true,
            BufferingGiven = run.Buffering is not null,
            OutstandingGiven = run.Outstanding is not null,
            ParameterFile = run.ParameterFile,
        };

    /// <summary>Sets the threads of the parameter file: per target if it has several lines, otherwise in the test's own pattern.</summary>
    private static void SetPools(IoTestSpecification specification, SqlioRun run)
    {
        if (run.Pools.Count == 0 || run.Pools.Count != specification.Targets.Count)
            return;
        if (run.Pools.Count == 1)
        {
            SqlioParameterFile.SetThreads(specification, run.Pools[0].Threads, run.Pools[0].Mask);
            return;
        }
        for (var i = 0; i < run.Pools.Count; i++)
            specification.Targets[i].Pattern = SqlioParameterFile.CreatePoolPattern(specification, run.Pools[i].Threads, run.Pools[i].Mask);
    }
}
