namespace IoBench.Engine;

/// <summary>Validates a specification: first without access to the file system, then against a known target.</summary>
public static class SpecificationValidator
{
    public const int MaxThreads = 1024;

    public const int MaxOutstanding = 4096;

    public const int MaxPoolOutstanding = 1 << 20;

    public const int MaxTargets = 1024;

    public const long MaxBlockSize = 64L << 20;

    public const double MinIops = 0.001;

    public const double MaxIops = 1e9;

    public const double MaxBytesPerSecond = 1e15;

    public const double MinStopAboveMs = 0.001;

    public const double MaxStopAboveMs = 1e6;

    public const int MaxStripe = 1 << 20;

    public const int MaxNullServers = 100_000;

    public const double MaxNullServiceMs = 60_000;
    internal const int SmallestSector = 512;

    // If a smaller file size does not hold two blocks either, the user probably forgot the unit.
    private const long MinPlausibleSize = 16 * 1024;

    /// <exception cref="IoBenchException">The first error found, with what to do.</exception>
    public static void Validate(IoTestSpecification specification)
    {
        ArgumentNullException.ThrowIfNull(specification);
        Require(specification.Targets.Count > 0, "IoBench.NoTarget", "The test has no target. Specify a file, for example ./iotest.dat.");
        Require(
            specification.Targets.Count <= MaxTargets,
            "IoBench.TooManyTargets",
            $"{specification.Targets.Count} targets are too many. The maximum is {MaxTargets}.",
            advice: "Divide the targets among several runs."
        );
        Require(
            specification.Duration > TimeSpan.Zero,
            "IoBench.InvalidDuration",
            $"{OptionNames.Duration}: the duration must be more than 0.",
            advice: "Try 30s."
        );
        Require(
            specification.WarmUp >= TimeSpan.Zero && specification.CoolDown >= TimeSpan.Zero && specification.RestBefore >= TimeSpan.Zero,
            "IoBench.InvalidDuration",
            "Warm-up, cool-down, and idle time cannot be negative."
        );
        Require(
            specification.TimelineInterval >= TimeSpan.FromMilliseconds(10),
            "IoBench.InvalidInterval",
            $"{OptionNames.TimelineInterval}: the interval must be at least 10 ms.",
            advice: "Try 1s."
        );
        Require(
            specification.FileSize is null or > 0,
            "IoBench.InvalidSize",
            $"{OptionNames.FileSize.WithValue(0)}: the size must be more than 0.",
            advice: "Try 20GB."
        );
        Require(
            specification.StopAboveMs is null or (>= MinStopAboveMs and <= MaxStopAboveMs),
            "IoBench.InvalidStopAbove",
            $"{OptionNames.StopAboveMs} is out of range. Use a value from {MinStopAboveMs} to {MaxStopAboveMs:#,##0} milliseconds."
        );
        Require(
            !specification.SharedThreadPool || specification.PoolOutstandingIO is null or (>= 1 and <= MaxPoolOutstanding),
            "IoBench.InvalidOutstanding",
            $"{specification.PoolOutstandingIO} outstanding I/Os per pool thread are out of range. Use a value from 1 to {MaxPoolOutstanding}."
        );
        Require(
            specification.PoolOutstandingIO is null || specification.SharedThreadPool,
            "IoBench.ConflictingOptions",
            "A number of outstanding I/Os per pool thread requires a shared thread pool."
        );
        Require(
            specification.Precondition is null or (> 0 and <= Preconditioning.MaxPasses),
            "IoBench.InvalidPrecondition",
            $"{OptionNames.Precondition.WithValue(specification.Precondition ?? 0)}: the value is out of range. Use a value greater than 0, up to {Preconditioning.MaxPasses} passes. SNIA requires 2 passes."
        );
        Require(
            specification.EndAfterPasses is null or > 0,
            "IoBench.InvalidPasses",
            "EndAfterPasses must be more than 0. A run ends after this number of passes over each target."
        );
        Require(
            specification.Backend == BackendCatalog.Auto || BackendCatalog.Find(specification.Backend) is not null,
            "IoBench.InvalidName",
            $"{OptionNames.Backend.WithValue(specification.Backend)} is not one of {string.Join(", ", BackendCatalog.Names).ToLowerInvariant()}."
        );
        CheckPattern(specification);
        CheckPolling(specification);
        foreach (var target in specification.Targets)
            CheckTarget(specification, target);
        RunVerification.Check(specification);
        if (specification.NullDevice is { } device)
        {
            Require(
                device
                    is {
                        Servers: >= 0 and <= MaxNullServers,
                        MeanMs: >= 0 and <= MaxNullServiceMs,
                        SlowMs: >= 0,
                        SlowPercent: >= 0 and <= 100
                    },
                "IoBench.InvalidNullDevice",
                $"The number of concurrent I/Os of the modeled device must be 0 to {MaxNullServers:#,##0}, and the mean service time must be 0 to {MaxNullServiceMs:#,##0} ms. The time of slow I/Os cannot be negative, and their percentage must be 0 to 100."
            );
        }
    }

    /// <exception cref="IoBenchException">The first setting that does not fit.</exception>
    internal static void ValidateForTarget(IoPattern pattern, IoTargetSpecification target, int sector)
    {
        if (pattern.Buffering is not (IoBuffering.None or IoBuffering.Hardware))
            return;
        CheckAligned(OptionNames.BlockSize, "the block size", pattern.BlockSize, sector);
        CheckMixAlignment(pattern, sector);
        var (alignment, stride, threadStride) = GetDistances(pattern);
        CheckAligned(OptionNames.Alignment, "the alignment", alignment, sector);
        CheckAligned(OptionNames.Stride, "the stride", stride, sector);
        CheckAligned(OptionNames.ThreadStride, "the thread stride", threadStride, sector);
        CheckAligned(OptionNames.BaseOffset, "the base offset", target.BaseOffset, sector);
    }

    private static void CheckPolling(IoTestSpecification specification)
    {
        if (specification.Polling == IoPolling.None)
            return;
        Require(
            specification.Backend == BackendCatalog.Auto || BackendCatalog.Get(specification.Backend).CanPoll,
            "IoBench.ConflictingOptions",
            $"{OptionNames.Polling.WithValue(specification.Polling)} requires io_uring and cannot be combined with {OptionNames.Backend.WithValue(specification.Backend)}."
        );
        if (specification.Polling == IoPolling.Submission)
            return;
        foreach (var pattern in specification.Targets.Select(specification.GetPattern))
        {
            Require(
                pattern.Buffering is IoBuffering.None or IoBuffering.Hardware,
                "IoBench.ConflictingOptions",
                $"{OptionNames.Polling.WithValue(specification.Polling)} requires unbuffered I/O and cannot be combined with {OptionNames.Buffering.WithValue(pattern.Buffering)}."
            );
            Require(
                pattern.FlushEvery == 0,
                "IoBench.ConflictingOptions",
                $"{OptionNames.Polling.WithValue(specification.Polling)} cannot be combined with {OptionNames.FlushEvery}, because flushes cannot be polled."
            );
        }
    }

    private static void CheckTarget(IoTestSpecification specification, IoTargetSpecification target)
    {
        Require(!string.IsNullOrWhiteSpace(target.Path), "IoBench.NoTarget", "The path of a target is empty. Specify a file.");
        Require(
            target.FileSize is null or > 0,
            "IoBench.InvalidSize",
            $"{target.Path}: the size of the test file must be more than 0.",
            advice: "Try 20GB."
        );
        CheckSize(target.FileSize ?? specification.FileSize, specification.GetPattern(target).BlockSize);
        Require(target.BaseOffset >= 0, "IoBench.InvalidOffset", $"{target.Path}: the base offset cannot be negative.");
        Require(
            target.MaxOffset is null || target.MaxOffset > target.BaseOffset,
            "IoBench.InvalidOffset",
            $"{target.Path}: the maximum offset ({target.MaxOffset}) must be greater than the base offset ({target.BaseOffset})."
        );
        if (target.Pattern is { } pattern)
            CheckPattern(pattern);
        if (specification.SharedThreadPool && specification.PoolOutstandingIO is not null)
        {
            var shared = specification.GetPattern(target);
            Require(
                shared.Depths is null,
                "IoBench.ConflictingOptions",
                "A pool with shared outstanding I/Os cannot have separate numbers of outstanding reads and writes."
            );
            Require(
                !shared.IsRateLimited && !shared.HasSharedOffsets,
                "IoBench.ConflictingOptions",
                "A pool with shared outstanding I/Os cannot have rate limits, bursts, or parallel I/O at the same offset."
            );
        }
    }

    // A user who enters 256 means megabytes; a file of 256 bytes cannot hold two blocks.
    private static void CheckSize(long? size, long block) =>
        Require(
            size is not { } bytes || bytes >= MinPlausibleSize || bytes >= 2 * block,
            "IoBench.InvalidSize",
            $"{OptionNames.FileSize.WithValue(size ?? 0)}: a number without a unit is in bytes. Did you mean {size}MB?"
        );

    private static void CheckPattern(IoPattern p)
    {
        if (p.BlockSize < SmallestSector)
        {
            throw p.BlockSize > 0
                ? IoBenchException.Usage(
                    "IoBench.InvalidBlockSize",
                    $"{OptionNames.BlockSize.WithValue(p.BlockSize)}: a number without a unit is in bytes, and a block must be at least {SmallestSector} bytes.",
                    advice: $"For {p.BlockSize} KB, use {p.BlockSize}KB."
                )
                : IoBenchException.Usage(
                    "IoBench.InvalidBlockSize",
                    $"{OptionNames.BlockSize.WithValue(p.BlockSize)}: a block must be at least {SmallestSector} bytes.",
                    advice: "Try 8KB."
                );
        }
        Require(
            p.BlockSize <= MaxBlockSize,
            "IoBench.InvalidBlockSize",
            $"{OptionNames.BlockSize.WithValue(new IoSize(p.BlockSize))}: the largest block is {new IoSize(MaxBlockSize)}."
        );
        if (p.Buffering is IoBuffering.None or IoBuffering.Hardware)
            CheckAligned(OptionNames.BlockSize, "the block size", p.BlockSize, SmallestSector);
        CheckRange(p.ThreadCount, 1, MaxThreads, "IoBench.InvalidThreadCount", OptionNames.ThreadCount, "threads");
        CheckRange(
            p.OutstandingIO,
            1,
            MaxOutstanding,
            "IoBench.InvalidOutstanding",
            OptionNames.OutstandingIO,
            "outstanding I/Os per thread"
        );
        CheckRange(p.WritePercent, 0, 100, "IoBench.InvalidWritePercent", OptionNames.WritePercent, "percent");
        Require(p.FlushEvery >= 0, "IoBench.InvalidFlushEvery", $"{OptionNames.FlushEvery} cannot be negative.");
        Require(p.Weight >= 1, "IoBench.InvalidWeight", "The weight of a target must be at least 1.");
        CheckOrder(p);
        CheckContent(p);
        CheckPace(p);
        CheckSettings(p);
        CheckMixAndDepths(p);
        Require(p.Processors.All(c => c >= 0), "IoBench.InvalidAffinity", $"{OptionNames.Affinity}: CPU numbers start at 0.");
        Require(
            p.AffinityMode != IoAffinityMode.Mask || p.Processors.Count > 0,
            "IoBench.InvalidAffinity",
            $"{OptionNames.Affinity}: the mask contains no CPU."
        );
    }

    private static void CheckOrder(IoPattern p)
    {
        var (alignment, stride, threadStride) = GetDistances(p);
        Require(
            alignment is null or > 0,
            "IoBench.InvalidAlignment",
            $"{OptionNames.Alignment.WithValue(alignment ?? 0)}: the value must be more than 0."
        );
        Require(
            stride is null or > 0,
            "IoBench.InvalidStride",
            $"{OptionNames.Stride.WithValue(stride ?? 0)}: the value must be more than 0."
        );
        Require(
            threadStride is null or >= 0,
            "IoBench.InvalidStride",
            $"{OptionNames.ThreadStride.WithValue(threadStride ?? 0)}: the value cannot be negative."
        );
        if (p.AccessPattern == IoAccessPattern.PartRandom)
            CheckRange(p.RandomPercent, 1, 100, "IoBench.InvalidRandomPercent", OptionNames.RandomPercent, "percent");
        if (p.AccessPattern == IoAccessPattern.Stride)
        {
            Require(
                p is { StripeColumns: >= 1 and <= MaxStripe, StripeRows: >= 1 and <= MaxStripe },
                "IoBench.InvalidStripe",
                $"A stripe requires 1 to {MaxStripe:#,##0} columns, and 1 to {MaxStripe:#,##0} rows."
            );
            Require(
                p.ThreadCount <= p.StripeColumns,
                "IoBench.InvalidStripe",
                $"{p.ThreadCount} threads cannot use {NumberFormat.Pluralize(p.StripeColumns, "column")}. Use at least as many columns as threads."
            );
        }
        CheckDistribution(p.GetDistribution());
    }

    /// <summary>The distances that the access pattern uses.</summary>
    internal static (long? Alignment, long? Stride, long? ThreadStride) GetDistances(IoPattern p) =>
        p.AccessPattern switch
        {
            IoAccessPattern.Sequential => (null, p.Stride, p.ThreadStride),
            IoAccessPattern.Interlocked => (null, p.Stride, null),
            IoAccessPattern.PartRandom => (p.Alignment, p.Stride, p.ThreadStride),
            IoAccessPattern.Stride => default,
            _ => (p.Alignment, null, null),
        };

    private static void CheckDistribution(IoDistribution distribution)
    {
        Require(
            distribution.ZipfTheta is null or (> 0 and <= IoDistribution.MaxZipfTheta),
            "IoBench.InvalidDistribution",
            $"{OptionNames.Distribution.WithValue(distribution)}: theta must be more than 0 and at most {IoDistribution.MaxZipfTheta}.",
            advice: "Try zipf:1.1."
        );
        Require(
            distribution.ParetoShare is null or (> 0 and < 0.5),
            "IoBench.InvalidDistribution",
            $"{OptionNames.Distribution.WithValue(distribution)}: the share of the popular blocks must be more than 0 and less than 0.5.",
            advice: "Try pareto:0.2 (80:20)."
        );
        var parts = distribution.Ranges;
        if (parts.Count == 0)
            return;
        Require(
            parts.All(r => r.IOPercent >= 0 && r.TargetPart > 0),
            "IoBench.InvalidDistribution",
            "In a distribution, each percentage of the I/Os must be 0% or more, and each part of the range must be more than 0%."
        );
        var share = parts.Sum(r => (long)r.IOPercent);
        Require(
            share <= 100,
            "IoBench.InvalidDistribution",
            $"The shares of I/O in the distribution add up to {share}%. The maximum is 100%."
        );
        if (distribution.IsAbsolute)
            return;
        var part = parts.Sum(r => r.TargetPart);
        Require(
            part <= 100,
            "IoBench.InvalidDistribution",
            $"The parts of the target in the distribution add up to {part}%. The maximum is 100%."
        );
        Require(
            share == 100 || part < 100,
            "IoBench.InvalidDistribution",
            $"The parts of the distribution cover the whole target, so their shares of the I/Os must add up to 100%, not {share}%."
        );
    }

    private static void CheckContent(IoPattern p)
    {
        if (p.WriteContent == IoWriteContentKind.Random)
        {
            CheckRange(p.CompressiblePercent, 0, 100, "IoBench.InvalidCompressible", OptionNames.CompressiblePercent, "percent");
            CheckRange(p.DedupablePercent, 0, 100, "IoBench.InvalidDedupable", OptionNames.DedupablePercent, "percent");
        }
        Require(
            p.WriteContent != IoWriteContentKind.File || !string.IsNullOrWhiteSpace(p.WriteContentFile),
            "IoBench.NoContentFile",
            "The test writes the contents of a file, but no file is specified."
        );
    }

    private static void CheckPace(IoPattern p)
    {
        Require(
            p.TargetIops is null or (>= MinIops and <= MaxIops),
            "IoBench.InvalidRate",
            $"{OptionNames.TargetIops} is out of range. Use a value from {MinIops} to {MaxIops:#,##0} IOPS."
        );
        Require(
            p.TargetIops is not null
                || p
                    is {
                        MaxIopsPerThread: null or (>= MinIops and <= MaxIops),
                        MaxBytesPerSecondPerThread: null or (>= 1 and <= MaxBytesPerSecond)
                    },
            "IoBench.InvalidRate",
            $"{OptionNames.MaxRate} is out of range. Use {MinIops} to {MaxIops:#,##0} IOPS per thread and target, or 1 to {MaxBytesPerSecond:#,##0} bytes per second."
        );
    }

    /// <summary>Rejects settings without effect: a run that ignored them would not be the requested one.</summary>
    private static void CheckSettings(IoPattern p)
    {
        Require(p.BurstSize >= 0 && p.ThinkTimeMs >= 0, "IoBench.InvalidBurst", "Burst size and think time cannot be negative.");
        Require(
            p.TargetIops is null || p is { MaxIopsPerThread: null, MaxBytesPerSecondPerThread: null, BurstSize: 0 },
            "IoBench.ConflictingOptions",
            $"{OptionNames.TargetIops} cannot be combined with {OptionNames.MaxRate} or bursts."
        );
        Require(
            !p.ParallelSameOffset || p.HasSharedOffsets,
            "IoBench.ConflictingOptions",
            "Parallel I/O at the same offset requires sequential access."
        );
        var spreads = new[] { p.Distribution.Count > 0, p.ZipfTheta is not null, p.ParetoShare is not null }.Count(isSaid => isSaid);
        Require(spreads == 0 || p.HasRandomOffsets, "IoBench.ConflictingOptions", "A distribution requires random access.");
        Require(
            spreads <= 1,
            "IoBench.ConflictingOptions",
            $"{OptionNames.Distribution}: zipf, pareto, and parts of the range cannot be combined."
        );
        Require(
            (p.DedupablePercent == 0 && p.CompressiblePercent == 0) || p.WriteContent == IoWriteContentKind.Random,
            "IoBench.ConflictingOptions",
            $"{OptionNames.CompressiblePercent} and {OptionNames.DedupablePercent} apply to random content, not to {OptionNames.WriteContent.WithValue(p.WriteContent)}.",
            advice: $"Remove these options, or use {OptionNames.WriteContent.WithValue(IoWriteContentKind.Random)}."
        );
    }

    private static void CheckMixAndDepths(IoPattern p)
    {
        if (p.BlockMix is { } mix)
            CheckMix(p, mix);
        if (p.Depths is { } depths)
            CheckDepths(p, depths);
    }

    private static void CheckMixAlignment(IoPattern p, int sector)
    {
        if (p.BlockMix is { } mix && mix.Reads.Concat(mix.Writes).FirstOrDefault(share => share.Size % sector != 0) is { } odd)
            throw IoBenchException.Usage(
                "IoBench.InvalidBlockMix",
                $"{OptionNames.BlockMix.WithValue(mix)}: with unbuffered I/O, each block size must be a multiple of the sector size ({sector} bytes). {new IoSize(odd.Size)} is not."
            );
    }

    private static void CheckMix(IoPattern p, IoBlockMix mix)
    {
        foreach (var shares in new[] { mix.Reads, mix.Writes })
        {
            Require(
                shares.Count is >= 1 and <= IoBlockMix.MaxSizes
                    && shares.All(share => share is { Percent: >= 1 and <= 100 })
                    && shares.Sum(share => share.Percent) == 100,
                "IoBench.InvalidBlockMix",
                $"{OptionNames.BlockMix.WithValue(mix)} is invalid. Use 1 to {IoBlockMix.MaxSizes} block sizes whose percentages add up to 100."
            );
            Require(
                shares.All(share => share.Size is >= SmallestSector and <= MaxBlockSize),
                "IoBench.InvalidBlockMix",
                $"{OptionNames.BlockMix.WithValue(mix)}: the range of block sizes is {SmallestSector} bytes to {new IoSize(MaxBlockSize)}."
            );
        }
        Require(
            p.BlockSize == mix.GetLargestSize(),
            "IoBench.InvalidBlockMix",
            $"{OptionNames.BlockMix.WithValue(mix)}: the block size must be the largest size in the mix, {new IoSize(mix.GetLargestSize())}."
        );
        Require(
            p
                is { AccessPattern: IoAccessPattern.Random }
                    or { AccessPattern: IoAccessPattern.PartRandom, Stride: null }
                    or { AccessPattern: IoAccessPattern.Sequential, Stride: null, ParallelSameOffset: false },
            "IoBench.ConflictingOptions",
            $"{OptionNames.BlockMix} cannot be combined with {OptionNames.AccessPattern.WithValue(IoAccessPattern.Interlocked)}, {OptionNames.Stride}, or I/Os at the same offset. Each of these requires a single block size."
        );
        if (p.Buffering is IoBuffering.None or IoBuffering.Hardware)
            CheckMixAlignment(p, SmallestSector);
    }

    private static void CheckDepths(IoPattern p, IoDepths depths)
    {
        Require(
            depths is { Reads: >= 1, Writes: >= 1 } && depths.Reads + depths.Writes <= MaxOutstanding,
            "IoBench.InvalidOutstanding",
            $"{OptionNames.ReadOutstanding.WithValue(depths.Reads)}, {OptionNames.WriteOutstanding.WithValue(depths.Writes)}: specify both options. Each value must be at least 1, and their sum must be at most {MaxOutstanding}."
        );
        Require(
            p.OutstandingIO == depths.Reads + depths.Writes,
            "IoBench.InvalidOutstanding",
            $"{OptionNames.OutstandingIO.WithValue(p.OutstandingIO)}: with {OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding}, the value must be their sum."
        );
        Require(
            p.WritePercent is > 0 and < 100,
            "IoBench.ConflictingOptions",
            $"{OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding} require a write percentage of more than 0 and less than 100. The measured shares of reads and writes depend on how fast reads and writes complete."
        );
        Require(
            !p.IsRateLimited && !p.HasSharedOffsets,
            "IoBench.ConflictingOptions",
            $"{OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding} cannot be combined with a rate ({OptionNames.TargetIops}, {OptionNames.MaxRate}), bursts, or I/Os at the same offset.",
            advice: $"Remove {OptionNames.ReadOutstanding} and {OptionNames.WriteOutstanding}, or the other options."
        );
    }

    private static void CheckAligned(OptionName option, string what, long? value, int sector)
    {
        if (value is not { } bytes || bytes % sector == 0)
            return;
        var below = bytes / sector * sector;
        throw IoBenchException.Usage(
            option == OptionNames.BlockSize ? "IoBench.InvalidBlockSize" : "IoBench.InvalidAlignment",
            $"{option.WithValue(bytes)}: with unbuffered I/O, {what} must be a multiple of the sector size ({sector} bytes).",
            advice: $"Try {(below > 0 ? $"{below} or " : "")}{below + sector}, or {OptionNames.Buffering.WithValue(IoBuffering.Both)}."
        );
    }

    private static void CheckRange(int value, int from, int to, string id, OptionName option, string what) =>
        Require(value >= from && value <= to, id, $"{option.WithValue(value)} is out of range. Use a value from {from} to {to} ({what}).");

    private static void Require(bool condition, string id, IoMessage what, IoMessage? advice = null)
    {
        if (!condition)
            throw IoBenchException.Usage(id, what, advice: advice);
    }
}
