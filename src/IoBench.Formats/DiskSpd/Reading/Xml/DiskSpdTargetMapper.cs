using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class DiskSpdTargetMapper(XmlProblemHandler problem, IoTestSpecification specification, bool randomWrites)
{
    private readonly IoPattern _pattern = CreatePattern(specification);
    private readonly IoTargetSpecification _target = new("");
    private bool _unbuffered;
    private bool _writeThrough;
    private bool _interlocked;
    private long? _random;
    private long? _stride;
    private long? _threadStride;
    private int? _randomRatio;

    private static IoPattern CreatePattern(IoTestSpecification specification)
    {
        var pattern = DiskSpdDefaults.CreatePattern();
        pattern.AffinityMode = specification.AffinityMode;
        pattern.Processors = [.. specification.Processors];
        return pattern;
    }

    internal (IoTargetSpecification, IoPattern) CreateTarget(DiskSpdXmlElement target)
    {
        foreach (var element in target.Children)
        {
            if (!TryReadLocation(element) && !TryReadLoad(element) && !TryReadCaching(element))
                problem(element.Line, $"the element <{element.Name}> is unknown");
        }
        if (_target.Path.Length == 0)
            problem(target.Line, "a target without <Path>");
        SetOrder();
        _pattern.Buffering = DiskSpdDefaults.GetBuffering(_unbuffered, _writeThrough);
        if (randomWrites && _pattern.WriteContent == IoWriteContentKind.Pattern)
            _pattern.WriteContent = IoWriteContentKind.Random;
        return (_target, _pattern);
    }

    private bool TryReadLocation(DiskSpdXmlElement element)
    {
        switch (element.Name)
        {
            case "Path":
                _target.Path = element.Text;
                return true;
            case "FileSize":
                _target.FileSize = ParseSize(element);
                return true;
            case "BaseFileOffset":
                _target.BaseOffset = ParseSize(element);
                return true;
            case "MaxFileSize":
                _target.MaxOffset = ParseSize(element) is var end and > 0 ? end : null;
                return true;
            case "BlockSize":
                _pattern.BlockSize = ParseSize(element);
                return true;
            case "Random":
                _random = ParseSize(element);
                return true;
            case "RandomRatio":
                _randomRatio = ParseInt32(element);
                return true;
            case "StrideSize":
                _stride = ParseSize(element);
                return true;
            case "InterlockedSequential":
                _interlocked = ParseBoolean(element);
                return true;
            case "ThreadStride":
                _threadStride = ParseSize(element);
                return true;
            case "Distribution":
                ReadDistribution(element);
                return true;
            case "ParallelAsyncIO":
                _pattern.ParallelSameOffset = ParseBoolean(element);
                return true;
            default:
                return false;
        }
    }

    private bool TryReadLoad(DiskSpdXmlElement element)
    {
        switch (element.Name)
        {
            case "RequestCount":
                _pattern.OutstandingIO = ParseInt32(element);
                return true;
            case "ThreadsPerFile":
                _pattern.ThreadCount = ParseInt32(element);
                return true;
            case "WriteRatio":
                _pattern.WritePercent = ParsePercent(element);
                return true;
            case "BurstSize":
                _pattern.BurstSize = ParseInt32(element);
                return true;
            case "ThinkTime":
                _pattern.ThinkTimeMs = ParseInt32(element);
                return true;
            case "Throughput":
                ReadThroughput(element);
                return true;
            case "Weight":
                _pattern.Weight = ParseInt32(element);
                return true;
            case "IOPriority":
                _pattern.Priority = element.Text switch
                {
                    "1" => IoPriority.VeryLow,
                    "2" => IoPriority.Low,
                    _ => IoPriority.Normal,
                };
                return true;
            case "ThreadTargets":
                problem(element.Line, "IoBench does not support <ThreadTargets> (targets of single threads)", isOffered: false);
                return true;
            default:
                return false;
        }
    }

    private bool TryReadCaching(DiskSpdXmlElement element)
    {
        switch (element.Name)
        {
            case "SequentialScan":
                _pattern.SequentialScanHint = ParseBoolean(element);
                return true;
            case "RandomAccess":
                _pattern.RandomAccessHint = ParseBoolean(element);
                return true;
            case "TemporaryFile":
                _pattern.TemporaryHint = ParseBoolean(element);
                return true;
            case "UseLargePages":
                _pattern.LargePages = ParseBoolean(element);
                return true;
            case "DisableOSCache":
                _unbuffered |= ParseBoolean(element);
                return true;
            case "WriteThrough":
                _writeThrough |= ParseBoolean(element);
                return true;
            case "DisableAllCache":
                if (ParseBoolean(element))
                    _unbuffered = _writeThrough = true;
                return true;
            case "DisableLocalCache":
                if (ParseBoolean(element))
                    problem(element.Line, DiskSpdSupport.RemoteCacheOnly, isOffered: false);
                return true;
            case "MemoryMappedIo":
                if (ParseBoolean(element))
                    problem(element.Line, DiskSpdSupport.MemoryMapped, isOffered: false);
                return true;
            case "FlushType":
                problem(element.Line, "IoBench does not support <FlushType> (-N, memory-mapped I/O)", isOffered: false);
                return true;
            case "BypassIO":
                new DiskSpd23ProfileMapper(specification.GetOrAddOrigin().DiskSpd!, problem).ReadBypass(element);
                return true;
            case "WriteBufferContent":
                ReadWriteContent(element);
                return true;
            default:
                return false;
        }
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
                problem(element.Line, "<WriteBufferContent> without a <Pattern> of sequential, zero, or random");
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
        var rate = DiskSpdXmlElement.ParseUInt32(element, problem);
        if (rate == 0)
            return;
        if (element.Attributes.GetValueOrDefault("unit", "BPMS") == "IOPS")
            _pattern.MaxIopsPerThread = rate;
        else
            _pattern.MaxBytesPerSecondPerThread = rate * 1000.0;
    }

    private void ReadDistribution(DiskSpdXmlElement distribution)
    {
        foreach (var kind in distribution.Children)
        {
            _pattern.DistributionIsAbsolute = kind.Name == "Absolute";
            if (kind.Name is not ("Absolute" or "Percent"))
                problem(kind.Line, $"the element <{kind.Name}> is not known");
            var ranges = new List<IoDistributionRange>();
            foreach (var range in kind.Children)
            {
                if (ToolNumberParser.ParseLeadingInt32(range.Attributes.GetValueOrDefault("IO", "")) is int share and <= 100)
                    ranges.Add(new IoDistributionRange(share, ParseSize(range)));
                else
                    problem(range.Line, "a range without its percentage of the I/Os (IO=\"0\" to \"100\")");
            }
            _pattern.Distribution = [.. _pattern.Distribution, .. ranges];
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
        problem(element.Line, $"<{element.Name}> is {value}, which is not a percentage");
        return 100;
    }

    private int ParseInt32(DiskSpdXmlElement element) => DiskSpdXmlElement.ParseInt32(element, problem);

    private long ParseSize(DiskSpdXmlElement element) => DiskSpdXmlElement.ParseSize(element, problem);

    private bool ParseBoolean(DiskSpdXmlElement element) => DiskSpdXmlElement.ParseBoolean(element, problem);
}
