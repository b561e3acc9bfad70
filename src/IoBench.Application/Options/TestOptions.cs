using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Options that define a test, in the order of help. A new option is one row here and the property that it sets.</summary>
public static class TestOptions
{
    private const int MaxCount = SpecificationValidator.MaxThreads;

    /// <summary>Common options of tests. A list runs every combination.</summary>
    public static IReadOnlyList<OptionRow> Common { get; } =
    [
        CreateTestOption<long>("FileSize", OptionKind.Size, "Size of the test file.", SetFileSize) with
        {
            Default = "20 GB, at most 10% of the free space",
            Count = OptionValueCount.Combinations,
            ProgramAliases = ["--size"],
            Examples = ["256MB", "1GB", "20GB", "100GB"],
            FirstPage = true,
        },
        CreateTestOption<TimeSpan>("Duration", OptionKind.Duration, "Duration of each test.", (test, time) => test.Duration = time) with
        {
            Default = "30s",
            ProgramAliases = ["-d"],
            Examples = ["10s", "30s", "60s", "5m", "1h"],
            FirstPage = true,
        },
        CreatePatternOption<long>("BlockSize", OptionKind.Size, "Block size.", (pattern, size) => pattern.BlockSize = size) with
        {
            Default = "8KB",
            Count = OptionValueCount.Combinations,
            ProgramAliases = ["--block", "-b"],
            Examples = ["4KB", "8KB", "60KB", "64KB", "256KB", "512KB", "1MB"],
            FirstPage = true,
        },
        CreatePatternOption<int>(
            "OutstandingIO",
            OptionKind.Integer,
            "Outstanding I/Os per thread and target.",
            (pattern, count) => pattern.OutstandingIO = count
        ) with
        {
            Default = "8",
            Count = OptionValueCount.Combinations,
            Aliases = ["QueueDepth", "QD"],
            ProgramAliases = ["--outstanding", "--qd", "-o"],
            Range = (1, SpecificationValidator.MaxOutstanding),
            RangeErrorId = "IoBench.InvalidOutstanding",
            Examples = ["1", "2", "4", "8", "16", "32"],
            FirstPage = true,
        },
        CreatePatternOption<int>(
            "ThreadCount",
            OptionKind.Threads,
            "Threads per target; auto = one per CPU.",
            (pattern, count) => pattern.ThreadCount = count
        ) with
        {
            Default = "4",
            Count = OptionValueCount.Combinations,
            ProgramAliases = ["--threads", "-t"],
            Range = (1, MaxCount),
            RangeErrorId = "IoBench.InvalidThreadCount",
            Examples = ["Auto", "1", "2", "4", "8", "16"],
            FirstPage = true,
        },
        CreatePatternOption<int>(
            "WritePercent",
            OptionKind.Percent,
            "Write percentage.",
            (pattern, percent) => pattern.WritePercent = percent
        ) with
        {
            Default = "0",
            Count = OptionValueCount.Combinations,
            ProgramAliases = ["--write", "-w"],
            Range = (0, 100),
            RangeErrorId = "IoBench.InvalidWritePercent",
            Examples = ["0", "30", "50", "100"],
            FirstPage = true,
        },
        CreatePatternOption<IoAccessPattern>(
            "AccessPattern",
            OptionKind.ForEnum<IoAccessPattern>(),
            "Access pattern: random, sequential, interlocked, partrandom, or stride.",
            (pattern, order) => pattern.AccessPattern = order
        ) with
        {
            Default = "random",
            Count = OptionValueCount.Combinations,
            ProgramAliases = ["--pattern"],
            FirstPage = true,
        },
        CreateTestOption<TimeSpan>(
            "WarmUp",
            OptionKind.Duration,
            "Warm-up: I/O before the measurement.",
            (test, time) => test.WarmUp = time
        ) with
        {
            Default = "one sixth of the duration, 1 to 5 s",
            ProgramAliases = ["--warmup"],
            Examples = ["0", "5s", "30s"],
        },
        CreateTestOption<TimeSpan>(
            "CoolDown",
            OptionKind.Duration,
            "Cool-down: I/O after the measurement.",
            (test, time) => test.CoolDown = time
        ) with
        {
            Default = "0",
            ProgramAliases = ["--cooldown"],
            Examples = ["0", "5s"],
        },
        CreatePatternOption<IoBuffering>(
            "Buffering",
            OptionKind.ForEnum<IoBuffering>(),
            "Caches that can serve I/Os: none (like SQL Server), hardware, software, or both.",
            (pattern, buffering) => pattern.Buffering = buffering
        ) with
        {
            Default = "none",
        },
        CreatePatternOption<double>(
            "TargetIops",
            OptionKind.Number,
            "Open loop: target rate in IOPS.",
            (pattern, rate) => pattern.TargetIops = rate
        ) with
        {
            Range = (SpecificationValidator.MinIops, SpecificationValidator.MaxIops),
            FirstPage = true,
            RangeErrorId = "IoBench.InvalidRate",
        },
        CreatePatternOption<IoArrivals>(
            "Arrivals",
            OptionKind.ForEnum<IoArrivals>(),
            "Open loop: start I/Os at even intervals (even), or at random times (poisson), as if many independent users started them.",
            (pattern, arrivals) => pattern.Arrivals = arrivals
        ) with
        {
            Default = "even",
        },
        CreatePatternOption<IoRate>(
            "MaxRate",
            OptionKind.Rate,
            "Closed loop: maximum rate per target, such as 500IOPS or 200MB/s.",
            SetMaxRate
        ) with
        {
            Order = 1,
            Examples = ["'1000 IOPS'", "'200 MB/s'", "'200 MiB/s'"],
        },
        CreatePatternOption<int>(
            "RandomPercent",
            OptionKind.Percent,
            "Percentage of random I/Os in a sequential test.",
            SetRandomPercent
        ) with
        {
            Order = -1,
            Range = (1, 100),
            RangeErrorId = "IoBench.InvalidRandomPercent",
        },
        CreatePatternOption<long>(
            "Stride",
            OptionKind.Size,
            "Distance from one sequential I/O to the next.",
            (pattern, size) => pattern.Stride = size
        ) with
        {
            Default = "the block size",
        },
        CreatePatternOption<int>(
            "BurstSize",
            OptionKind.Integer,
            "I/Os per burst. Requires --think-time.",
            (pattern, count) => pattern.BurstSize = count
        ) with
        {
            Range = (1, int.MaxValue),
            RangeErrorId = "IoBench.InvalidBurst",
        },
        CreatePatternOption<TimeSpan>(
            "ThinkTime",
            OptionKind.Duration,
            "Think time after each burst, such as 10ms.",
            (pattern, time) => pattern.ThinkTimeMs = (int)time.TotalMilliseconds
        ),
        CreatePatternOption<int>(
            "FlushEvery",
            OptionKind.Integer,
            "Number of writes per thread between flushes.",
            (pattern, count) => pattern.FlushEvery = count
        ) with
        {
            Range = (1, int.MaxValue),
            RangeErrorId = "IoBench.InvalidFlushEvery",
        },
        CreatePatternOption<WriteContentChoice>(
            "WriteContent",
            OptionKind.Content,
            "Contents of writes: random, zero, pattern, or the name of a file.",
            (pattern, content) => content.ApplyTo(pattern)
        ) with
        {
            Default = "random",
        },
        CreatePatternOption<AffinityChoice>(
            "Affinity",
            OptionKind.Affinity,
            "CPUs on which the threads run: off, roundrobin, or numbers such as 0-3,8.",
            (pattern, affinity) => affinity.ApplyTo(pattern)
        ) with
        {
            Default = "off",
            Examples = ["0-3", "0,2,4,6"],
        },
        CreateTestOption<string>(
            "Backend",
            OptionKind.ForNames(BackendCatalog.Names),
            $"I/O backend: {string.Join(", ", BackendCatalog.Names).ToLowerInvariant()}.",
            (test, backend) => test.Backend = backend
        ) with
        {
            Default = "auto",
        },
        CreateTestOption<ulong>(
            "Seed",
            OptionKind.Seed,
            "Random seed. To repeat the offsets of an earlier suite, use seedBase from its results.",
            (test, seed) => (test.Seed, test.SeedBase) = (seed, null)
        ) with
        {
            Default = "a random number",
        },
        CreateTestOption<long>(
            "StorageCacheSize",
            OptionKind.Size,
            "Size of the storage cache. IoBench uses it to check that the test file is large enough. 0 = no cache.",
            (test, size) => test.StorageCacheSize = size
        ) with
        {
            ProgramAliases = ["--storage-cache"],
            FirstPage = true,
        },
        CreateTestOption<double>(
            "StopAboveMs",
            OptionKind.Milliseconds,
            "End a test if its latency stays above this number of milliseconds.",
            (test, limit) => test.StopAboveMs = limit
        ) with
        {
            ProgramAliases = ["--stop-above"],
            ValueName = "MS",
            Range = (SpecificationValidator.MinStopAboveMs, SpecificationValidator.MaxStopAboveMs),
            RangeErrorId = "IoBench.InvalidStopAbove",
        },
        CreateTestOption<bool>(
            "Verify",
            OptionKind.Flag,
            "Verify each read. The exit code is 1 if the storage returns wrong data. IoBench reads the whole file before and after the test.",
            (test, on) => test.Verify = on
        ),
    ];

    /// <summary>Further options of a specification, which few users need.</summary>
    public static IReadOnlyList<OptionRow> Detailed { get; } =
    [
        CreateTestOption<TimeSpan>(
            "RestBefore",
            OptionKind.Duration,
            "Idle time before the test, so that the caches of the storage can drain.",
            (test, time) => test.RestBefore = time
        ) with
        {
            Default = "0",
        },
        CreatePatternOption<IoBlockMix>(
            "BlockMix",
            OptionKind.BlockMix,
            "Several block sizes with their percentages, such as 8KB:60,64KB:30,512KB:10. For different sizes of reads and writes: read 8KB / write 64KB:90,1MB:10.",
            (pattern, mix) => pattern.SetBlockMix(mix)
        ) with
        {
            Order = 1,
            Examples = ["8KB:60,64KB:30,512KB:10"],
        },
        CreatePatternOption<int>(
            "ReadOutstanding",
            OptionKind.Integer,
            "Outstanding reads per thread and target. Requires --write-outstanding. The speed of reads and writes determines the write percentage.",
            (pattern, count) => pattern.SetDepths(new IoDepths(count, pattern.Depths?.Writes ?? 0))
        ) with
        {
            Order = 1,
            Range = (1, SpecificationValidator.MaxOutstanding - 1),
            RangeErrorId = "IoBench.InvalidOutstanding",
        },
        CreatePatternOption<int>(
            "WriteOutstanding",
            OptionKind.Integer,
            "Outstanding writes per thread and target. Requires --read-outstanding.",
            (pattern, count) => pattern.SetDepths(new IoDepths(pattern.Depths?.Reads ?? 0, count))
        ) with
        {
            Order = 1,
            Range = (1, SpecificationValidator.MaxOutstanding - 1),
            RangeErrorId = "IoBench.InvalidOutstanding",
        },
        CreatePatternOption<long>(
            "Alignment",
            OptionKind.Size,
            "Alignment of random offsets.",
            (pattern, size) => pattern.Alignment = size
        ) with
        {
            Default = "the block size",
        },
        CreatePatternOption<long>(
            "ThreadStride",
            OptionKind.Size,
            "Distance between the first offsets of the threads that use the same target.",
            (pattern, size) => pattern.ThreadStride = size
        ) with
        {
            Default = "the range divided by the number of threads",
        },
        CreatePatternOption<int>(
            "StripeColumns",
            OptionKind.Integer,
            "Number of blocks in a stripe (SQLIO -f).",
            (pattern, count) => pattern.StripeColumns = count
        ) with
        {
            Default = "64",
            Range = (1, SpecificationValidator.MaxStripe),
            RangeErrorId = "IoBench.InvalidStripe",
        },
        CreatePatternOption<int>(
            "StripeRows",
            OptionKind.Integer,
            "Number of stripes in which a thread uses the same block position, before it continues with the next position (SQLIO -i).",
            (pattern, count) => pattern.StripeRows = count
        ) with
        {
            Default = "64",
            Range = (1, SpecificationValidator.MaxStripe),
            RangeErrorId = "IoBench.InvalidStripe",
        },
        CreateTargetOption<long>(
            "BaseOffset",
            "Offset at which the range to test begins.",
            (target, offset) => target.BaseOffset = offset
        ) with
        {
            Default = "0",
        },
        CreateTargetOption<long>("MaxOffset", "Offset at which the range to test ends.", (target, offset) => target.MaxOffset = offset) with
        {
            Default = "the end of the file",
        },
        CreatePatternOption<IReadOnlyList<object>>(
            "Distribution",
            OptionKind.DistributionPart,
            "Hot spots: zipf:1.1, pareto:0.2, or X/Y (X percent of the I/Os go to Y percent of the range), for example 90/10,10/90.",
            SetDistribution
        ) with
        {
            Count = OptionValueCount.Whole,
            Default = "uniform",
            Examples = ["zipf:1.1", "pareto:0.2", "90/10", "10/90"],
        },
        CreateTestOption<long>(
            "WriteContentSize",
            OptionKind.Size,
            "If writes use the contents of a file: number of bytes to use from this file.",
            SetContentSize
        ) with
        {
            Order = 1,
            Default = "the whole file, at most 20 MB (or one block, if the block size is larger)",
        },
        CreatePatternOption<int>(
            "CompressiblePercent",
            OptionKind.Percent,
            "Percentage of each written 4 KB block that can be compressed.",
            (pattern, percent) => pattern.CompressiblePercent = percent
        ) with
        {
            ProgramAliases = ["--compressible"],
            Default = "0",
            Range = (0, 100),
            RangeErrorId = "IoBench.InvalidCompressible",
        },
        CreatePatternOption<int>(
            "DedupablePercent",
            OptionKind.Percent,
            "Percentage of the written 4 KB blocks that are duplicates of a few blocks.",
            (pattern, percent) => pattern.DedupablePercent = percent
        ) with
        {
            ProgramAliases = ["--dedupable"],
            Default = "0",
            Range = (0, 100),
            RangeErrorId = "IoBench.InvalidDedupable",
        },
        CreatePatternOption<double>(
            "MaxIopsPerThread",
            OptionKind.Number,
            "Closed loop: maximum IOPS per thread and target.",
            (pattern, rate) => pattern.MaxIopsPerThread = rate
        ) with
        {
            Range = (SpecificationValidator.MinIops, SpecificationValidator.MaxIops),
            RangeErrorId = "IoBench.InvalidRate",
        },
        CreatePatternOption<double>(
            "MaxBytesPerSecondPerThread",
            OptionKind.Number,
            "Closed loop: maximum bytes per second per thread and target.",
            (pattern, rate) => pattern.MaxBytesPerSecondPerThread = rate
        ) with
        {
            Range = (1, SpecificationValidator.MaxBytesPerSecond),
            RangeErrorId = "IoBench.InvalidRate",
        },
        CreatePatternOption<IoPriority>(
            "Priority",
            OptionKind.ForEnum<IoPriority>(),
            "Priority of the I/O: normal, low, or verylow.",
            (pattern, priority) => pattern.Priority = priority
        ) with
        {
            Default = "normal",
        },
        CreatePatternOption<bool>(
            "LargePages",
            OptionKind.Flag,
            "Use large pages for the buffers.",
            (pattern, on) => pattern.LargePages = on
        ),
        CreatePatternOption<bool>(
            "SequentialScanHint",
            OptionKind.Flag,
            "Open the file with the sequential-scan hint.",
            (pattern, on) => pattern.SequentialScanHint = on
        ),
        CreatePatternOption<bool>(
            "RandomAccessHint",
            OptionKind.Flag,
            "Open the file with the random-access hint.",
            (pattern, on) => pattern.RandomAccessHint = on
        ),
        CreatePatternOption<bool>(
            "TemporaryHint",
            OptionKind.Flag,
            "Open the file as a temporary file.",
            (pattern, on) => pattern.TemporaryHint = on
        ),
        CreatePatternOption<bool>(
            "ParallelSameOffset",
            OptionKind.Flag,
            "Start all outstanding I/Os of a thread at the same offset.",
            (pattern, on) => pattern.ParallelSameOffset = on
        ),
        CreateTestOption<bool>(
            "SharedThreadPool",
            OptionKind.Flag,
            "Use one pool of threads for all targets.",
            (test, on) => test.SharedThreadPool = on
        ),
        CreateTestOption<int>(
            "PoolOutstandingIO",
            OptionKind.Integer,
            "Outstanding I/Os per thread of the pool, for all targets together.",
            (test, count) => test.PoolOutstandingIO = count
        ) with
        {
            Range = (1, SpecificationValidator.MaxPoolOutstanding),
            RangeErrorId = "IoBench.InvalidOutstanding",
        },
        CreateTestOption<IoPolling>(
            "Polling",
            OptionKind.ForEnum<IoPolling>(),
            "Polling mode of io_uring: none, submission, completion, or hybrid.",
            (test, polling) => test.Polling = polling
        ) with
        {
            Default = "none",
        },
        CreateTestOption<TimeSpan>(
            "TimelineInterval",
            OptionKind.Duration,
            "Interval of the timeline.",
            (test, time) => test.TimelineInterval = time
        ) with
        {
            Default = "1s",
        },
        CreateTestOption<int>(
            "NullServers",
            OptionKind.Integer,
            "For the Null backend: number of I/Os that the modeled device serves concurrently. 0 = no limit.",
            (test, count) => SetNullDevice(test, model => model with { Servers = count })
        ) with
        {
            Default = "0",
            Range = (0, SpecificationValidator.MaxNullServers),
            RangeErrorId = "IoBench.InvalidNullDevice",
        },
        CreateTestOption<double>(
            "NullServiceMs",
            OptionKind.Number,
            "For the Null backend: mean service time in milliseconds.",
            (test, time) => SetNullDevice(test, model => model with { MeanMs = time })
        ) with
        {
            Default = "0",
            Range = (0, SpecificationValidator.MaxNullServiceMs),
            RangeErrorId = "IoBench.InvalidNullDevice",
        },
        CreateTestOption<NullServiceTime>(
            "NullServiceKind",
            OptionKind.ForEnum<NullServiceTime>(),
            "For the Null backend: constant, exponential, or bimodal service times.",
            (test, kind) => SetNullDevice(test, model => model with { Kind = kind })
        ) with
        {
            Default = "constant",
        },
    ];

    internal static OptionRow Find(OptionName option) => Common.Concat(Detailed).First(row => row.Name == option.Name);

    /// <summary>Options of <see cref="Detailed"/> that CLI runs also take.</summary>
    public static IReadOnlyList<OptionRow> OfRuns { get; } =
    [
        .. Detailed.Where(row =>
            row.Name
                is "BlockMix"
                    or "ReadOutstanding"
                    or "WriteOutstanding"
                    or "Alignment"
                    or "ThreadStride"
                    or "BaseOffset"
                    or "MaxOffset"
                    or "Distribution"
                    or "CompressiblePercent"
                    or "DedupablePercent"
                    or "Polling"
                    or "TimelineInterval"
        ),
    ];

    private static OptionRow CreateTestOption<T>(string name, OptionKind kind, string help, Action<IoTestSpecification, T> set) =>
        new(name, kind, help) { SetTest = (test, value) => set(test, (T)value) };

    private static OptionRow CreatePatternOption<T>(string name, OptionKind kind, string help, Action<IoPattern, T> set) =>
        CreateTestOption<T>(
            name,
            kind,
            help,
            (test, value) =>
            {
                set(test, value);
                foreach (var target in test.Targets)
                    if (target.Pattern is { } pattern)
                        set(pattern, value);
            }
        );

    /// <summary>Applies only to patterns with content from a file, because only a file has bytes to select.</summary>
    private static void SetContentSize(IoTestSpecification test, long size)
    {
        IoPattern[] fromFile =
        [
            .. test
                .Targets.Select(target => target.Pattern)
                .OfType<IoPattern>()
                .Prepend(test)
                .Where(pattern => pattern.WriteContent == IoWriteContentKind.File),
        ];
        if (fromFile.Length == 0)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{new OptionName("WriteContentSize")} requires contents from a file, but the test has {OptionNames.WriteContent.WithValue(test.WriteContent)}.",
                advice: "Specify a file, or remove the size."
            );
        foreach (var pattern in fromFile)
            pattern.WriteContentSize = size;
    }

    private static OptionRow CreateTargetOption<T>(string name, string help, Action<IoTargetSpecification, T> set) =>
        CreateTestOption<T>(
            name,
            OptionKind.Size,
            help,
            (test, value) =>
            {
                if (test.Targets.Count == 0)
                    throw IoBenchException.Usage(
                        "IoBench.NoPath",
                        $"{new OptionName(name)}: an offset applies to a target, but the specification has no target.",
                        advice: $"Add {OptionNames.Path}."
                    );
                test.Targets.ForEach(target => set(target, value));
            }
        ) with
        {
            Order = 1,
            NeedsTargets = true,
        };

    private static void SetFileSize(IoTestSpecification test, long size)
    {
        test.FileSize = size;
        test.Targets.ForEach(target => target.FileSize = null);
    }

    private static void SetDistribution(IoPattern pattern, IReadOnlyList<object> parts)
    {
        if (parts.Count > 1 && parts.OfType<IoDistribution>().FirstOrDefault() is { } whole)
            throw IoBenchException.Usage(
                "IoBench.InvalidDistribution",
                $"{OptionNames.Distribution}: {whole} is a complete distribution and cannot be combined with other distributions."
            );
        pattern.SetDistribution(parts[0] as IoDistribution ?? new IoDistribution { Ranges = [.. parts.Cast<IoDistributionRange>()] });
    }

    private static void SetRandomPercent(IoPattern pattern, int percent)
    {
        pattern.RandomPercent = percent;
        pattern.AccessPattern = IoAccessPattern.PartRandom;
    }

    /// <summary>Divides the rate by the number of threads: the option limits a target, the pattern limits a thread.</summary>
    private static void SetMaxRate(IoPattern pattern, IoRate rate)
    {
        pattern.MaxIopsPerThread = rate.Iops / pattern.ThreadCount;
        pattern.MaxBytesPerSecondPerThread = rate.BytesPerSecond / pattern.ThreadCount;
    }

    private static void SetNullDevice(IoTestSpecification test, Func<NullDeviceModel, NullDeviceModel> change)
    {
        test.Backend = BackendCatalog.Null;
        test.NullDevice = change(test.NullDevice ?? new NullDeviceModel(0, 0));
    }
}
