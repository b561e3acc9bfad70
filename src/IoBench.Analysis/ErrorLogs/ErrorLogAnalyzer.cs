using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Collects the messages about I/O of ERRORLOG files, in bounded memory.</summary>
public sealed class ErrorLogAnalyzer
{
    /// <summary>Number of events that are kept for a report or for JSON.</summary>
    public const int MaxKeptEvents = 5_000;

    private const int MaxFiles = 2_000;
    private const int MaxIntervals = 5_000;

    /// <summary>Name for the messages about files beyond <see cref="MaxFiles"/>.</summary>
    private const string OtherFiles = "(other files)";

    public static readonly TimeSpan DefaultInterval = TimeSpan.FromHours(1);

    // Clocks are set back by an hour, so an overlap must be longer to show logs of different servers.
    private static readonly TimeSpan s_maxOverlap = TimeSpan.FromHours(1);

    private readonly bool _keepsEvents;
    private readonly Dictionary<string, ErrorLogFileSummary> _files = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<(string File, long Interval), ErrorLogInterval> _timeline = [];
    private readonly Dictionary<string, DateTime> _frozen = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<ErrorLogEvent> _events = [];
    private readonly List<ErrorLogSource> _logs = [];
    private readonly List<IoWarning> _warnings = [];
    private TimeSpan _interval;
    private ErrorLogEvent? _lastBackup;
    private ErrorLogEvent? _longestFlush;
    private ErrorLogEvent? _longestIO;
    private long _eventCount;

    /// <param name="interval">Length of the intervals of the timeline; null = one hour.</param>
    /// <param name="keepsEvents">Keeps the first <see cref="MaxKeptEvents"/> events for the result.</param>
    public ErrorLogAnalyzer(TimeSpan? interval = null, bool keepsEvents = false)
    {
        _interval = interval ?? DefaultInterval;
        ArgumentOutOfRangeException.ThrowIfLessThan(_interval, TimeSpan.FromSeconds(1));
        _keepsEvents = keepsEvents;
    }

    /// <summary>Adds an event. Events are added in the order of their logs.</summary>
    /// <returns>The event; when I/O was resumed, with the time since it was frozen.</returns>
    public ErrorLogEvent Add(ErrorLogEvent item)
    {
        item = MatchFreeze(item);
        _eventCount++;
        if (_keepsEvents && _events.Count < MaxKeptEvents)
            _events.Add(item);
        var file = GetFile(item);
        file.AddToSummary(item);
        AddToTimeline(file, item);
        switch (item.Kind)
        {
            case ErrorLogEventKind.LongIO when item.DurationMs > (_longestIO?.DurationMs ?? 0):
                _longestIO = item;
                break;
            case ErrorLogEventKind.SlowFlush when item.DurationMs > (_longestFlush?.DurationMs ?? -1):
                _longestFlush = item;
                break;
            case ErrorLogEventKind.BackupBuffers:
                _lastBackup = item;
                break;
        }
        return item;
    }

    /// <summary>Adds a log after its events.</summary>
    public void AddLog(ErrorLogReader log)
    {
        if (log is not { FirstTime: { } first, LastTime: { } last })
            return;
        if (_logs.Count > 0 && _logs[^1].Last - first > s_maxOverlap)
            _warnings.Add(
                new IoWarning(
                    "IoBench.ErrorLogOverlap",
                    $"{log.Path} begins before {_logs[^1].Path} ends. If one is a copy of the other, IoBench counts events twice. If they are logs of different servers, analyze them separately."
                )
            );
        if (log.IncompleteCount > 0)
            _warnings.Add(
                new IoWarning(
                    "IoBench.ErrorLogIncomplete",
                    $"{log.Path} contains {NumberFormat.Pluralize(log.IncompleteCount, "incomplete message")} about I/O, the first on line {log.FirstIncompleteLine}. The missing text of these messages is unknown. Analyze the original file instead."
                )
            );
        _logs.Add(new ErrorLogSource(log.Path, first, last, log.MessageCount));
    }

    public ErrorLogResult CreateResult()
    {
        foreach (var database in _frozen.Keys)
            CountWithoutResume(database);
        _frozen.Clear();
        if (_keepsEvents && _eventCount > _events.Count)
            _warnings.Add(
                new IoWarning(
                    "IoBench.ErrorLogManyEvents",
                    $"The output contains the first {_events.Count} of {_eventCount} events. The summary and the timeline contain all of them. To get all events, use CSV output."
                )
            );
        return new ErrorLogResult
        {
            Logs = [.. _logs],
            Files =
            [
                .. _files
                    .Values.OrderByDescending(file => file.IOErrors + file.InvalidPages)
                    .ThenByDescending(file => file.ReadRetries)
                    .ThenByDescending(file => file.LongIOMessages > 0)
                    .ThenByDescending(file => file.LongestLongIOMs)
                    .ThenByDescending(file => file.MinLongIOs)
                    .ThenByDescending(file => file.Observations)
                    .ThenByDescending(file => file.MisalignedIOs)
                    .ThenByDescending(file => file.LongestFlushMs)
                    .ThenByDescending(file => file.FreezesWithoutResume)
                    .ThenByDescending(file => file.LongestFreezeMs)
                    .ThenBy(file => file.ToString(), StringComparer.OrdinalIgnoreCase),
            ],
            Timeline = [.. _timeline.Values.OrderBy(item => item.Start).ThenBy(item => item.ToString(), StringComparer.OrdinalIgnoreCase)],
            Interval = _interval,
            EventCount = _eventCount,
            Events = [.. _events],
            Warnings = [.. _warnings],
            LongestIO = _longestIO,
            LongestFlush = _longestFlush,
            LastBackup = _lastBackup,
        };
    }

    private ErrorLogEvent MatchFreeze(ErrorLogEvent item)
    {
        if (item is not { Database: { } database, Kind: ErrorLogEventKind.IOFrozen or ErrorLogEventKind.IOResumed })
            return item;
        var wasFrozen = _frozen.Remove(database, out var since);
        if (item.Kind == ErrorLogEventKind.IOFrozen)
        {
            if (wasFrozen)
                CountWithoutResume(database);
            if (_frozen.Count < MaxFiles)
                _frozen[database] = item.Time;
            return item;
        }
        // The clock can have been set back meanwhile.
        return wasFrozen && item.Time >= since ? item with { DurationMs = (item.Time - since).TotalMilliseconds } : item;
    }

    private void CountWithoutResume(string database)
    {
        if (_files.TryGetValue(database, out var file))
            file.FreezesWithoutResume++;
    }

    private ErrorLogFileSummary GetFile(ErrorLogEvent item)
    {
        var name = ErrorLogCounts.GetName(item.Path, item.Database, item.DatabaseId);
        if (_files.TryGetValue(name, out var file))
            return file;
        if (_files.Count >= MaxFiles)
        {
            name = OtherFiles;
            if (_files.TryGetValue(name, out file))
                return file;
            return _files[name] = new ErrorLogFileSummary { Path = OtherFiles };
        }
        return _files[name] = new ErrorLogFileSummary();
    }

    private void AddToTimeline(ErrorLogFileSummary file, ErrorLogEvent item)
    {
        while (_timeline.Count >= MaxIntervals)
            CoarsenTimeline();
        GetInterval(file.ToString(), item.Time, () => file).Add(item);
    }

    private ErrorLogInterval GetInterval(string name, DateTime time, Func<ErrorLogCounts> getFile)
    {
        var number = time.Ticks / _interval.Ticks;
        if (_timeline.TryGetValue((name, number), out var interval))
            return interval;
        var file = getFile();
        interval = new ErrorLogInterval
        {
            Start = new DateTime(number * _interval.Ticks, DateTimeKind.Unspecified),
            Path = file.Path,
            Database = file.Database,
            DatabaseId = file.DatabaseId,
        };
        return _timeline[(name, number)] = interval;
    }

    /// <summary>Doubles the intervals until the timeline is small enough to read.</summary>
    private void CoarsenTimeline()
    {
        var old = _timeline.ToList();
        _timeline.Clear();
        _interval *= 2;
        foreach (var ((name, _), counts) in old)
            GetInterval(name, counts.Start, () => counts).AddAll(counts);
    }
}
