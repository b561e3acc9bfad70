using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class TargetMapper(XmlProblem problem, IoTestSpecification specification, bool randomWrites)
{
    private readonly IoPattern _pattern = NewPattern(specification);
    private readonly IoTargetSpecification _target = new("");
    private bool _unbuffered;
    private bool _writeThrough;
    private bool _interlocked;
    private long? _random;
    private long? _stride;
    private long? _threadStride;
    private int? _randomRatio;

    private static IoPattern NewPattern(IoTestSpecification specification)
    {
        var pattern = PatternTools.NewDefault();
        pattern.AffinityMode = specification.AffinityMode;
        pattern.Processors = [.. specification.Processors];
        return pattern;
    }

    internal (IoTargetSpecification, IoPattern) Map(XmlTree target)
    {
        foreach (var element in target.Children)
        {
            if (!TakePlace(element) && !TakeLoad(element) && !TakeCaching(element))
                problem(element.Line, $"the element <{element.Name}> is not known");
        }
        if (_target.Path.Length == 0)
            problem(target.Line, "a target without <Path>");
        SetOrder();
        _pattern.Buffering = PatternTools.Buffering(_unbuffered, _writeThrough);
        if (randomWrites && _pattern.WriteContent == IoWriteContentKind.Pattern)
            _pattern.WriteContent = IoWriteContentKind.Random;
        return (_target, _pattern);
    }

    private bool TakePlace(XmlTree element)
    {
        switch (element.Name)
        {
            case "Path":
                _target.Path = element.Text;
                return true;
            case "FileSize":
                _target.FileSize = Size(element);
                return true;
            case "BaseFileOffset":
                _target.BaseOffset = Size(element);
                return true;
            case "MaxFileSize":
                _target.MaxOffset = Size(element) is var end and > 0 ? end : null;
                return true;
            case "BlockSize":
                _pattern.BlockSize = Size(element);
                return true;
            case "Random":
                _random = Size(element);
                return true;
            case "RandomRatio":
                _randomRatio = Int(element);
                return true;
            case "StrideSize":
                _stride = Size(element);
                return true;
            case "InterlockedSequential":
                _interlocked = Flag(element);
                return true;
            case "ThreadStride":
                _threadStride = Size(element);
                return true;
            case "Distribution":
                TakeDistribution(element);
                return true;
            case "ParallelAsyncIO":
                _pattern.ParallelSameOffset = Flag(element);
                return true;
            default:
                return false;
        }
    }

    private bool TakeLoad(XmlTree element)
    {
        switch (element.Name)
        {
            case "RequestCount":
                _pattern.OutstandingIO = Int(element);
                return true;
            case "ThreadsPerFile":
                _pattern.ThreadCount = Int(element);
                return true;
            case "WriteRatio":
                _pattern.WritePercent = Percent(element);
                return true;
            case "BurstSize":
                _pattern.BurstSize = Int(element);
                return true;
            case "ThinkTime":
                _pattern.ThinkTimeMs = Int(element);
                return true;
            case "Throughput":
                TakeThroughput(element);
                return true;
            case "Weight":
                _pattern.Weight = Int(element);
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
                problem(element.Line, "<ThreadTargets> (targets of single threads) is not offered", isOffered: false);
                return true;
            default:
                return false;
        }
    }

    private bool TakeCaching(XmlTree element)
    {
        switch (element.Name)
        {
            case "SequentialScan":
                _pattern.SequentialScanHint = Flag(element);
                return true;
            case "RandomAccess":
                _pattern.RandomAccessHint = Flag(element);
                return true;
            case "TemporaryFile":
                _pattern.TemporaryHint = Flag(element);
                return true;
            case "UseLargePages":
                _pattern.LargePages = Flag(element);
                return true;
            case "DisableOSCache":
                _unbuffered |= Flag(element);
                return true;
            case "WriteThrough":
                _writeThrough |= Flag(element);
                return true;
            case "DisableAllCache":
                if (Flag(element))
                    _unbuffered = _writeThrough = true;
                return true;
            case "DisableLocalCache":
                if (Flag(element))
                    problem(element.Line, DiskSpdWords.RemoteCacheOnly, isOffered: false);
                return true;
            case "MemoryMappedIo":
                if (Flag(element))
                    problem(element.Line, DiskSpdWords.MemoryMapped, isOffered: false);
                return true;
            case "FlushType":
                problem(element.Line, "<FlushType> (-N, of memory-mapped I/O) is not offered", isOffered: false);
                return true;
            case "BypassIO":
                new Version23Mapper(specification.Origin().DiskSpd!, problem).TakeBypass(element);
                return true;
            case "WriteBufferContent":
                TakeWriteContent(element);
                return true;
            default:
                return false;
        }
    }

    private void TakeWriteContent(XmlTree element)
    {
        switch (element.TextOf("Pattern"))
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
                    TakeSource(source);
                break;
            default:
                problem(element.Line, "<WriteBufferContent> without a <Pattern> of sequential, zero or random");
                break;
        }
    }

    private void TakeSource(XmlTree source)
    {
        if (source["SizeInBytes"] is { } size)
            _pattern.WriteContentSize = Size(size);
        if (source.TextOf("FilePath") is not { Length: > 0 } file)
            return;
        _pattern.WriteContent = IoWriteContentKind.File;
        _pattern.WriteContentFile = file;
    }

    private void TakeThroughput(XmlTree element)
    {
        var rate = XmlValue.UInt(element, problem);
        if (rate == 0)
            return;
        if (element.Attributes.GetValueOrDefault("unit", "BPMS") == "IOPS")
            _pattern.MaxIopsPerThread = rate;
        else
            _pattern.MaxBytesPerSecondPerThread = rate * 1000.0;
    }

    private void TakeDistribution(XmlTree distribution)
    {
        foreach (var kind in distribution.Children)
        {
            _pattern.DistributionIsAbsolute = kind.Name == "Absolute";
            if (kind.Name is not ("Absolute" or "Percent"))
                problem(kind.Line, $"the element <{kind.Name}> is not known");
            var ranges = new List<IoDistributionRange>();
            foreach (var range in kind.Children)
            {
                if (Numbers.LeadingInt(range.Attributes.GetValueOrDefault("IO", "")) is int share and <= 100)
                    ranges.Add(new IoDistributionRange(share, Size(range)));
                else
                    problem(range.Line, "a range without its share of the I/Os (IO=\"0\" to \"100\")");
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
            PatternTools.SetAlignment(_pattern, alignment);
    }

    private int Percent(XmlTree element)
    {
        var value = Int(element);
        if (value <= 100)
            return value;
        problem(element.Line, $"<{element.Name}> is {value}, which is not a percentage");
        return 100;
    }

    private int Int(XmlTree element) => XmlValue.Int(element, problem);

    private long Size(XmlTree element) => XmlValue.Size(element, problem);

    private bool Flag(XmlTree element) => XmlValue.Flag(element, problem);
}
