using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Problems are errors in a profile that is to be run, and warnings in a result.</summary>
internal sealed class DiskSpdProfileMapper(XmlProblemHandler problem)
{
    private DiskSpdOptions _options = new();

    internal string? ResultFormat { get; private set; }

    /// <summary>Names of empty durations. The command line sets them; otherwise, DiskSpd's defaults apply.</summary>
    internal SortedSet<string> EmptyDurations { get; } = new(StringComparer.Ordinal);

    internal List<IoTestSpecification> CreateSpecifications(DiskSpdXmlElement profile)
    {
        _options = new DiskSpdOptions();
        var specifications = new List<IoTestSpecification>();
        var spans = new List<DiskSpdXmlElement>();
        foreach (var element in profile.Children)
        {
            switch (element.Name)
            {
                case "TimeSpans":
                    spans.AddRange(element.Children.FindAll(c => c.Name == "TimeSpan"));
                    break;
                case "Progress":
                    _options.ProgressEvery = ParseInt32(element);
                    break;
                case "Verbose":
                    _options.Verbose = ParseBoolean(element);
                    break;
                case "VerboseStats":
                    _options.VerboseStatistics = ParseBoolean(element);
                    break;
                case "ExperimentFlags":
                    _options.ExperimentFlags = ParseInt32(element);
                    break;
                case "ResultFormat":
                    ResultFormat = element.Text;
                    break;
                // This setting only affects when test files are created. IoBench creates all of them before it measures.
                case "PrecreateFiles":
                    break;
                case "ETW":
                    problem(element.Line, "IoBench does not support Windows event tracing (ETW)", isOffered: false);
                    break;
                default:
                    ReportUnknown(element);
                    break;
            }
        }
        foreach (var span in spans.Take(DiskSpdRun.MaxTimeSpans))
            specifications.Add(CreateSpecification(span));
        return specifications;
    }

    private IoTestSpecification CreateSpecification(DiskSpdXmlElement span)
    {
        var specification = DiskSpdDefaults.CreateSpecification();
        var options = _options with { };
        specification.GetOrAddOrigin().DiskSpd = options;
        var poolThreads = 0;
        var randomWrites = false;
        DiskSpdXmlElement? targets = null;
        foreach (var element in span.Children)
        {
            switch (element.Name)
            {
                case "Targets":
                    targets = element;
                    break;
                case "CompletionRoutines":
                    options.CompletionRoutines = ParseBoolean(element);
                    break;
                case "MeasureLatency":
                    options.MeasureLatency = ParseBoolean(element);
                    break;
                case "CalculateIopsStdDev":
                    options.GatherIops = ParseBoolean(element);
                    break;
                case "DisableAffinity":
                    specification.AffinityMode = ParseBoolean(element) ? IoAffinityMode.Off : IoAffinityMode.RoundRobin;
                    break;
                case "GroupAffinity":
                    break;
                case "Duration" or "Warmup" or "Cooldown" when string.IsNullOrWhiteSpace(element.Text):
                    EmptyDurations.Add(element.Name);
                    break;
                case "Duration":
                    specification.Duration = TimeSpan.FromSeconds(ParseUInt32(element));
                    break;
                case "Warmup":
                    specification.WarmUp = TimeSpan.FromSeconds(ParseUInt32(element));
                    break;
                case "Cooldown":
                    specification.CoolDown = TimeSpan.FromSeconds(ParseUInt32(element));
                    break;
                case "RandSeed":
                    specification.Seed = (ulong)ParseUInt32(element);
                    break;
                case "ThreadCount":
                    poolThreads = ParseInt32(element);
                    break;
                case "RequestCount":
                    specification.PoolOutstandingIO = ParseInt32(element) is var count and > 0 ? count : null;
                    break;
                case "IoBucketDuration":
                    SetInterval(specification, element);
                    break;
                case "RandomWriteData":
                    randomWrites = ParseBoolean(element);
                    break;
                case "Affinity":
                    ReadAffinity(element, specification);
                    break;
                case "IoRing" or "AffinityTraversal" or "BufferSeparation" or "CompletionDepth":
                    new DiskSpd23ProfileMapper(options, problem).ReadElement(element);
                    break;
                default:
                    ReportUnknown(element);
                    break;
            }
        }
        specification.SharedThreadPool = poolThreads > 0;
        if (poolThreads == 0)
            specification.PoolOutstandingIO = null;
        var mapped = new List<(IoTargetSpecification, IoPattern)>();
        foreach (var target in targets?.Children.FindAll(c => c.Name == "Target") ?? [])
            mapped.Add(new DiskSpdTargetMapper(problem, specification, randomWrites).CreateTarget(target));
        DiskSpdDefaults.SetTargets(specification, mapped);
        if (poolThreads > 0)
            SetThreads(specification, poolThreads);
        return specification;
    }

    private void SetInterval(IoTestSpecification specification, DiskSpdXmlElement element)
    {
        if (ParseUInt32(element) is var milliseconds and > 0)
            specification.TimelineInterval = TimeSpan.FromMilliseconds(milliseconds);
    }

    private static void SetThreads(IoTestSpecification specification, int threads)
    {
        specification.ThreadCount = threads;
        foreach (var target in specification.Targets)
        {
            if (target.Pattern is not null)
                target.Pattern.ThreadCount = threads;
        }
    }

    private void ReadAffinity(DiskSpdXmlElement affinity, IoTestSpecification specification)
    {
        foreach (var element in affinity.Children)
        {
            if (element.Name == "Group")
            {
                if (DiskSpdProcessorLists.ReadGroupMask(element, specification.Processors) is not { } read)
                    problem(element.Line, "an affinity without group and mask");
                else if (read.Mask == 0)
                    (specification.GetOrAddOrigin().DiskSpd!.Version23 ??= new DiskSpd23Options()).WholeGroups |= 1UL << read.Group;
                continue;
            }
            var (group, processor) =
                element.Name == "AffinityAssignment"
                    ? ("0", element.Text)
                    : (element.Attributes.GetValueOrDefault("Group", ""), element.Attributes.GetValueOrDefault("Processor", ""));
            if (ToolNumberParser.ParseLeadingInt32(group) is int g && ToolNumberParser.ParseLeadingInt32(processor) is int p)
                specification.Processors.Add(DiskSpdProcessorLists.GetNumber(g, p));
            else
                problem(element.Line, "an affinity without group and processor");
        }
    }

    private int ParseInt32(DiskSpdXmlElement element) => DiskSpdXmlElement.ParseInt32(element, problem);

    private long ParseUInt32(DiskSpdXmlElement element) => DiskSpdXmlElement.ParseUInt32(element, problem);

    private bool ParseBoolean(DiskSpdXmlElement element) => DiskSpdXmlElement.ParseBoolean(element, problem);

    private void ReportUnknown(DiskSpdXmlElement element) => problem(element.Line, $"the element <{element.Name}> is unknown");
}
