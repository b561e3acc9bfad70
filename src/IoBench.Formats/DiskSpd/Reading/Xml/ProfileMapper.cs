using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Converts the Profile element to one specification per timespan. Unknown and unsupported settings go to <paramref name="problem"/> with
/// their line: they are
/// errors in a profile that is to be run, and warnings in a result.
/// </summary>
internal sealed class ProfileMapper(XmlProblem problem)
{
    private DiskSpdOptions _options = new();

    internal string? ResultFormat { get; private set; }

    internal List<IoTestSpecification> Map(XmlTree profile)
    {
        _options = new DiskSpdOptions();
        var specifications = new List<IoTestSpecification>();
        var spans = new List<XmlTree>();
        foreach (var element in profile.Children)
        {
            switch (element.Name)
            {
                case "TimeSpans":
                    spans.AddRange(element.Children.FindAll(c => c.Name == "TimeSpan"));
                    break;
                case "Progress":
                    _options.ProgressEvery = Int(element);
                    break;
                case "Verbose":
                    _options.Verbose = Flag(element);
                    break;
                case "VerboseStats":
                    _options.VerboseStatistics = Flag(element);
                    break;
                case "ExperimentFlags":
                    _options.ExperimentFlags = Int(element);
                    break;
                case "ResultFormat":
                    ResultFormat = element.Text;
                    break;
                // This setting only affects when test files are created. IoBench creates all of them before it measures.
                case "PrecreateFiles":
                    break;
                case "ETW":
                    problem(element.Line, "Windows event tracing (ETW) is not offered", isOffered: false);
                    break;
                default:
                    Unknown(element);
                    break;
            }
        }
        foreach (var span in spans.Take(DiskSpdRun.MaxTimeSpans))
            specifications.Add(MapTimeSpan(span));
        return specifications;
    }

    private IoTestSpecification MapTimeSpan(XmlTree span)
    {
        var specification = PatternTools.NewSpecification();
        var options = _options with { };
        specification.Origin().DiskSpd = options;
        var poolThreads = 0;
        var randomWrites = false;
        XmlTree? targets = null;
        foreach (var element in span.Children)
        {
            switch (element.Name)
            {
                case "Targets":
                    targets = element;
                    break;
                case "CompletionRoutines":
                    options.CompletionRoutines = Flag(element);
                    break;
                case "MeasureLatency":
                    options.MeasureLatency = Flag(element);
                    break;
                case "CalculateIopsStdDev":
                    options.GatherIops = Flag(element);
                    break;
                case "DisableAffinity":
                    specification.AffinityMode = Flag(element) ? IoAffinityMode.Off : IoAffinityMode.RoundRobin;
                    break;
                case "GroupAffinity":
                    break;
                case "Duration":
                    specification.Duration = TimeSpan.FromSeconds(UInt(element));
                    break;
                case "Warmup":
                    specification.WarmUp = TimeSpan.FromSeconds(UInt(element));
                    break;
                case "Cooldown":
                    specification.CoolDown = TimeSpan.FromSeconds(UInt(element));
                    break;
                case "RandSeed":
                    specification.Seed = (ulong)UInt(element);
                    break;
                case "ThreadCount":
                    poolThreads = Int(element);
                    break;
                case "RequestCount":
                    specification.PoolOutstandingIO = Int(element) is var count and > 0 ? count : null;
                    break;
                case "IoBucketDuration":
                    SetInterval(specification, element);
                    break;
                case "RandomWriteData":
                    randomWrites = Flag(element);
                    break;
                case "Affinity":
                    MapAffinity(element, specification);
                    break;
                case "IoRing" or "AffinityTraversal" or "BufferSeparation" or "CompletionDepth":
                    new Version23Mapper(options, problem).Take(element);
                    break;
                default:
                    Unknown(element);
                    break;
            }
        }
        specification.SharedThreadPool = poolThreads > 0;
        if (poolThreads == 0)
            specification.PoolOutstandingIO = null;
        var mapped = new List<(IoTargetSpecification, IoPattern)>();
        foreach (var target in targets?.Children.FindAll(c => c.Name == "Target") ?? [])
            mapped.Add(new TargetMapper(problem, specification, randomWrites).Map(target));
        PatternTools.SetTargets(specification, mapped);
        if (poolThreads > 0)
            SetThreads(specification, poolThreads);
        return specification;
    }

    private void SetInterval(IoTestSpecification specification, XmlTree element)
    {
        if (UInt(element) is var milliseconds and > 0)
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

    private void MapAffinity(XmlTree affinity, IoTestSpecification specification)
    {
        foreach (var element in affinity.Children)
        {
            if (element.Name == "Group")
            {
                if (GroupMask.TryRead(element, specification.Processors) is not { } read)
                    problem(element.Line, "an affinity without group and mask");
                else if (read.Mask == 0)
                    (specification.Origin().DiskSpd!.Version23 ??= new DiskSpd23Options()).WholeGroups |= 1UL << read.Group;
                continue;
            }
            var (group, processor) =
                element.Name == "AffinityAssignment"
                    ? ("0", element.Text)
                    : (element.Attributes.GetValueOrDefault("Group", ""), element.Attributes.GetValueOrDefault("Processor", ""));
            if (Numbers.LeadingInt(group) is int g && Numbers.LeadingInt(processor) is int p)
                specification.Processors.Add(ProcessorNumber.InGroup(g, p));
            else
                problem(element.Line, "an affinity without group and processor");
        }
    }

    private int Int(XmlTree element) => XmlValue.Int(element, problem);

    private long UInt(XmlTree element) => XmlValue.UInt(element, problem);

    private bool Flag(XmlTree element) => XmlValue.Flag(element, problem);

    private void Unknown(XmlTree element) => problem(element.Line, $"the element <{element.Name}> is not known");
}
