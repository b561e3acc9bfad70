using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdTargetMapper
{
    private static readonly Dictionary<string, Action<DiskSpdTargetMapper, DiskSpdXmlElement>> s_elements = new()
    {
        ["Path"] = (m, e) => m._target.Path = e.Text,
        ["FileSize"] = (m, e) => m._target.FileSize = m.ParseSize(e),
        ["BaseFileOffset"] = (m, e) => m._target.BaseOffset = m.ParseSize(e),
        ["MaxFileSize"] = (m, e) => m._target.MaxOffset = m.ParseSize(e) is var end and > 0 ? end : null,
        ["BlockSize"] = (m, e) => m._pattern.BlockSize = m.ParseSize(e),
        ["Random"] = (m, e) => m._random = m.ParseSize(e),
        ["RandomRatio"] = (m, e) => m._randomRatio = m.ParseInt32(e),
        ["StrideSize"] = (m, e) => m._stride = m.ParseSize(e),
        ["InterlockedSequential"] = (m, e) => m._interlocked = m.ParseBoolean(e),
        ["ThreadStride"] = (m, e) => m._threadStride = m.ParseSize(e),
        ["Distribution"] = (m, e) => e.Children.ForEach(m.ReadDistribution),
        ["ParallelAsyncIO"] = (m, e) => m._pattern.ParallelSameOffset = m.ParseBoolean(e),
        ["RequestCount"] = (m, e) => m._pattern.OutstandingIO = m.ParseInt32(e),
        ["ThreadsPerFile"] = (m, e) => m._pattern.ThreadCount = m.ParseInt32(e),
        ["WriteRatio"] = (m, e) => m._pattern.WritePercent = m.ParsePercent(e),
        ["BurstSize"] = (m, e) => m._pattern.BurstSize = m.ParseInt32(e),
        ["ThinkTime"] = (m, e) => m._pattern.ThinkTimeMs = m.ParseInt32(e),
        ["Throughput"] = (m, e) => m.ReadThroughput(e),
        ["Weight"] = (m, e) => m._pattern.Weight = m.ParseInt32(e),
        ["IOPriority"] = (m, e) => m._pattern.Priority = ParsePriority(e.Text),
        ["ThreadTargets"] = (m, e) => m.ReportNotSupported(e, "IoBench does not support <ThreadTargets> (targets of individual threads)"),
        ["SequentialScan"] = (m, e) => m._pattern.SequentialScanHint = m.ParseBoolean(e),
        ["RandomAccess"] = (m, e) => m._pattern.RandomAccessHint = m.ParseBoolean(e),
        ["TemporaryFile"] = (m, e) => m._pattern.TemporaryHint = m.ParseBoolean(e),
        ["UseLargePages"] = (m, e) => m._pattern.LargePages = m.ParseBoolean(e),
        ["DisableOSCache"] = (m, e) => m._unbuffered |= m.ParseBoolean(e),
        ["WriteThrough"] = (m, e) => m._writeThrough |= m.ParseBoolean(e),
        ["DisableAllCache"] = (m, e) => m.DisableCaches(m.ParseBoolean(e)),
        ["DisableLocalCache"] = (m, e) => m.ReportIfSet(e, DiskSpdSupport.RemoteCacheOnly),
        ["MemoryMappedIo"] = (m, e) => m.ReportIfSet(e, DiskSpdSupport.MemoryMapped),
        ["FlushType"] = (m, e) => m.ReportNotSupported(e, "IoBench does not support <FlushType> (-N, memory-mapped I/O)"),
        ["BypassIO"] = (m, e) => m.ReadBypass(e),
        ["WriteBufferContent"] = (m, e) => m.ReadWriteContent(e),
    };

    private readonly XmlProblemHandler _problem;
    private readonly IoTestSpecification _test;
    private readonly bool _randomWrites;
    private readonly IoPattern _pattern = DiskSpdDefaults.CreatePattern();
    private readonly IoTargetSpecification _target = new("");
    private bool _unbuffered;
    private bool _writeThrough;
    private bool _interlocked;
    private long? _random;
    private long? _stride;
    private long? _threadStride;
    private int? _randomRatio;

    internal DiskSpdTargetMapper(XmlProblemHandler problem, IoTestSpecification test, bool randomWrites)
    {
        _problem = problem;
        _test = test;
        _randomWrites = randomWrites;
        _pattern.AffinityMode = test.AffinityMode;
        _pattern.Processors = [.. test.Processors];
    }

    internal (IoTargetSpecification, IoPattern) CreateTarget(DiskSpdXmlElement target)
    {
        foreach (var element in target.Children)
        {
            if (s_elements.TryGetValue(element.Name, out var read))
                read(this, element);
            else
                _problem(element.Line, $"the element <{element.Name}> is unknown");
        }
        if (_target.Path.Length == 0)
            _problem(target.Line, "the <Target> has no <Path>");
        SetOrder();
        _pattern.Buffering = DiskSpdDefaults.GetBuffering(_unbuffered, _writeThrough);
        if (_randomWrites && _pattern.WriteContent == IoWriteContentKind.Pattern)
            _pattern.WriteContent = IoWriteContentKind.Random;
        return (_target, _pattern);
    }

    private static IoPriority ParsePriority(string text) =>
        text switch
        {
            "1" => IoPriority.VeryLow,
            "2" => IoPriority.Low,
            _ => IoPriority.Normal,
        };

    private void DisableCaches(bool isSet)
    {
        _unbuffered |= isSet;
        _writeThrough |= isSet;
    }

    /// <summary>If targets differ, the strictest requirement applies.</summary>
    private void ReadBypass(DiskSpdXmlElement element)
    {
        var options = _test.GetOrAddOrigin().DiskSpd!.Version23 ??= new DiskSpd23Options();
        var bypass = 1 + element.ParseWord(element.Text, _problem, "Partial", "Full");
        options.BypassIO = (DiskSpdBypass)Math.Max((int)options.BypassIO, bypass);
    }

    private void ReadWriteContent(DiskSpdXmlElement element)
    {
        switch (element.GetText("Pattern"))
        {
            case "sequential":
                _pattern.WriteContent = IoWriteContentKind.Pattern;
                break;
            case "zero":
                _pattern.WriteContent = IoWriteContentKind.Zero;
                break;
            case "random":
                _pattern.WriteContent = IoWriteContentKind.Random;
                if (element["RandomDataSource"] is { } source)
                    ReadSource(source);
                break;
            default:
                _problem(element.Line, "the <Pattern> in <WriteBufferContent> must be sequential, zero, or random");
                break;
        }
    }

    private void ReadSource(DiskSpdXmlElement source)
    {
        if (source["SizeInBytes"] is { } size)
            _pattern.WriteContentSize = ParseSize(size);
        if (source.GetText("FilePath") is not { Length: > 0 } file)
            return;
        _pattern.WriteContent = IoWriteContentKind.File;
        _pattern.WriteContentFile = file;
    }

    private void ReadThroughput(DiskSpdXmlElement element)
    {
        var rate = element.ParseUInt32(_problem);
        if (rate == 0)
            return;
        if (element.GetAttribute("unit") == "IOPS")
            _pattern.MaxIopsPerThread = rate;
        else
            _pattern.MaxBytesPerSecondPerThread = rate * 1000.0;
    }

    private void ReadDistribution(DiskSpdXmlElement kind)
    {
        _pattern.DistributionIsAbsolute = kind.Name == "Absolute";
        if (kind.Name is not ("Absolute" or "Percent"))
            _problem(kind.Line, $"the element <{kind.Name}> is not known");
        foreach (var range in kind.Children)
        {
            if (ToolNumberParser.ParseLeadingInt32(range.GetAttribute("IO")) is int share and <= 100)
                _pattern.Distribution.Add(new IoDistributionRange(share, ParseSize(range)));
            else
                _problem(range.Line, "a range requires its percentage of the I/Os (IO=\"0\" to \"100\")");
        }
    }

    private void SetOrder()
    {
        if (_random is > 0)
        {
            _pattern.AccessPattern = _randomRatio is > 0 and < 100 ? IoAccessPattern.PartRandom : IoAccessPattern.Random;
            _pattern.RandomPercent = _pattern.AccessPattern == IoAccessPattern.PartRandom ? _randomRatio!.Value : 100;
        }
        else
        {
            _pattern.AccessPattern = _interlocked ? IoAccessPattern.Interlocked : IoAccessPattern.Sequential;
        }
        _pattern.ThreadStride = _pattern.AccessPattern == IoAccessPattern.Sequential ? _threadStride ?? 0 : null;
        if ((_random is > 0 ? _random : _stride) is long alignment)
            DiskSpdDefaults.SetAlignment(_pattern, alignment);
    }

    private int ParsePercent(DiskSpdXmlElement element)
    {
        var value = ParseInt32(element);
        if (value <= 100)
            return value;
        _problem(element.Line, $"<{element.Name}> is {value}, which is not a percentage");
        return 100;
    }

    private void ReportIfSet(DiskSpdXmlElement element, string what)
    {
        if (ParseBoolean(element))
            ReportNotSupported(element, what);
    }

    private void ReportNotSupported(DiskSpdXmlElement element, string what) => _problem(element.Line, what, isOffered: false);

    private int ParseInt32(DiskSpdXmlElement element) => element.ParseInt32(_problem);

    private long ParseSize(DiskSpdXmlElement element) => element.ParseSize(_problem);

    private bool ParseBoolean(DiskSpdXmlElement element) => element.ParseBoolean(_problem);
}
