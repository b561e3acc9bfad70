using System.Globalization;
using IoBench.Engine;
using static IoBench.Formats.DiskSpdCommandLine;

namespace IoBench.Formats;

/// <summary>The options of one test. <see cref="DiskSpdCallParser"/> parses the options that are also valid with a profile.</summary>
internal sealed class DiskSpdTestOptions
{
    private const int MaxIoRingBatch = 65536;
    private const int MaxCompletionDepth = 16;

    /// <summary>Options without the hyphen. The first row with a matching prefix applies.</summary>
    private static readonly (string Prefix, Action<DiskSpdTestOptions, string> Parse)[] s_options =
    [
        ("a", (o, option) => o._affinity.ParseValue(option[1..])),
        ("A", (o, option) => o.IgnoreParentProcess(option)),
        ("B", (o, option) => o.ParseBase(option)),
        ("c", (o, option) => o.ParseFileSize(option)),
        ("D", (o, option) => o.ParseInterval(option)),
        ("e", (_, option) => throw CreateTracingError(option)),
        ("f", (o, option) => o.ParseEnd(option[1..])),
        ("F", (o, option) => o._poolThreads = o.ParsePositive(option)),
        ("g", (o, option) => o.ParseLimit(option)),
        ("h", (o, option) => o.SetCaches(option == "h" ? "-h" : throw CreateUnknownError(option), true, true)),
        ("i", (o, option) => o._test.BurstSize = o.ParsePositive(option)),
        ("I", (o, option) => o.ParsePriority(option)),
        ("j", (o, option) => o._test.ThinkTimeMs = o.ParsePositive(option)),
        ("l", (o, _) => o._test.LargePages = true),
        ("L", (o, _) => o.Output.MeasureLatency = true),
        ("n", (o, _) => o._test.AffinityMode = IoAffinityMode.Off),
        (
            "N",
            (_, option) => throw CreateNotSupportedError($"-{option}: IoBench does not support memory-mapped I/O (-Sm) or its flush modes.")
        ),
        ("oc", (o, option) => o.ParseCompletionDepth(option)),
        ("o", (o, option) => o._test.OutstandingIO = o.ParsePositive(option)),
        ("O", (o, option) => o._poolOutstanding = o.ParsePositive(option)),
        ("p", (o, _) => o._test.ParallelSameOffset = true),
        ("P", (o, option) => o.Output.ProgressEvery = o.ParseNumber(option, option.Length == 1) is var every and > 0 ? every : 65536),
        ("rs", (o, option) => o.ParseRandomRatio(option)),
        ("rd", (o, option) => o.ParseDistribution(option)),
        ("r", (o, option) => o.ParseRandom(option)),
        ("s", (o, option) => o.ParseSequential(option)),
        ("S", (o, option) => o.ParseCaches(option)),
        ("t", (o, option) => o._test.ThreadCount = o.ParsePositive(option)),
        ("T", (o, option) => o.ParseThreadStride(option)),
        ("u", (o, option) => o.ParseIoRing(option)),
        ("w", (o, option) => o.ParseWritePercent(option)),
        ("x", (o, _) => o.Output.CompletionRoutines = true),
        ("y", (_, option) => throw CreateEventError(option)),
        ("Z", (o, option) => o.ParseBuffers(option)),
    ];

    private readonly IoTestSpecification _test = DiskSpdDefaults.CreateSpecification();
    private readonly DiskSpdAffinityOption _affinity;
    private bool _explicitBase;
    private bool _explicitEnd;
    private long _baseOffset;
    private long? _maxOffset;
    private bool? _unbuffered;
    private bool? _writeThrough;
    private int? _randomRatio;
    private long? _alignment;
    private long? _threadStride;
    private bool _interlocked;
    private int _poolThreads;
    private int _poolOutstanding;
    private bool _zeroBuffers;
    private bool _randomBuffers;

    internal DiskSpdTestOptions() => _affinity = new DiskSpdAffinityOption(Output);

    internal DiskSpdOptions Output => _test.GetOrAddOrigin().DiskSpd!;

    internal List<string> Notes { get; } = [];

    private DiskSpd23Options Version23 => Output.Version23 ??= new DiskSpd23Options();

    internal void ParseOption(string option)
    {
        var row = Array.FindIndex(s_options, o => option.StartsWith(o.Prefix, StringComparison.Ordinal));
        if (row < 0)
            throw CreateUnknownError(option);
        s_options[row].Parse(this, option);
    }

    internal void ParseBlockSize(string option) =>
        _test.BlockSize =
            TryParseSize(option.AsSpan(1), _test.BlockSize, out var size) && size < uint.MaxValue
                ? size
                : throw CreateInvalidError($"-{option}: the block size is invalid. Use bytes or a number with K or M, for example -b8K.");

    internal void ParseBufferSeparation(string option) =>
        Version23.SeparatesBuffers = option switch
        {
            "bsp" => true,
            "bsn" => false,
            _ => throw CreateInvalidError($"-{option}: use -bsp (each buffer on its own boundary) or -bsn (placed by the system)."),
        };

    private static IoBenchException CreateUnknownError(string option) =>
        CreateInvalidError(
            $"'-{option}' is not an option of DiskSpd 2.3.",
            advice: "Enter an option and its value without a space between them, such as -b8K."
        );

    private static IoBenchException CreateTracingError(string option) =>
        CreateNotSupportedError(
            $"-{option}: IoBench does not support Windows event tracing (ETW).",
            advice: "Remove -e. If you need a trace, record it during the test."
        );

    private static IoBenchException CreateEventError(string option) =>
        CreateNotSupportedError(
            $"-{option}: IoBench does not support named events.",
            advice: "Start and stop the tests from one script instead."
        );

    private void IgnoreParentProcess(string option)
    {
        if (option.Length == 1 || !option.Skip(1).All(char.IsAsciiDigit))
            throw CreateUnknownError(option);
        Notes.Add(
            $"-{option} is an option for CrystalDiskMark and has no effect in IoBench. With this option, DiskSpd ends when the process with this ID ends."
        );
    }

    private void ParseFileSize(string option)
    {
        _test.FileSize = ParseSize(option);
        Output.CreateFiles = true;
    }

    private void ParseBase(string option)
    {
        if (_explicitBase)
            throw CreateInvalidError($"-{option}: specify the base offset only once.");
        if (!TryParseSize(option.AsSpan(1), _test.BlockSize, out _baseOffset, out var rest))
            throw CreateInvalidError($"-{option} has no offset. Use a form such as -B1G or -B1G:10G.");
        _explicitBase = true;
        if (rest.IsEmpty)
            return;
        if (rest[0] != ':' || !TryParseSize(rest[1..], _test.BlockSize, out var length) || _baseOffset > long.MaxValue - length)
            throw CreateInvalidError($"-{option}: after the base offset, enter a colon and the length, for example -B1G:10G.");
        SetEnd(_baseOffset + length);
    }

    private void ParseEnd(string value)
    {
        if (value.Length > 0 && char.IsAsciiDigit(value[0]))
        {
            SetEnd(ParseSize("f" + value));
            return;
        }
        if (value.Length == 0)
            throw CreateInvalidError("-f requires a size (-f10G) or hints (r, s, t, for example -frs).");
        if (value.AsSpan().IndexOfAnyExcept("rst") >= 0)
            throw CreateInvalidError($"-f{value}: use a size (-f10G) or hints (r, s, t, for example -frs).");
        _test.RandomAccessHint |= value.Contains('r', StringComparison.Ordinal);
        _test.SequentialScanHint |= value.Contains('s', StringComparison.Ordinal);
        _test.TemporaryHint |= value.Contains('t', StringComparison.Ordinal);
    }

    private void SetEnd(long end)
    {
        if (_explicitEnd)
            throw CreateInvalidError("specify the end of the range only once, with -Bbase:length or with -fsize.");
        _maxOffset = end > 0 ? end : null;
        _explicitEnd = true;
    }

    private void ParseInterval(string option)
    {
        Output.GatherIops = true;
        if (ParseNumber(option, option.Length == 1) is var milliseconds and > 0)
            _test.TimelineInterval = TimeSpan.FromMilliseconds(milliseconds);
    }

    private void ParseLimit(string option)
    {
        var value = option[1..];
        if (DiskSpdCommandLine.ParseNumber(value.TrimEnd('i'), out var isPlain) is not (var limit and > 0) || !isPlain)
            throw CreateInvalidError($"-{option}: use bytes per millisecond (-g1000) or I/Os per second (-g100i), per thread and target.");
        var isIops = value.EndsWith('i');
        _test.MaxIopsPerThread = isIops ? limit : null;
        _test.MaxBytesPerSecondPerThread = isIops ? null : limit * 1000.0;
    }

    private void ParsePriority(string option) =>
        _test.Priority = ParseNumber(option) switch
        {
            1 => IoPriority.VeryLow,
            2 => IoPriority.Low,
            3 => IoPriority.Normal,
            _ => throw CreateInvalidError($"-{option}: use 1 (very low), 2 (low), or 3 (normal)."),
        };

    private void ParseCompletionDepth(string option)
    {
        var depth = DiskSpdCommandLine.ParseNumber(option.AsSpan(2), out _);
        Version23.CompletionDepth = depth is >= 1 and <= MaxCompletionDepth
            ? depth
            : throw CreateInvalidError($"-{option}: use 1 to {MaxCompletionDepth} completions, for example -oc4.");
    }

    private void ParseRandomRatio(string option)
    {
        var percent = ParseNumber(option, text: option[2..]);
        ThrowIf(percent is < 1 or > 100, $"-{option}: the percentage of random I/Os must be from 1 to 100 percent");
        ThrowIf(
            _randomRatio is null && _alignment is not null,
            $"-{option}: -s is only for sequential I/O. Specify the alignment of mixed I/O with -r"
        );
        ThrowIf(_randomRatio is not (null or 100), $"-{option}: specify the percentage of random I/Os only once");
        _randomRatio = percent;
    }

    private void ParseRandom(string option)
    {
        var alignment = option.Length > 1 ? ParseSize(option) : _test.BlockSize;
        ThrowIf(alignment == 0, $"-{option}: the alignment must be more than 0");
        ThrowIf(_randomRatio == 100 && _alignment is not null, $"-{option}: specify random I/O (-r) only once");
        ThrowIf(_alignment is not null, $"-{option}: sequential I/O (-s) conflicts with random I/O (-r, -rs)");
        _randomRatio ??= 100;
        _alignment = alignment;
    }

    private void ParseSequential(string option)
    {
        _interlocked |= option.StartsWith("si", StringComparison.Ordinal);
        var value = option.AsSpan(option.StartsWith("si", StringComparison.Ordinal) ? 2 : 1);
        ThrowIf(_randomRatio == 100, $"-{option}: sequential I/O (-s) conflicts with random I/O (-r, -rs)");
        ThrowIf(_randomRatio is not null, $"-{option}: specify the alignment of mixed I/O (-rs) with -r");
        ThrowIf(_alignment is not null, $"-{option}: specify sequential I/O (-s) only once");
        var stride = _test.BlockSize;
        ThrowIf(
            value.Length > 0 && !TryParseSize(value, _test.BlockSize, out stride),
            $"-{option}: the size of the stride is invalid. Use a form such as -s64K"
        );
        _alignment = stride;
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
                case 'y' or 'Y':
                    ThrowIf(Version23.BypassIO != DiskSpdBypass.None, "-Sy and -SY cannot be combined or repeated");
                    Version23.BypassIO = flag == 'y' ? DiskSpdBypass.Partial : DiskSpdBypass.Full;
                    break;
                case 'm':
                    throw CreateNotSupportedError($"-{option}: {DiskSpdSupport.MemoryMapped}.");
                case 'r':
                    throw CreateNotSupportedError($"-{option}: {DiskSpdSupport.RemoteCacheOnly}.", advice: "Use -Su or -Sb.");
                default:
                    throw CreateInvalidError($"-{option}: use b, h, m, r, u, w, y, or Y after -S.");
            }
        }
    }

    private void SetCaches(string option, bool? unbuffered, bool? writeThrough)
    {
        if ((unbuffered is not null && _unbuffered is not null) || (writeThrough is not null && _writeThrough is not null))
            throw CreateInvalidError($"{option} conflicts with an earlier option for caches or write-through.");
        _unbuffered = unbuffered ?? _unbuffered;
        _writeThrough = writeThrough ?? _writeThrough;
    }

    private void ParseThreadStride(string option)
    {
        _threadStride = ParseSize(option);
        ThrowIf(
            _threadStride == 0,
            $"-{option}: the distance between the first offsets of the threads must be more than 0, for example -T1M"
        );
    }

    /// <summary>Parses -u, -un, -u8, -u50p. The last batch size and the last n apply.</summary>
    private void ParseIoRing(string option)
    {
        var value = option.AsSpan(1);
        Version23.RegistersBuffers = !value.StartsWith("n");
        if (!Version23.RegistersBuffers)
            value = value[1..];
        if (value.IsEmpty)
        {
            Version23.IoRingBatchIsPercent |= Version23.IoRingBatch is null;
            Version23.IoRingBatch ??= 25;
            return;
        }
        var isPercent = value.EndsWith("p");
        var batch = DiskSpdCommandLine.ParseNumber(isPercent ? value[..^1] : value, out var isPlain);
        ThrowIf(
            !isPlain || batch < 1 || batch > (isPercent ? 100 : MaxIoRingBatch),
            $"-{option}: use a batch of 1 to {MaxIoRingBatch} I/Os (-u8), or of 1 to 100 percent of the outstanding I/Os (-u50p)"
        );
        Version23.IoRingBatch = batch;
        Version23.IoRingBatchIsPercent = isPercent;
    }

    private void ParseWritePercent(string option)
    {
        ThrowIf(option.Length == 1, "-w requires the percentage of writes, for example -w30");
        _test.WritePercent = ParseNumber(option);
        ThrowIf(_test.WritePercent is < 0 or > 100, $"-{option}: the percentage of writes must be from 0 to 100");
    }

    private void ParseBuffers(string option)
    {
        _zeroBuffers |= option == "Z";
        _randomBuffers |= option == "Zr";
        if (option is "Z" or "Zr")
            return;
        if (
            !TryParseSize(option.AsSpan(1), _test.BlockSize, out var size, out var rest)
            || size == 0
            || !(rest.IsEmpty || (rest[0] == ',' && rest.Length > 1))
        )
            throw CreateInvalidError($"-{option}: use -Z (zeros), -Zr (random), -Z1M (a size), or -Z1M,file (a size and a file).");
        _test.WriteContentSize = size;
        _test.WriteContentFile = rest.IsEmpty ? null : rest[1..].ToString();
    }

    /// <summary>Parses <c>rdpct90/10:0/10:5/20</c> or <c>rdabs90/10G:5/20G</c>.</summary>
    private void ParseDistribution(string option)
    {
        var isAbsolute = option.StartsWith("rdabs", StringComparison.Ordinal);
        if (!isAbsolute && !option.StartsWith("rdpct", StringComparison.Ordinal))
            throw CreateInvalidError($"-{option}: -rd requires pct or abs, for example -rdpct90/10:5/20.");
        _test.DistributionIsAbsolute = isAbsolute;
        _test.Distribution = option[5..].Split(':').Select(pair => ParseRange(option, pair, isAbsolute)).ToList();
        var share = _test.Distribution.Sum(r => r.IOPercent);
        var part = DiskSpdTotals.SumCounts(_test.Distribution.Select(r => r.TargetPart));
        // As in DiskSpd, the rest of a percentage distribution is a range. An absolute one needs no range for the rest.
        if (!isAbsolute && share < 100 && part < 100)
            _test.Distribution.Add(new IoDistributionRange(100 - share, 100 - part));
    }

    private IoDistributionRange ParseRange(string option, string pair, bool isAbsolute)
    {
        var slash = pair.IndexOf('/', StringComparison.Ordinal);
        if (slash < 0)
            throw CreateInvalidError($"-{option}: '{pair}' is not a pair such as 90/10.");
        var share = DiskSpdCommandLine.ParseNumber(pair.AsSpan(0, slash), out var isPlain);
        if (!isPlain || share is < 0 or > 100)
            throw CreateInvalidError($"-{option}: '{pair}': the percentage of the I/Os must be from 0 to 100 percent.");
        var isSize = TryParseSize(pair.AsSpan(slash + 1), isAbsolute ? _test.BlockSize : 1, out var part) && part > 0;
        ThrowIf(isAbsolute && !isSize, $"-{option}: '{pair}': the number after the slash must be a size greater than 0");
        ThrowIf(
            !isAbsolute && (!isSize || part > 100),
            $"-{option}: '{pair}': the number after the slash must be from 1 to 100 percent of the target"
        );
        return new IoDistributionRange(share, part);
    }

    private long ParseSize(string option) =>
        TryParseSize(option.AsSpan(1), _test.BlockSize, out var bytes)
            ? bytes
            : throw CreateInvalidError(
                $"-{option}: the size is invalid. Use bytes or a number with K, M, G, T, or b (blocks), for example -{option[0]}1G."
            );

    private int ParsePositive(string option)
    {
        var number = ParseNumber(option);
        return number > 0 ? number : throw CreateInvalidError($"-{option}: a number of 1 or more is required, for example -{option[0]}4.");
    }

    internal int ParseNumber(string option, bool mayBeEmpty = false, string? text = null)
    {
        var number = DiskSpdCommandLine.ParseNumber(text ?? option.AsSpan(1), out var isPlain);
        if (!isPlain && !mayBeEmpty)
            Notes.Add(string.Create(CultureInfo.InvariantCulture, $"-{option}: IoBench uses {number}, as DiskSpd does."));
        return number;
    }

    private void Validate()
    {
        ThrowIf(_test.AffinityMode == IoAffinityMode.Off && _affinity.IsGiven, "-n and -a cannot be used together");
        ThrowIf(_poolThreads > 0 && _test.ThreadCount > 1, "-F and -t cannot be used together");
        var limited = _test.MaxIopsPerThread is not null || _test.MaxBytesPerSecondPerThread is not null;
        ThrowIf(limited && Output.CompletionRoutines, "-g cannot be combined with completion routines (-x)");
        ThrowIf(
            (_test.BurstSize == 0) != (_test.ThinkTimeMs == 0),
            "-i (I/Os per burst) and -j (milliseconds between bursts) must be specified together"
        );
        if (_poolThreads > 0 && _poolOutstanding > 0)
        {
            ThrowIf(limited, "-g cannot be used with -O");
            ThrowIf(_test.ThinkTimeMs > 0, "-j cannot be used with -O");
            ThrowIf(_test.ParallelSameOffset, "-p cannot be used with -O");
        }
        else if (_poolOutstanding > 0)
        {
            Notes.Add("-O has no effect without -F.");
        }
        if (_randomRatio is null)
            ValidateSequential();
        ThrowIf(_randomRatio is not null && _threadStride is not null, "-T conflicts with -r");
        ThrowIf(_randomRatio is not null && _interlocked, "-si conflicts with -r");
        ThrowIf(_randomRatio is not null && _test.ParallelSameOffset, "-p conflicts with -r");
        if (Output.Version23 is { } version23)
            ValidateVersion23(version23);
        if (_test.Distribution.Count > 0)
            ValidateDistribution(_test.Distribution);
        ThrowIf(_test.WriteContentSize < _test.BlockSize, "the write buffer (-Z) is smaller than a block (-b)");
        ThrowIf(_maxOffset <= _baseOffset, "the end of the range (-f) must be after the start of the range (-B)");
    }

    private void ValidateSequential()
    {
        var severalThreads = _poolThreads > 1 || _test.ThreadCount > 1;
        ThrowIf(_test.Distribution.Count > 0, "-rd requires random I/O. Add -r");
        if (_test is { ParallelSameOffset: true, OutstandingIO: 1 })
            Notes.Add("-p has no effect unless several I/Os are outstanding (-o).");
        if (_interlocked)
        {
            ThrowIf(_threadStride is not null, "-si conflicts with -T");
            ThrowIf(_test.ParallelSameOffset, "-si conflicts with -p");
            if (!severalThreads)
                Notes.Add("-si has no effect with one thread.");
            return;
        }
        ThrowIf(!severalThreads && _threadStride is not null, "-T has no effect unless several threads use a target");
        if (severalThreads && _threadStride is null)
            Notes.Add("All threads access the same blocks in the same order, so caches serve most I/Os. Consider -si or -T.");
    }

    private void ValidateVersion23(DiskSpd23Options options)
    {
        var routines = Output.CompletionRoutines;
        ThrowIf(options.IoRingBatch is not null && routines, "IoRing (-u) cannot be combined with completion routines (-x)");
        ThrowIf(options.CompletionDepth is not null && routines, "-oc cannot be combined with completion routines (-x)");
        if (options.BypassIO == DiskSpdBypass.None)
            return;
        ThrowIf(_unbuffered != true, "BypassIO (-Sy, -SY) requires unbuffered I/O (-Su)");
        ThrowIf(_test.WritePercent > 0, "BypassIO (-Sy, -SY) is only for reads. Remove -w");
    }

    private void ValidateDistribution(List<IoDistributionRange> ranges)
    {
        var share = ranges.Sum(r => r.IOPercent);
        ThrowIf(share > 100, $"-rd: the percentages of the I/Os add up to {share}. The maximum is 100");
        if (_test.DistributionIsAbsolute)
        {
            ThrowIf(
                ranges.Exists(r => r.TargetPart < _test.BlockSize),
                $"-rd: a part of the target is smaller than a block ({new IoSize(_test.BlockSize)})"
            );
            return;
        }
        var part = DiskSpdTotals.SumCounts(ranges.Select(r => r.TargetPart));
        ThrowIf(
            part == 100 && share < 100,
            $"-rd: the parts cover the whole target, but {100 - share} percent of the I/Os are not assigned to a part"
        );
        ThrowIf(part != 100, $"-rd: the parts of the target add up to {part} percent. They must add up to 100 percent");
    }

    /// <summary>Completes the test. Call it once, after all options.</summary>
    internal IoTestSpecification ToSpecification(IReadOnlyList<string> targets, bool mayBeTemplate)
    {
        Validate();
        if (targets.Count == 0)
            throw CreateInvalidError("specify at least one file.");
        _test.Seed = 0;
        _test.ThreadTimelines = Output.GatherIops;
        _test.SharedThreadPool = _poolThreads > 0;
        if (_poolThreads > 0)
        {
            _test.ThreadCount = _poolThreads;
            _test.PoolOutstandingIO = _poolOutstanding > 0 ? _poolOutstanding : null;
        }
        _test.Buffering = DiskSpdDefaults.GetBuffering(_unbuffered ?? false, _writeThrough ?? false);
        _test.Processors = _affinity.Processors;
        SetOrder();
        SetContent();
        foreach (var path in targets)
            _test.Targets.Add(CreateTarget(path, mayBeTemplate));
        return _test;
    }

    private IoTargetSpecification CreateTarget(string path, bool mayBeTemplate)
    {
        if (path.StartsWith('*') && !mayBeTemplate)
            throw CreateInvalidError($"'{path}' is a template target. Use template targets only in a profile (-X).");
        var device = DiskSpdCommandLine.GetDevicePath(path);
        if (device is not null && _test.FileSize is not null)
            throw CreateInvalidError($"-c creates files, and '{path}' is not a file.");
        return new IoTargetSpecification(device ?? path) { BaseOffset = _baseOffset, MaxOffset = _maxOffset };
    }

    private void SetOrder()
    {
        _test.AccessPattern = _randomRatio switch
        {
            100 => IoAccessPattern.Random,
            not null => IoAccessPattern.PartRandom,
            _ => _interlocked ? IoAccessPattern.Interlocked : IoAccessPattern.Sequential,
        };
        _test.RandomPercent = _randomRatio ?? 100;
        _test.ThreadStride = _test.AccessPattern == IoAccessPattern.Sequential ? _threadStride ?? 0 : null;
        DiskSpdDefaults.SetAlignment(_test, _alignment ?? _test.BlockSize);
    }

    /// <summary>As in DiskSpd, a buffer (-Zsize) takes precedence over zeros (-Z), and zeros over random content (-Zr).</summary>
    private void SetContent()
    {
        if (_test.WriteContentSize is not null)
            _test.WriteContent = _test.WriteContentFile is null ? IoWriteContentKind.Random : IoWriteContentKind.File;
        else if (_zeroBuffers)
            _test.WriteContent = IoWriteContentKind.Zero;
        else if (_randomBuffers)
            _test.WriteContent = IoWriteContentKind.Random;
    }
}
