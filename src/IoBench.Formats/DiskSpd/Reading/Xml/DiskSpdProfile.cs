using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The settings of a profile. Problems are errors in a profile that is to be run, and warnings in a result.</summary>
internal sealed class DiskSpdProfile(XmlProblemHandler problem)
{
    private static readonly Dictionary<string, Action<DiskSpdProfile, DiskSpdXmlElement>> s_profileElements = new()
    {
        ["TimeSpans"] = (m, e) => m._timespans.AddRange(e.Children.FindAll(c => c.Name == "TimeSpan")),
        ["Progress"] = (m, e) => m._options.ProgressEvery = m.ParseInt32(e),
        ["Verbose"] = (m, e) => m._options.Verbose = m.ParseBoolean(e),
        ["VerboseStats"] = (m, e) => m._options.VerboseStatistics = m.ParseBoolean(e),
        ["ExperimentFlags"] = (m, e) => m._options.ExperimentFlags = m.ParseInt32(e),
        ["ResultFormat"] = (m, e) => m.ResultFormat = e.Text,
        // This setting only affects when test files are created. IoBench creates all of them before it measures.
        ["PrecreateFiles"] = (_, _) => { },
        ["ETW"] = (m, e) => m.ReportNotSupported(e.Line, "IoBench does not support Windows event tracing (ETW)"),
    };

    private static readonly Dictionary<string, Action<DiskSpdProfile, DiskSpdXmlElement>> s_timespanElements = new()
    {
        // The targets are last, because they depend on the other elements.
        ["Targets"] = (_, _) => { },
        ["GroupAffinity"] = (_, _) => { },
        ["CompletionRoutines"] = (m, e) => m._options.CompletionRoutines = m.ParseBoolean(e),
        ["MeasureLatency"] = (m, e) => m._options.MeasureLatency = m.ParseBoolean(e),
        ["CalculateIopsStdDev"] = (m, e) => m._options.GatherIops = m.ParseBoolean(e),
        ["DisableAffinity"] = (m, e) => m._test.AffinityMode = m.ParseBoolean(e) ? IoAffinityMode.Off : IoAffinityMode.RoundRobin,
        ["Duration"] = (m, e) => m._test.Duration = m.ParseSeconds(e, m._test.Duration),
        ["Warmup"] = (m, e) => m._test.WarmUp = m.ParseSeconds(e, m._test.WarmUp),
        ["Cooldown"] = (m, e) => m._test.CoolDown = m.ParseSeconds(e, m._test.CoolDown),
        ["RandSeed"] = (m, e) => m._test.Seed = (ulong)e.ParseUInt32(m._problem),
        ["ThreadCount"] = (m, e) => m._poolThreads = m.ParseInt32(e),
        ["RequestCount"] = (m, e) => m._test.PoolOutstandingIO = m.ParseInt32(e) is var count and > 0 ? count : null,
        ["IoBucketDuration"] = (m, e) => m.SetInterval(e.ParseUInt32(m._problem)),
        ["RandomWriteData"] = (m, e) => m._randomWrites = m.ParseBoolean(e),
        ["Affinity"] = (m, e) => e.Children.ForEach(m.ReadAffinity),
        ["IoRing"] = (m, e) => m.ReadIoRing(e),
        ["AffinityTraversal"] = (m, e) => m.ReadTraversal(e),
        ["BufferSeparation"] = (m, e) =>
            m.Version23.SeparatesBuffers = e.ParseWord(e.Text, m._problem, "SystemDefault", "PDECacheLine") != 0,
        ["CompletionDepth"] = (m, e) => m.Version23.CompletionDepth = m.ParseInt32(e),
    };

    private readonly XmlProblemHandler _problem = problem;
    private readonly List<DiskSpdXmlElement> _timespans = [];
    private readonly HashSet<string> _emptyDurations = [];
    private DiskSpdOptions _options = new();
    private IoTestSpecification _test = new();
    private int _poolThreads;
    private bool _randomWrites;

    internal string? ResultFormat { get; private set; }

    private DiskSpd23Options Version23 => _options.Version23 ??= new DiskSpd23Options();

    internal List<IoTestSpecification> Specifications { get; } = [];

    internal DiskSpdProfile Read(DiskSpdXmlElement profile)
    {
        ReadElements(profile, s_profileElements);
        var options = _options;
        Specifications.AddRange(_timespans.Take(DiskSpdRun.MaxTimeSpans).Select(span => CreateSpecification(span, options with { })));
        return this;
    }

    private void ReadElements(DiskSpdXmlElement parent, Dictionary<string, Action<DiskSpdProfile, DiskSpdXmlElement>> known)
    {
        foreach (var element in parent.Children)
        {
            if (known.TryGetValue(element.Name, out var read))
                read(this, element);
            else
                _problem(element.Line, $"the element <{element.Name}> is unknown");
        }
    }

    private IoTestSpecification CreateSpecification(DiskSpdXmlElement span, DiskSpdOptions options)
    {
        _test = DiskSpdDefaults.CreateSpecification();
        _test.GetOrAddOrigin().DiskSpd = _options = options;
        _poolThreads = 0;
        _randomWrites = false;
        ReadElements(span, s_timespanElements);
        _test.SharedThreadPool = _poolThreads > 0;
        if (_poolThreads == 0)
            _test.PoolOutstandingIO = null;
        var targets = span.Children.FindLast(c => c.Name == "Targets")?.Children.FindAll(c => c.Name == "Target") ?? [];
        DiskSpdDefaults.SetTargets(_test, targets.ConvertAll(t => new DiskSpdTargetMapper(_problem, _test, _randomWrites).CreateTarget(t)));
        if (_poolThreads > 0)
            DiskSpdDefaults.SetThreads(_test, _poolThreads);
        return _test;
    }

    private TimeSpan ParseSeconds(DiskSpdXmlElement element, TimeSpan current)
    {
        if (!string.IsNullOrWhiteSpace(element.Text))
            return TimeSpan.FromSeconds(element.ParseUInt32(_problem));
        _emptyDurations.Add(element.Name);
        return current;
    }

    private void SetInterval(long milliseconds)
    {
        if (milliseconds > 0)
            _test.TimelineInterval = TimeSpan.FromMilliseconds(milliseconds);
    }

    private void ReadAffinity(DiskSpdXmlElement element)
    {
        if (element.Name == "Group")
        {
            if (DiskSpdProcessorLists.ReadGroupMask(element, _test.Processors) is not { } read)
                _problem(element.Line, "an affinity requires a group and a mask");
            else if (read.Mask == 0)
                Version23.WholeGroups |= 1UL << read.Group;
            return;
        }
        var isOld = element.Name == "AffinityAssignment";
        var group = ToolNumberParser.ParseLeadingInt32(isOld ? "0" : element.GetAttribute("Group"));
        var processor = ToolNumberParser.ParseLeadingInt32(isOld ? element.Text : element.GetAttribute("Processor"));
        if (group is int g && processor is int p)
            _test.Processors.Add(DiskSpdProcessorLists.GetNumber(g, p));
        else
            _problem(element.Line, "an affinity requires a group and a processor");
    }

    private void ReadIoRing(DiskSpdXmlElement ring)
    {
        // As with -u, buffers are registered by default, and the default batch is 25% of the outstanding I/Os.
        Version23.IoRingBatch = 25;
        Version23.IoRingBatchIsPercent = true;
        if (ring["IoRingBatchSize"] is { } batch)
        {
            Version23.IoRingBatch = ParseInt32(batch);
            Version23.IoRingBatchIsPercent = batch.GetAttribute("Percent") is "true" or "1";
        }
        if (ring["UseRegBuffer"] is { } registered)
            Version23.RegistersBuffers = ParseBoolean(registered);
    }

    private void ReadTraversal(DiskSpdXmlElement element)
    {
        Version23.IsCoreAware = element.ParseWord(element.Text, _problem, "Cpu", "CoreAware") == 1;
        if (element.Attributes.TryGetValue("Group", out var group))
            Version23.SpansGroups = element.ParseWord(group, _problem, "Fill", "Span") == 1;
        if (element.Attributes.TryGetValue("Efficiency", out var order))
            Version23.CoreOrder = (DiskSpdCoreOrder)element.ParseWord(order, _problem, Enum.GetNames<DiskSpdCoreOrder>());
    }

    private int ParseInt32(DiskSpdXmlElement element) => element.ParseInt32(_problem);

    private bool ParseBoolean(DiskSpdXmlElement element) => element.ParseBoolean(_problem);

    private void ReportNotSupported(int line, string what) => _problem(line, what, isOffered: false);

    /// <summary>Describes the durations that neither the profile nor the command line states, so that DiskSpd's defaults apply; null if
    /// there are none.</summary>
    internal string? DescribeEmptyDurations(bool hasDuration, bool hasWarmUp, bool hasCoolDown)
    {
        List<string> defaults = [];
        if (_emptyDurations.Contains("Duration") && !hasDuration)
            defaults.Add("-d10");
        if (_emptyDurations.Contains("Warmup") && !hasWarmUp)
            defaults.Add("-W5");
        if (_emptyDurations.Contains("Cooldown") && !hasCoolDown)
            defaults.Add("-C0");
        return defaults.Count == 0
            ? null
            : $"The profile has empty durations, so DiskSpd's defaults {string.Join(' ', defaults)} apply. To use other values, specify these options together with -X.";
    }

    /// <summary>Reads a profile (-X). Unknown and unsupported elements and document type declarations are errors.</summary>
    /// <param name="targets">Paths for the template targets <c>*1</c>, <c>*2</c>, …. A template target without a path keeps its
    /// name.</param>
    /// <exception cref="IoBenchException">The text is not a valid and supported profile.</exception>
    public static IReadOnlyList<IoTestSpecification> Read(TextReader reader, string? sourceFile, IReadOnlyList<string>? targets = null)
    {
        ArgumentNullException.ThrowIfNull(reader);
        return Read(reader, sourceFile, targets ?? [], mustBeWhole: false).Specifications;
    }

    /// <summary>A result, which contains a profile, is not a profile.</summary>
    public static bool LooksLike(string head)
    {
        ArgumentNullException.ThrowIfNull(head);
        var profile = head.IndexOf("<Profile", StringComparison.Ordinal);
        return profile >= 0 && !head.AsSpan(0, profile).Contains("<Results>", StringComparison.Ordinal);
    }

    internal static DiskSpdProfile ReadProfile(string path, IReadOnlyList<string> targets, bool mustBeWhole) =>
        TextInput.ReadText(path, reader => Read(reader, path, targets, mustBeWhole));

    private static DiskSpdProfile Read(TextReader reader, string? sourceFile, IReadOnlyList<string> targets, bool mustBeWhole)
    {
        var input = new DiskSpdXmlInput(new DiskSpdXmlText(reader, sourceFile), sourceFile);
        while (input.MoveToElement())
        {
            if (input.Name != "Profile")
                continue;
            var element = input.ReadElement();
            if (input.HasEnded)
                throw CreateInvalidError(sourceFile, input.Line, "<Profile> is incomplete or malformed");
            var profile = new DiskSpdProfile(
                (line, what, isOffered) =>
                    throw (isOffered ? CreateInvalidError(sourceFile, line, what) : CreateNotSupportedError(sourceFile, line, what))
            ).Read(element);
            if (profile.Specifications.Count == 0)
                throw CreateInvalidError(sourceFile, element.Line, "the profile has no <TimeSpan>");
            foreach (var specification in profile.Specifications)
                CompleteSpecification(specification, sourceFile, element.Line, targets, mustBeWhole);
            return profile;
        }
        throw CreateInvalidError(sourceFile, 1, "the file has no <Profile>");
    }

    private static void CompleteSpecification(
        IoTestSpecification specification,
        string? sourceFile,
        int line,
        IReadOnlyList<string> targets,
        bool mustBeWhole
    )
    {
        specification.GetOrAddOrigin().SourceFile = sourceFile;
        specification.GetOrAddOrigin().SourceLine = line;
        if (specification.Targets.Count == 0)
            throw CreateInvalidError(sourceFile, line, "a <TimeSpan> has no <Target>");
        specification.GetOrAddOrigin().DiskSpd!.CreateFiles = specification.Targets.TrueForAll(t => t.FileSize is not null);
        specification.ThreadTimelines = specification.GetOrAddOrigin().DiskSpd!.GatherIops;
        foreach (var target in specification.Targets)
        {
            if (target.Path.StartsWith('*'))
                target.Path = SubstituteTemplate(target.Path, sourceFile, line, targets, mustBeWhole);
            target.Path = DiskSpdCommandLine.GetDevicePath(target.Path) ?? target.Path;
        }
    }

    private static string SubstituteTemplate(string template, string? sourceFile, int line, IReadOnlyList<string> targets, bool mustBeWhole)
    {
        var number = DiskSpdCommandLine.ParseNumber(template.AsSpan(1), out var isPlain);
        if (!isPlain || number < 1)
            throw CreateInvalidError(sourceFile, line, $"the template target '{template}' has no number. Use *1, *2, and so on");
        if (number <= targets.Count)
            return targets[number - 1];
        return mustBeWhole
            ? throw IoBenchException.Usage(
                "IoBench.InvalidProfile",
                $"{sourceFile}: the template target '{template}' has no path. Specify {number} targets on the command line.",
                sourceFile
            )
            : template;
    }

    private static IoBenchException CreateInvalidError(string? sourceFile, int line, string what) =>
        IoBenchException.InvalidData("IoBench.InvalidProfile", $"{sourceFile ?? "The profile"} line {line}: {what}.", sourceFile);

    private static IoBenchException CreateNotSupportedError(string? sourceFile, int line, string what) =>
        IoBenchException.Usage("IoBench.NotSupported", $"{sourceFile ?? "The profile"} line {line}: {what}.", sourceFile);
}
