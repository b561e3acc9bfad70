using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdCallOptions
{
    private bool _explicitBase;
    private bool _explicitEnd;
    private bool? _unbuffered;
    private bool? _writeThrough;
    private int? _randomRatio;
    private long? _alignment;

    internal long BlockSize { get; set; } = 64 * 1024;
    internal int Threads { get; private set; } = 1;
    internal int PoolThreads { get; private set; }
    internal int PoolOutstanding { get; private set; }
    internal int Outstanding { get; private set; } = 2;
    internal int WritePercent { get; private set; }
    internal int RandomRatio => _randomRatio ?? 0;
    internal bool Interlocked { get; private set; }
    internal long Alignment => _alignment ?? BlockSize;
    internal long? ThreadStride { get; private set; }
    internal long BaseOffset { get; private set; }
    internal long? MaxOffset { get; private set; }
    internal long? FileSize { get; private set; }
    internal List<IoDistributionRange> Distribution { get; private set; } = [];
    internal bool DistributionIsAbsolute { get; private set; }
    internal bool Unbuffered => _unbuffered ?? false;
    internal bool WriteThrough => _writeThrough ?? false;
    internal int? Burst { get; private set; }
    internal int? ThinkTime { get; private set; }
    internal int? IopsLimit { get; private set; }
    internal int? BytesPerMillisecondLimit { get; private set; }
    internal DiskSpd23CallOptions Version23 { get; } = new();
    internal bool NoAffinity { get; private set; }
    internal IoPriority Priority { get; private set; } = IoPriority.Normal;
    internal bool LargePages { get; private set; }
    internal bool SequentialHint { get; private set; }
    internal bool RandomHint { get; private set; }
    internal bool TemporaryHint { get; private set; }
    internal bool Parallel { get; private set; }
    internal bool ZeroBuffers { get; private set; }
    internal bool RandomBuffers { get; private set; }
    internal long? BufferSize { get; private set; }
    internal string? BufferFile { get; private set; }
    internal int? IopsInterval { get; private set; }
    internal DiskSpdOptions OutputOptions { get; } = new();
    internal List<string> Notes { get; } = [];

    /// <summary>Without the hyphen. <see cref="DiskSpdCallParser"/> parses the options that are also valid with a profile.</summary>
    internal void ParseOption(string option)
    {
        var value = option[1..];
        switch (option[0])
        {
            case 'a':
                Version23.ParseAffinity(value);
                break;
            case 'A' when value.Length > 0 && value.All(char.IsAsciiDigit):
                Notes.Add($"-{option} is an option of CrystalDiskMark (DiskSpd ends with this process) and has no effect.");
                break;
            case 'B':
                ParseBase(value);
                break;
            case 'c':
                FileSize = ParseSize(option);
                OutputOptions.CreateFiles = true;
                break;
            case 'D':
                ParseInterval(option);
                break;
            case 'e':
                throw DiskSpdArguments.CreateNotSupportedError(
                    $"-{option}: IoBench does not support Windows event tracing (ETW).",
                    advice: "Remove -e. If you need a trace, record it during the test."
                );
            case 'f':
                ParseEnd(value);
                break;
            case 'F':
                PoolThreads = ParsePositive(option);
                break;
            case 'g':
                ParseLimit(option);
                break;
            case 'h' when value.Length == 0:
                SetCaches("-h", true, true);
                break;
            case 'i':
                Burst = ParsePositive(option);
                break;
            case 'I':
                ParsePriority(option);
                break;
            case 'j':
                ThinkTime = ParsePositive(option);
                break;
            case 'l':
                LargePages = true;
                break;
            case 'L':
                OutputOptions.MeasureLatency = true;
                break;
            case 'n':
                NoAffinity = true;
                break;
            case 'N':
                throw DiskSpdArguments.CreateNotSupportedError(
                    $"-{option}: IoBench does not support memory-mapped I/O (-Sm) or its flush modes."
                );
            case 'o' when value.StartsWith('c'):
                Version23.ParseCompletionDepth(option);
                break;
            case 'o':
                Outstanding = ParsePositive(option);
                break;
            case 'O':
                PoolOutstanding = ParsePositive(option);
                break;
            case 'p':
                Parallel = true;
                break;
            case 'P':
                var every = ParseNumber(option, value.Length == 0);
                OutputOptions.ProgressEvery = every > 0 ? every : 65536;
                break;
            case 'r' when value.StartsWith('s'):
                ParseRandomRatio(option);
                break;
            case 'r' when value.StartsWith('d'):
                (Distribution, DistributionIsAbsolute) = DiskSpdDistributionOption.Parse(option, value[1..], BlockSize);
                break;
            case 'r':
                ParseRandom(option);
                break;
            case 's':
                ParseSequential(option);
                break;
            case 'S':
                ParseCaches(option);
                break;
            case 't':
                Threads = ParsePositive(option);
                break;
            case 'T':
                ThreadStride = ParseSize(option) is var stride and > 0
                    ? stride
                    : throw DiskSpdArguments.CreateInvalidError(
                        $"-{option}: the distance between threads must be more than 0, for example -T1M."
                    );
                break;
            case 'u':
                Version23.ParseIoRing(option);
                break;
            case 'w':
                ParseWritePercent(option);
                break;
            case 'x':
                OutputOptions.CompletionRoutines = true;
                break;
            case 'y':
                throw DiskSpdArguments.CreateNotSupportedError(
                    $"-{option}: IoBench does not support named events.",
                    advice: "Start and stop the tests from one script instead."
                );
            case 'Z':
                ParseBuffers(option);
                break;
            default:
                throw DiskSpdArguments.CreateInvalidError(
                    $"'-{option}' is not an option of DiskSpd 2.3.",
                    advice: "Write an option and its value as one word, such as -b8K."
                );
        }
    }

    private void ParseBase(string value)
    {
        if (_explicitBase)
            throw DiskSpdArguments.CreateInvalidError($"-B{value}: specify the base offset only once.");
        if (!DiskSpdArguments.TryParseSize(value, BlockSize, out var start, out var rest))
            throw DiskSpdArguments.CreateInvalidError($"-B{value} has no offset. Use a form such as -B1G or -B1G:10G.");
        BaseOffset = start;
        _explicitBase = true;
        if (rest.IsEmpty)
            return;
        if (rest[0] != ':' || !DiskSpdArguments.TryParseSize(rest[1..], BlockSize, out var length) || start > long.MaxValue - length)
            throw DiskSpdArguments.CreateInvalidError(
                $"-B{value}: specify the length after the base offset and a colon, for example -B1G:10G."
            );
        SetEnd(start + length);
    }

    private void ParseEnd(string value)
    {
        if (value.Length > 0 && char.IsAsciiDigit(value[0]))
        {
            SetEnd(ParseSize("f" + value));
            return;
        }
        foreach (var hint in value)
        {
            switch (hint)
            {
                case 'r':
                    RandomHint = true;
                    break;
                case 's':
                    SequentialHint = true;
                    break;
                case 't':
                    TemporaryHint = true;
                    break;
                default:
                    throw DiskSpdArguments.CreateInvalidError($"-f{value}: use a size (-f10G) or hints (r, s, t, for example -frs).");
            }
        }
        if (value.Length == 0)
            throw DiskSpdArguments.CreateInvalidError("-f requires a size (-f10G) or hints (r, s, t, for example -frs).");
    }

    private void SetEnd(long end)
    {
        if (_explicitEnd)
            throw DiskSpdArguments.CreateInvalidError("specify the end of the range only once, with -Bbase:length or with -fsize.");
        MaxOffset = end > 0 ? end : null;
        _explicitEnd = true;
    }

    private void ParseInterval(string option)
    {
        OutputOptions.GatherIops = true;
        var milliseconds = ParseNumber(option, option.Length == 1);
        if (milliseconds > 0)
            IopsInterval = milliseconds;
    }

    private void ParseLimit(string option)
    {
        var value = option[1..];
        var isIops = value.EndsWith('i');
        if (DiskSpdArguments.ParseNumber(value.TrimEnd('i'), out var isPlain) is not (var limit and > 0) || !isPlain)
            throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: use bytes per millisecond (-g1000) or I/Os per second (-g100i), per thread and target."
            );
        IopsLimit = isIops ? limit : null;
        BytesPerMillisecondLimit = isIops ? null : limit;
    }

    private void ParsePriority(string option) =>
        Priority = ParseNumber(option) switch
        {
            1 => IoPriority.VeryLow,
            2 => IoPriority.Low,
            3 => IoPriority.Normal,
            _ => throw DiskSpdArguments.CreateInvalidError($"-{option}: use 1 (very low), 2 (low), or 3 (normal)."),
        };

    private void ParseRandomRatio(string option)
    {
        var percent = ParseNumber(option, text: option[2..]);
        if (percent is < 1 or > 100)
            throw DiskSpdArguments.CreateInvalidError($"-{option}: the percentage of random I/Os must be from 1 to 100 percent.");
        if (_randomRatio is null && _alignment is not null)
            throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: -s is only for sequential I/O. Specify the alignment of mixed I/O with -r."
            );
        if (_randomRatio is not (null or 100))
            throw DiskSpdArguments.CreateInvalidError($"-{option}: specify the percentage of random I/Os only once.");
        _randomRatio = percent;
    }

    private void ParseRandom(string option)
    {
        var alignment = option.Length > 1 ? ParseSize(option) : BlockSize;
        if (alignment == 0)
            throw DiskSpdArguments.CreateInvalidError($"-{option}: the alignment must be more than 0.");
        if (_randomRatio == 100 && _alignment is not null)
            throw DiskSpdArguments.CreateInvalidError($"-{option}: specify random I/O (-r) only once.");
        if (_alignment is not null)
            throw DiskSpdArguments.CreateInvalidError($"-{option}: sequential I/O (-s) conflicts with random I/O (-r, -rs).");
        _randomRatio ??= 100;
        _alignment = alignment;
    }

    private void ParseSequential(string option)
    {
        var value = option[1..];
        if (value.StartsWith('i'))
        {
            Interlocked = true;
            value = value[1..];
        }
        if (_randomRatio is not null)
        {
            throw DiskSpdArguments.CreateInvalidError(
                _randomRatio == 100
                    ? $"-{option}: sequential I/O (-s) conflicts with random I/O (-r, -rs)."
                    : $"-{option}: Specify the alignment of mixed I/O (-rs) with -r."
            );
        }
        if (_alignment is not null)
            throw DiskSpdArguments.CreateInvalidError($"-{option}: specify sequential I/O (-s) only once.");
        _alignment =
            value.Length == 0 ? BlockSize
            : DiskSpdArguments.TryParseSize(value, BlockSize, out var stride) ? stride
            : throw DiskSpdArguments.CreateInvalidError($"-{option}: the stride has no size. Use a form such as -s64K.");
    }

    private void ParseCaches(string option)
    {
        if (option.Length == 1)
            SetCaches("-S", true, null);
        foreach (var flag in option.AsSpan(1))
        {
            switch (flag)
            {
                case 'b':
                    SetCaches("-Sb", false, null);
                    break;
                case 'h':
                    SetCaches("-Sh", true, true);
                    break;
                case 'u':
                    SetCaches("-Su", true, null);
                    break;
                case 'w':
                    SetCaches("-Sw", null, true);
                    break;
                case 'y':
                    Version23.SetBypass(DiskSpdBypass.Partial);
                    break;
                case 'Y':
                    Version23.SetBypass(DiskSpdBypass.Full);
                    break;
                case 'm':
                    throw DiskSpdArguments.CreateNotSupportedError($"-{option}: {DiskSpdSupport.MemoryMapped}.");
                case 'r':
                    throw DiskSpdArguments.CreateNotSupportedError(
                        $"-{option}: IoBench does not support the cache of a remote server without the local cache (-Sr).",
                        advice: "Use -Su or -Sb."
                    );
                default:
                    throw DiskSpdArguments.CreateInvalidError($"-{option}: use b, h, m, r, u, w, y, or Y after -S.");
            }
        }
    }

    private void SetCaches(string option, bool? unbuffered, bool? writeThrough)
    {
        if ((unbuffered is not null && _unbuffered is not null) || (writeThrough is not null && _writeThrough is not null))
            throw DiskSpdArguments.CreateInvalidError($"{option} conflicts with an earlier option for caches or write-through.");
        _unbuffered = unbuffered ?? _unbuffered;
        _writeThrough = writeThrough ?? _writeThrough;
    }

    private void ParseWritePercent(string option)
    {
        if (option.Length == 1)
            throw DiskSpdArguments.CreateInvalidError("-w requires the percentage of writes, for example -w30.");
        if (ParseNumber(option) is not (var percent and >= 0 and <= 100))
            throw DiskSpdArguments.CreateInvalidError($"-{option}: the percentage of writes must be from 0 to 100.");
        WritePercent = percent;
    }

    private void ParseBuffers(string option)
    {
        var value = option[1..];
        switch (value)
        {
            case "":
                ZeroBuffers = true;
                return;
            case "r":
                RandomBuffers = true;
                return;
        }
        if (
            !DiskSpdArguments.TryParseSize(value, BlockSize, out var size, out var rest)
            || size == 0
            || !(rest.IsEmpty || (rest[0] == ',' && rest.Length > 1))
        )
            throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: use -Z (zeros), -Zr (random), -Z1M (a size), or -Z1M,file (a size and a file)."
            );
        BufferSize = size;
        BufferFile = rest.IsEmpty ? null : rest[1..].ToString();
    }

    private long ParseSize(string option) =>
        DiskSpdArguments.TryParseSize(option.AsSpan(1), BlockSize, out var bytes)
            ? bytes
            : throw DiskSpdArguments.CreateInvalidError(
                $"-{option}: the size is invalid. Use bytes or a number with K, M, G, T, or b (blocks), for example -{option[0]}1G."
            );

    private int ParsePositive(string option)
    {
        var number = ParseNumber(option);
        return number > 0
            ? number
            : throw DiskSpdArguments.CreateInvalidError($"-{option}: a number of 1 or more is required, for example -{option[0]}4.");
    }

    internal int ParseNumber(string option, bool mayBeEmpty = false, string? text = null)
    {
        var number = DiskSpdArguments.ParseNumber(text ?? option.AsSpan(1), out var isPlain);
        if (!isPlain && !mayBeEmpty)
            Notes.Add(string.Create(CultureInfo.InvariantCulture, $"-{option}: the value counts as {number}, as in DiskSpd."));
        return number;
    }

    internal static void Validate(DiskSpdCallOptions o)
    {
        DiskSpdArguments.ThrowIf(o.NoAffinity && o.Version23.Affinity.IsGiven, "-n and -a cannot be used together");
        DiskSpdArguments.ThrowIf(o.PoolThreads > 0 && o.Threads > 1, "-F and -t cannot be used together");
        var limited = o.IopsLimit is not null || o.BytesPerMillisecondLimit is not null;
        DiskSpdArguments.ThrowIf(limited && o.OutputOptions.CompletionRoutines, "-g cannot be combined with completion routines (-x)");
        DiskSpdArguments.ThrowIf(
            o.Burst is null != o.ThinkTime is null,
            "-i (I/Os per burst) and -j (milliseconds between bursts) require each other"
        );
        if (o.PoolThreads > 0 && o.PoolOutstanding > 0)
        {
            DiskSpdArguments.ThrowIf(limited, "-g cannot be used with -O");
            DiskSpdArguments.ThrowIf(o.ThinkTime is not null, "-j cannot be used with -O");
            DiskSpdArguments.ThrowIf(o.Parallel, "-p cannot be used with -O");
        }
        else if (o.PoolOutstanding > 0)
        {
            o.Notes.Add("-O has no effect without -F.");
        }
        if (o.RandomRatio > 0)
        {
            DiskSpdArguments.ThrowIf(o.ThreadStride is not null, "-T conflicts with -r");
            DiskSpdArguments.ThrowIf(o.Interlocked, "-si conflicts with -r");
            DiskSpdArguments.ThrowIf(o.Parallel, "-p conflicts with -r");
        }
        else
        {
            ValidateSequential(o);
        }
        o.Version23.Validate(o);
        DiskSpdDistributionOption.Validate(o.Distribution, o.DistributionIsAbsolute, o.BlockSize);
        DiskSpdArguments.ThrowIf(o.BufferSize < o.BlockSize, "the write buffer (-Z) is smaller than a block (-b)");
        DiskSpdArguments.ThrowIf(o.MaxOffset <= o.BaseOffset, "the end of the range (-f) must be after its start (-B)");
    }

    private static void ValidateSequential(DiskSpdCallOptions o)
    {
        var severalThreads = o.PoolThreads > 1 || o.Threads > 1;
        DiskSpdArguments.ThrowIf(o.Distribution.Count > 0, "-rd requires random I/O. Add -r");
        if (o.Parallel && o.Outstanding == 1)
            o.Notes.Add("-p has no effect unless several I/Os are outstanding (-o).");
        if (o.Interlocked)
        {
            DiskSpdArguments.ThrowIf(o.ThreadStride is not null, "-si conflicts with -T");
            DiskSpdArguments.ThrowIf(o.Parallel, "-si conflicts with -p");
            if (!severalThreads)
                o.Notes.Add("-si has no effect with one thread.");
            return;
        }
        DiskSpdArguments.ThrowIf(!severalThreads && o.ThreadStride is not null, "-T has no effect unless several threads use a target");
        if (severalThreads && o.ThreadStride is null)
            o.Notes.Add("All threads use the same blocks one after the other, so caches serve most I/Os. Consider -si or -T.");
    }

    internal IoTestSpecification ToSpecification(
        IReadOnlyList<string> targets,
        bool mayBeTemplate,
        int? duration,
        int? warmUp,
        int? coolDown,
        uint seed
    )
    {
        var specification = DiskSpdDefaults.CreateSpecification();
        specification.GetOrAddOrigin().DiskSpd = OutputOptions with { Version23 = Version23.Options };
        specification.ThreadTimelines = OutputOptions.GatherIops;
        specification.Duration = TimeSpan.FromSeconds(duration ?? 10);
        specification.WarmUp = TimeSpan.FromSeconds(warmUp ?? 5);
        specification.CoolDown = TimeSpan.FromSeconds(coolDown ?? 0);
        specification.Seed = seed;
        specification.FileSize = FileSize;
        if (IopsInterval is { } interval)
            specification.TimelineInterval = TimeSpan.FromMilliseconds(interval);
        specification.SharedThreadPool = PoolThreads > 0;
        specification.PoolOutstandingIO = PoolThreads > 0 && PoolOutstanding > 0 ? PoolOutstanding : null;
        SetPattern(specification);
        foreach (var path in targets)
            specification.Targets.Add(CreateTarget(path, mayBeTemplate));
        return specification;
    }

    private IoTargetSpecification CreateTarget(string path, bool mayBeTemplate)
    {
        if (path.StartsWith('*') && !mayBeTemplate)
            throw DiskSpdArguments.CreateInvalidError($"'{path}' is a template target. Use template targets only in a profile (-X).");
        var device = DiskSpdCommandLine.GetDevicePath(path);
        if (device is not null && FileSize is not null)
            throw DiskSpdArguments.CreateInvalidError($"-c creates files, and '{path}' is not a file.");
        return new IoTargetSpecification(device ?? path) { BaseOffset = BaseOffset, MaxOffset = MaxOffset };
    }

    private void SetPattern(IoPattern p)
    {
        p.BlockSize = BlockSize;
        p.ThreadCount = PoolThreads > 0 ? PoolThreads : Threads;
        p.OutstandingIO = Outstanding;
        p.WritePercent = WritePercent;
        p.Buffering = DiskSpdDefaults.GetBuffering(Unbuffered, WriteThrough);
        p.BurstSize = Burst ?? 0;
        p.ThinkTimeMs = ThinkTime ?? 0;
        p.MaxIopsPerThread = IopsLimit;
        p.MaxBytesPerSecondPerThread = BytesPerMillisecondLimit * 1000.0;
        p.AffinityMode = NoAffinity ? IoAffinityMode.Off : IoAffinityMode.RoundRobin;
        p.Processors = [.. Version23.Affinity.Processors];
        p.Priority = Priority;
        p.LargePages = LargePages;
        p.SequentialScanHint = SequentialHint;
        p.RandomAccessHint = RandomHint;
        p.TemporaryHint = TemporaryHint;
        p.ParallelSameOffset = Parallel;
        p.Distribution = [.. Distribution];
        p.DistributionIsAbsolute = DistributionIsAbsolute;
        SetOrder(p);
        SetContent(p);
    }

    private void SetOrder(IoPattern p)
    {
        p.AccessPattern = RandomRatio switch
        {
            100 => IoAccessPattern.Random,
            > 0 => IoAccessPattern.PartRandom,
            _ => Interlocked ? IoAccessPattern.Interlocked : IoAccessPattern.Sequential,
        };
        p.RandomPercent = p.AccessPattern == IoAccessPattern.PartRandom ? RandomRatio : 100;
        p.ThreadStride = p.AccessPattern == IoAccessPattern.Sequential ? ThreadStride ?? 0 : null;
        DiskSpdDefaults.SetAlignment(p, Alignment);
    }

    private void SetContent(IoPattern p)
    {
        // As in DiskSpd, a buffer (-Zsize) takes precedence over zeros (-Z), and zeros over random content (-Zr).
        p.WriteContentSize = BufferSize;
        p.WriteContentFile = BufferFile;
        if (BufferSize is not null)
            p.WriteContent = BufferFile is null ? IoWriteContentKind.Random : IoWriteContentKind.File;
        else if (ZeroBuffers)
            p.WriteContent = IoWriteContentKind.Zero;
        else if (RandomBuffers)
            p.WriteContent = IoWriteContentKind.Random;
    }
}
