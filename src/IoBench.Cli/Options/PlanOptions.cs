using System.CommandLine;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli.Options;

/// <summary>The options that say what to test; the same words as the parameters of Invoke-IoTest.</summary>
internal sealed class PlanOptions
{
    /// <summary>What a path is.</summary>
    public const string PathDescription = "a test file, or a folder for iobench.dat in it; several are tested one after the other (see --path-mode).";

    // None where roles bring their own.
    private readonly Argument<string[]> _paths = new("PATH") { Description = PathDescription, Arity = ArgumentArity.ZeroOrMore };

    private readonly Option<string[]> _workload = OptionText.Create("--workload", "NAME", "Workloads or suites by name; 'iobench workloads' lists them.");
    private readonly Option<string[]> _fileSize = OptionText.Create("--file-size", "SIZE", "Size of the test file. Default 20 GB, at most 10 % of the free space.", "--size");
    private readonly Option<string[]> _duration = OptionText.Create("--duration", "TIME", "Measured time of each test. Default 30 s.", "-d");
    private readonly Option<string[]> _blockSize = OptionText.Create("--block-size", "SIZE", "Bytes an I/O. Default 8KB.", "--block", "-b");
    private readonly Option<string[]> _outstanding = OptionText.Create("--outstanding-io", "N", "Outstanding I/Os a thread and target. Default 8.", "--outstanding", "--qd", "-o");
    private readonly Option<string[]> _threads = OptionText.Create("--thread-count", "N", "Threads a target; auto = logical processors. Default 4.", "--threads", "-t");
    private readonly Option<string[]> _write = OptionText.Create("--write-percent", "N", "Share of writes in percent. Default 0.", "--write", "-w");
    private readonly Option<string[]> _pattern = OptionText.Create("--access-pattern", "NAME", "random, sequential, interlocked, partrandom or stride. Default random.", "--pattern");
    private readonly Option<string[]> _repeat = OptionText.Create("--repeat", "N", "Run all tests so often, round by round.");
    private readonly Option<bool> _steadyState = OptionText.CreateFlag("--steady-state", "Run each test in rounds until five are steady (SNIA's criterion), at most --max-rounds.");
    private readonly Option<string[]> _maxRounds = OptionText.Create("--max-rounds", "N", "Rounds at most with --steady-state. Default 25.");
    private readonly Option<string[]> _label = OptionText.Create("--label", "TEXT", "Your name for the results: one for all, or one a path.");

    private readonly Option<string[]> _warmUp = OptionText.Create("--warm-up", "TIME", "I/O before the measurement. Default a sixth of the duration, 1 to 5 s.", "--warmup");
    private readonly Option<string[]> _coolDown = OptionText.Create("--cool-down", "TIME", "I/O after the measurement. Default 0.", "--cooldown");
    private readonly Option<string[]> _idle = OptionText.Create("--idle", "TIME", "Rest between tests, for the storage's caches to drain.", "--idle-seconds");
    private readonly Option<string[]> _buffering = OptionText.Create("--buffering", "NAME", "Caches that may answer: none (SQL Server's way), hardware, software, both.");
    private readonly Option<string[]> _pathMode = OptionText.Create("--path-mode", "NAME", "Several paths: each, together, or both.");
    private readonly Option<string[]> _targetIops = OptionText.Create("--target-iops", "N", "Open loop: so many I/Os a second, whatever the storage does.");
    private readonly Option<string[]> _maxRate = OptionText.Create("--max-rate", "RATE", "Closed loop: no more than 500IOPS or 200MB/s a target.");
    private readonly Option<string[]> _randomPercent = OptionText.Create("--random-percent", "N", "Share of random jumps in a sequential test.");
    private readonly Option<string[]> _stride = OptionText.Create("--stride", "SIZE", "Distance from one sequential I/O to the next.");
    private readonly Option<string[]> _burst = OptionText.Create("--burst-size", "N", "I/Os a burst; with --think-time.");
    private readonly Option<string[]> _think = OptionText.Create("--think-time", "TIME", "Rest after each burst, for example 10ms.");
    private readonly Option<string[]> _flushEvery = OptionText.Create("--flush-every", "N", "A flush after every so many writes of a thread.");
    private readonly Option<string[]> _content = OptionText.Create("--write-content", "NAME|FILE", "random, zero, pattern, or a file that the bytes come from.");
    private readonly Option<string[]> _affinity = OptionText.Create("--affinity", "LIST", "off, roundrobin, or processors such as 0,2,4.");
    private readonly Option<string[]> _backend = OptionText.Create("--backend", "NAME", "auto, iouring, linuxaio, overlapped, threads, null.");
    private readonly Option<string[]> _seed = OptionText.Create("--seed", "N", "Same seed, same offsets. Default 0.");
    private readonly Option<string[]> _cache = OptionText.Create("--storage-cache-size", "SIZE", "The storage's cache, to judge whether the file is large enough.", "--storage-cache");
    private readonly Option<string[]> _stopAbove = OptionText.Create("--stop-above-ms", "MS", "End a test whose latency stays above so many milliseconds.", "--stop-above");
    private readonly Option<bool> _shuffle = OptionText.CreateFlag("--shuffle", "Draw the order of the tests (by --seed).");

    /// <summary>Adds path and options to a command; what few people need on the second page of its help.</summary>
    public void AddTo(Command command)
    {
        command.Add(_paths);
        foreach (var option in new Option[] { _workload, _fileSize, _duration, _blockSize, _outstanding, _threads, _write, _pattern, _repeat, _label })
            command.Add(option);
        command.AddSecondPage([
            _steadyState, _maxRounds, _warmUp, _coolDown, _idle, _buffering, _pathMode, _targetIops, _maxRate, _randomPercent, _stride, _burst, _think, _flushEvery,
            _content, _affinity, _backend, _seed, _cache, _stopAbove, _shuffle,
        ]);
    }

    /// <summary>What was asked for.</summary>
    public TestPlanRequest Read(ParseResult parsed)
    {
        var request = new TestPlanRequest
        {
            Paths = parsed.GetValue(_paths) ?? [],
            Workloads = parsed.List(_workload),
            FileSizes = parsed.List(_fileSize, OptionText.Size),
            BlockSizes = parsed.List(_blockSize, OptionText.Size),
            ThreadCounts = parsed.List(_threads, Threads),
            OutstandingIOs = parsed.List(_outstanding, OptionText.Integer),
            WritePercents = parsed.List(_write, Percent),
            AccessPatterns = parsed.List(_pattern, OptionText.Name<IoAccessPattern>),
            Duration = parsed.Value(_duration, OptionText.Duration),
            WarmUp = parsed.Value(_warmUp, OptionText.Duration),
            CoolDown = parsed.Value(_coolDown, OptionText.Duration),
            Idle = parsed.Value(_idle, OptionText.Duration),
            Buffering = parsed.Value(_buffering, OptionText.Name<IoBuffering>),
            PathMode = parsed.Value(_pathMode, OptionText.Name<IoPathMode>) ?? IoPathMode.Each,
            TargetIops = parsed.Value(_targetIops, OptionText.Number),
            MaxRate = parsed.Value(_maxRate, IoRate.Parse),
            RandomPercent = parsed.Value(_randomPercent, Percent),
            Stride = parsed.Value(_stride, OptionText.Size),
            BurstSize = parsed.Value(_burst, OptionText.Integer),
            ThinkTimeMs = parsed.Value(_think, OptionText.Duration) is { } think ? (int)think.TotalMilliseconds : null,
            FlushEvery = parsed.Value(_flushEvery, OptionText.Integer),
            Backend = parsed.Value(_backend, OptionText.Name<IoBackendKind>),
            Seed = parsed.Value(_seed, OptionText.Seed),
            StorageCacheSize = parsed.Value(_cache, OptionText.Size),
            StopAboveMs = parsed.Value(_stopAbove, OptionText.Number),
            Repeat = parsed.Value(_repeat, OptionText.Integer) ?? 1,
            Labels = parsed.List(_label),
            Shuffle = parsed.GetValue(_shuffle),
            SteadyStateRounds = parsed.GetValue(_steadyState) ? parsed.Value(_maxRounds, OptionText.Integer) ?? SteadyStateRounds.DefaultMaxRounds : null,
        };
        if (request.SteadyStateRounds is null && parsed.Text(_maxRounds) is not null)
            throw OptionText.Wrong(parsed, _maxRounds, "it needs --steady-state.");
        ReadContent(parsed, request);
        ReadAffinity(parsed, request);
        return request;
    }

    /// <summary>Some write <c>30%</c>.</summary>
    private static int Percent(string text) => OptionText.Integer(text.TrimEnd('%'));

    private static int Threads(string text)
        => text.Equals("auto", StringComparison.OrdinalIgnoreCase) ? Math.Clamp(Environment.ProcessorCount, 1, 256) : OptionText.Integer(text);

    private void ReadContent(ParseResult parsed, TestPlanRequest request)
    {
        if (parsed.Text(_content) is not { } text)
            return;
        if (Enum.GetNames<IoWriteContentKind>().Any(name => name.Equals(text, StringComparison.OrdinalIgnoreCase)) && !text.Equals("file", StringComparison.OrdinalIgnoreCase))
            request.WriteContent = Enum.Parse<IoWriteContentKind>(text, ignoreCase: true);
        else if (File.Exists(text))
            request.WriteContentFile = text;
        else
            throw OptionText.Wrong(parsed, _content, $"'{text}' is neither random, zero or pattern, nor a file that exists.");
    }

    private void ReadAffinity(ParseResult parsed, TestPlanRequest request)
    {
        var values = parsed.List(_affinity);
        if (values.Count == 1 && !char.IsAsciiDigit(values[0][0]))
            request.AffinityMode = parsed.List(_affinity, OptionText.Name<IoAffinityMode>)[0];
        else if (values.Count > 0)
            request.Processors = parsed.List(_affinity, OptionText.Integer);
    }
}
