using System.Globalization;

namespace IoBench.Formats;

internal sealed class FioJsonParser(FioTokenizer source, string? name)
{
    /// <summary>Largest number of jobs in memory. In a longer document, jobs are returned before its list of devices is read.</summary>
    internal const int MaxJobs = 200;
    private const int MaxNotes = 5;

    private FioOptions? _global;
    private string? _version;
    private string? _time;
    private double? _timestampMs;
    private readonly List<string> _devices = [];
    private readonly List<string> _notes = [];
    private bool _cut;

    internal List<FioJob> Jobs { get; } = [];

    /// <summary>Milliseconds from 1970 to the output; null if the document does not state it.</summary>
    internal double? TimestampMs => _timestampMs;

    internal bool HasMilliseconds { get; private set; }

    internal bool IsFio => _version is not null || _sawJobs;

    private bool _sawJobs;

    /// <summary>Called after <see cref="MaxJobs"/> jobs; the callback removes the jobs from <see cref="Jobs"/>.</summary>
    internal Action? JobLimitReached { get; init; }

    internal void ReadDocument()
    {
        source.ReadToken();
        while (TryReadName(out var key))
        {
            if (key.SequenceEqual("jobs"u8) || key.SequenceEqual("client_stats"u8))
                ReadJobs();
            else if (key.SequenceEqual("global options"u8))
                _global = ReadOptions();
            else if (key.SequenceEqual("disk_util"u8))
                ReadDevices();
            else if (key.SequenceEqual("fio version"u8))
                _version = ReadText() is { } text ? RemoveVersionPrefix(text) : null;
            else if (key.SequenceEqual("timestamp"u8))
                _timestampMs ??= ReadNumber() * 1000;
            else if (key.SequenceEqual("timestamp_ms"u8))
            {
                _timestampMs = ReadNumber() ?? _timestampMs;
                HasMilliseconds = true;
            }
            else if (key.SequenceEqual("time"u8))
                _time = ReadText();
            else
                source.SkipValue();
        }
        FinishDocument();
    }

    internal static string RemoveVersionPrefix(string text) => text.StartsWith("fio-", StringComparison.Ordinal) ? text[4..] : text;

    private void FinishDocument()
    {
        foreach (var job in Jobs)
        {
            job.ToolVersion = _version;
            // If there are several devices, all jobs share them, so no job has one of its own.
            job.Device = _devices.Count == 1 ? _devices[0] : null;
        }
        if (Jobs.Count > 0)
            Jobs[0].Warnings.AddRange(_notes);
    }

    private void ReadJobs()
    {
        _sawJobs = true;
        if (source.ReadToken() != FioToken.ArrayStart)
            return;
        while (true)
        {
            var line = source.LineNumber;
            switch (source.ReadToken())
            {
                case FioToken.ObjectStart:
                    Jobs.Add(ReadJob(line));
                    break;
                case FioToken.ArrayStart:
                    source.SkipContainer();
                    break;
                case FioToken.Bad:
                    ReportInvalidToken();
                    break;
                case FioToken.End:
                    _cut = true;
                    return;
                case FioToken.ArrayEnd or FioToken.ObjectEnd:
                    return;
            }
            if (Jobs.Count >= MaxJobs && JobLimitReached is { } full)
            {
                FinishDocument();
                full();
            }
        }
    }

    private FioJob ReadJob(int line)
    {
        var job = new FioJob
        {
            OutputKind = FioOutputKind.Json,
            Line = line,
            ToolVersion = _version,
            TimeText = _time,
        };
        FioOptions? own = null;
        double? start = null;
        while (TryReadName(out var key))
        {
            if (key.SequenceEqual("job options"u8))
                own = ReadOptions();
            else if (key.SequenceEqual("iobench"u8))
                job.ExtensionValues = ReadOptions();
            else if (key.SequenceEqual("job_start"u8))
                start = ReadNumber();
            else if (
                !TryReadStatistics(job, key)
                && !TryReadProperty(job, key)
                && !FioJsonStatisticsReader.TryReadDistribution(this, job, key)
            )
                source.SkipValue();
        }
        if (own is not null || _global is not null)
            job.Options = FioOptions.Merge(_global, own);
        job.StartTime = ToDateTimeOffset(start is > 0 ? start : _timestampMs - job.ElapsedSeconds * 1000);
        if (_cut)
            job.IncompleteReason = string.Create(
                CultureInfo.InvariantCulture,
                $"Line {source.LineNumber}: the text ends in the middle of the results of this job."
            );
        return job;
    }

    private static DateTimeOffset? ToDateTimeOffset(double? milliseconds) =>
        milliseconds is > 0 and < 253402300799000 ? DateTimeOffset.FromUnixTimeMilliseconds((long)milliseconds) : null;

    private bool TryReadStatistics(FioJob job, ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("read"u8))
            job.Read = FioJsonStatisticsReader.ReadDirection(this);
        else if (key.SequenceEqual("write"u8))
            job.Write = FioJsonStatisticsReader.ReadDirection(this);
        else if (key.SequenceEqual("trim"u8))
            job.Trim = FioJsonStatisticsReader.ReadDirection(this);
        else if (key.SequenceEqual("mixed"u8))
            job.Mixed = FioJsonStatisticsReader.ReadDirection(this);
        else if (key.SequenceEqual("sync"u8))
            ReadSync(job);
        else
            return false;
        return true;
    }

    private void ReadSync(FioJob job)
    {
        if (!TryEnterObject())
            return;
        while (TryReadName(out var key))
        {
            if (key.SequenceEqual("total_ios"u8))
                job.SyncCount = ReadCount();
            else if (key.SequenceEqual("lat_ns"u8))
                job.SyncLatency = FioJsonStatisticsReader.ReadLatency(this, 1e6);
            else
                source.SkipValue();
        }
    }

    private bool TryReadProperty(FioJob job, ReadOnlySpan<byte> key)
    {
        if (key.SequenceEqual("jobname"u8))
            job.Name = ReadText() ?? "";
        else if (key.SequenceEqual("groupid"u8))
            job.Group = (int)Math.Clamp(ReadNumber() ?? 0, 0, int.MaxValue);
        else if (key.SequenceEqual("error"u8))
            job.Error = (int)Math.Clamp(ReadNumber() ?? 0, int.MinValue, int.MaxValue);
        else if (key.SequenceEqual("elapsed"u8))
            job.ElapsedSeconds = ReadNumber();
        else if (key.SequenceEqual("hostname"u8))
            job.HostName = ReadText();
        else if (key.SequenceEqual("desc"u8))
            job.Description = ReadText();
        else if (key.SequenceEqual("job_runtime"u8))
            job.JobRuntimeMs = ReadNumber();
        else if (key.SequenceEqual("usr_cpu"u8))
            job.UserCpu = ReadNumber();
        else if (key.SequenceEqual("sys_cpu"u8))
            job.SystemCpu = ReadNumber();
        else if (key.SequenceEqual("ctx"u8))
            job.ContextSwitches = ReadNumber();
        else if (key.SequenceEqual("majf"u8))
            job.MajorFaults = ReadNumber();
        else if (key.SequenceEqual("minf"u8))
            job.MinorFaults = ReadNumber();
        else if (key.SequenceEqual("total_err"u8))
        {
            // Old versions also print the first error under this name.
            if (job.FailedIOs is null)
                job.FailedIOs = ReadCount();
            else
                job.FirstError = ReadErrorNumber();
        }
        else if (key.SequenceEqual("first_error"u8))
            job.FirstError = ReadErrorNumber();
        else
            return false;
        return true;
    }

    private FioOptions ReadOptions()
    {
        var options = new FioOptions();
        if (!TryEnterObject())
            return options;
        while (TryReadName(out _))
        {
            var key = source.Text;
            options.Set(key, ReadText() ?? "");
        }
        return options;
    }

    private void ReadDevices()
    {
        if (source.ReadToken() != FioToken.ArrayStart)
            return;
        while (true)
        {
            switch (source.ReadToken())
            {
                case FioToken.ObjectStart:
                    while (TryReadName(out var key))
                    {
                        if (key.SequenceEqual("name"u8) && _devices.Count < 2)
                            _devices.Add(ReadText() ?? "");
                        else
                            source.SkipValue();
                    }
                    break;
                case FioToken.ArrayEnd or FioToken.ObjectEnd or FioToken.End:
                    return;
                case FioToken.Bad:
                    ReportInvalidToken();
                    break;
            }
        }
    }

    internal bool TryEnterObject()
    {
        var token = source.ReadToken();
        if (token == FioToken.ArrayStart)
            source.SkipContainer();
        return token == FioToken.ObjectStart;
    }

    /// <summary>False at the end of the object. The name is valid until the next token is read.</summary>
    internal bool TryReadName(out ReadOnlySpan<byte> key)
    {
        while (true)
        {
            switch (source.ReadToken())
            {
                case FioToken.Name:
                    key = source.Value;
                    return true;
                case FioToken.ObjectEnd:
                    key = default;
                    return false;
                case FioToken.End:
                    _cut = true;
                    key = default;
                    return false;
                case FioToken.ObjectStart or FioToken.ArrayStart:
                    source.SkipContainer();
                    break;
                case FioToken.Bad or FioToken.Value:
                    ReportInvalidToken();
                    break;
            }
        }
    }

    private void ReportInvalidToken()
    {
        if (_notes.Count < MaxNotes)
            _notes.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"Line {source.LineNumber}: IoBench cannot read this text: {FioValueParser.Shorten(TextEncodings.Utf8Or1252.GetString(source.Value))}"
                )
            );
        source.SkipLine();
    }

    internal static double? ParseNumber(ReadOnlySpan<byte> key) => FioValueParser.ParseReal(key);

    /// <summary>Accepts a number in quotation marks, because other tools rewrite numbers that way.</summary>
    internal double? ReadNumber() => TryReadScalar() ? FioValueParser.ParseReal(source.Value) : null;

    internal long? ReadCount()
    {
        if (!TryReadScalar())
            return null;
        return FioValueParser.ParseInteger(source.Value)
            ?? (FioValueParser.ParseReal(source.Value) is >= 0 and < 9e18 and var value ? (long)value : null);
    }

    private int? ReadErrorNumber() => ReadCount() is { } number ? (int)Math.Min(int.MaxValue, number) : null;

    private string? ReadText() => TryReadScalar() ? source.Text : null;

    private bool TryReadScalar()
    {
        var token = source.ReadToken();
        if (token is FioToken.ObjectStart or FioToken.ArrayStart)
            source.SkipContainer();
        else if (token == FioToken.Bad)
            ReportInvalidToken();
        return token is FioToken.Text or FioToken.Value;
    }

    internal void SkipValue() => source.SkipValue();

    public override string ToString() => name ?? "";

    internal bool ContainsJob(FioJob other) => Jobs.Exists(job => job.IsSameJob(other));

    /// <summary>
    /// The same jobs with at least as much I/O, from a process with the same start time. fio rounds the elapsed time up to whole seconds,
    /// so two consecutive runs of less than a second cannot be distinguished.
    /// </summary>
    internal bool IsLaterOutputOf(FioJsonParser earlier)
    {
        // A run that was cut off stays a result of its own, so that a later complete run does not hide it.
        if (
            earlier.Jobs.Exists(job => job.IncompleteReason is not null)
            || Jobs.Count != earlier.Jobs.Count
            || TimestampMs is not { } now
            || earlier.TimestampMs is not { } then
            || now < then
            || Jobs[0].ElapsedSeconds is not { } elapsed
            || earlier.Jobs[0].ElapsedSeconds is not { } before
            || elapsed < before
        )
            return false;
        var fraction = HasMilliseconds ? 0 : 1000;
        // Both outputs can be from the same second. They belong to one run only if the measured time exceeds the time between them, and if
        // the later one has more I/O than the earlier one (otherwise it is a copy).
        if (
            elapsed == before
            && (
                Jobs.Max(job => job.LongestRuntimeMs) <= now - then + fraction
                || Jobs.Zip(earlier.Jobs)
                    .All(pair =>
                        pair.First.LongestRuntimeMs <= pair.Second.LongestRuntimeMs && pair.First.TotalBytes <= pair.Second.TotalBytes
                    )
            )
        )
            return false;
        var longest = earlier.Jobs.Max(job => job.LongestRuntimeMs);
        // The run started before the earlier output by at least the measured time, and the possible start times of both outputs overlap.
        return now - elapsed * 1000 <= then - longest + fraction
            && Math.Abs(now - elapsed * 1000 - (then - before * 1000)) <= 1000 + fraction
            && Jobs.Zip(earlier.Jobs)
                .All(pair =>
                    pair.First.Name == pair.Second.Name
                    && pair.First.Group == pair.Second.Group
                    && pair.First.LongestRuntimeMs >= pair.Second.LongestRuntimeMs
                    && pair.First.TotalBytes >= pair.Second.TotalBytes
                );
    }
}
