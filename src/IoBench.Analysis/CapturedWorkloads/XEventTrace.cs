using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>
/// Counts the file I/Os of a trace in windows of a second, and their sizes, order, and offsets. Memory does not depend on the number of
/// events: windows become longer if there are too many.
/// </summary>
internal sealed class XEventTrace
{
    private const int MaxCounts = 50_000;

    private const double MinSeconds = 10;

    /// <summary>More invalid events would change the rates by more than the sizes and the order are rounded.</summary>
    private const double MaxInvalidShare = 0.01;

    /// <summary>Numbers of two sessions differ by more, and numbers of one session are out of order by less.</summary>
    private const long MaxSequenceDisorder = 10_000;

    /// <summary>Every storage completes some I/Os in less time, because of its caches.</summary>
    private const long FastMs = 20;

    private const long MinIOsForDurations = 1000;

    /// <summary>Buffers of a session are written one after the other, so only few events are out of order, and only slightly.</summary>
    private static readonly TimeSpan s_maxDisorder = TimeSpan.FromSeconds(1);

    /// <summary>SQL Server is hardly ever without I/O for so long. The session probably did not run.</summary>
    private static readonly TimeSpan s_maxGap = TimeSpan.FromMinutes(1);

    private readonly Dictionary<(long, long), TracedFile> _files = [];
    private readonly Dictionary<(string Role, IoOperation Operation), Dictionary<long, long>> _sizes = [];
    private Dictionary<(int Window, TracedFile File), (FileStatsCount Reads, FileStatsCount Writes)> _counts = [];
    private int _windowSeconds = 1;
    private DateTimeOffset? _first;
    private DateTimeOffset _last;
    private bool _hasFractions;
    private TimeSpan _skipped;
    private int _gaps;
    private long _ignored;
    private long _invalid;
    private IoBenchException? _firstInvalid;
    private long _ios;
    private long _fastIOs;
    private long _firstSequence = long.MaxValue;
    private long _lastSequence;
    private long _sequenceCount;
    private long _lost;

    private XEventTrace(IReadOnlyList<string> paths) => Name = string.Join(", ", paths);

    /// <summary>Names of the files, for messages.</summary>
    public string Name { get; }

    public List<string> Warnings { get; } = [];

    /// <param name="paths">Files of one capture in any order.</param>
    /// <exception cref="IoBenchException">As <see cref="XEventReader.ReadEvents"/>, <c>IoBench.XEventOrder</c>, or
    /// <c>IoBench.TooFewXEvents</c>.</exception>
    public static XEventTrace Read(IReadOnlyList<string> paths)
    {
        var trace = new XEventTrace(paths);
        // Each file that rolled over is exported separately. A file without an event can be anywhere.
        var readers = paths
            .Select(path => new XEventReader(path))
            .Select(reader => (Reader: reader, Start: reader.ReadEvents().Select(item => (DateTimeOffset?)item.Time).FirstOrDefault()))
            .OrderBy(file => file.Start)
            .Select(file => file.Reader)
            .ToList();
        foreach (var reader in readers)
        {
            foreach (var item in reader.ReadEvents())
                trace.Add(item, reader.Path);
            trace._invalid += reader.InvalidCount;
            trace._firstInvalid ??= reader.FirstInvalid;
        }
        trace.Finish();
        if (readers.Count > 1 && readers.Find(reader => reader.IsDayOrderAssumed) is { } assumed)
            trace.Warn(
                WarningCodes.XEventDates,
                $"The dates in {assumed.Path} do not show whether the day or the month is first. IoBench assumes that the month is first, so the order of the files can be wrong. Export the times in the format yyyy-MM-dd, or export the events as XML."
            );
        return trace;
    }

    private void Add(XEvent item, string path)
    {
        CountSequence(item.Sequence);
        var gap = item.Time - _last;
        if (_first is null)
            _first = item.Time;
        else if (gap < -s_maxDisorder)
            throw IoBenchException.InvalidData(
                "IoBench.XEventOrder",
                $"{path}: an event at {item.Time:u} follows a later event at {_last:u}. Either the clock of the server was set back, the events are not in their original order, or several files contain the same events.",
                path,
                advice: "Export each event only once, and do not sort the events. If the clock was set back, capture the events again."
            );
        else if (gap > s_maxGap)
        {
            _skipped += gap;
            _gaps++;
        }
        if (item.Time > _last)
            _last = item.Time;
        _hasFractions |= item.Time.Ticks % TimeSpan.TicksPerSecond != 0;
        if (item.Operation is not { } operation)
            return;
        if (item.FileId == 0)
        {
            _ignored++;
            return;
        }
        if (!_files.TryGetValue((item.DatabaseId, item.FileId), out var file))
            _files.Add((item.DatabaseId, item.FileId), file = new TracedFile(item));
        _ios++;
        if (item.DurationMs < FastMs)
            _fastIOs++;
        file.Add(operation, item.Offset, item.Size);
        CountSize(file.Row.Role, operation, item.Size);
        CountInWindow(file, operation, new FileStatsCount(1, item.Size, item.DurationMs));
    }

    private void CountSequence(long? sequence)
    {
        if (sequence is not { } number)
            return;
        // The session was started again. Its buffers are not written in the order of the numbers.
        if (_sequenceCount > 0 && (number == _firstSequence || number < _firstSequence - MaxSequenceDisorder))
            EndSequence();
        _firstSequence = Math.Min(_firstSequence, number);
        _lastSequence = Math.Max(_lastSequence, number);
        _sequenceCount++;
    }

    private void EndSequence()
    {
        // The first numbers of a session can count in the session before, which cancels out in the sum.
        if (_sequenceCount > 0)
            _lost += _lastSequence - _firstSequence + 1 - _sequenceCount;
        _firstSequence = long.MaxValue;
        _lastSequence = 0;
        _sequenceCount = 0;
    }

    private void CountSize(string role, IoOperation operation, long size)
    {
        if (!_sizes.TryGetValue((role, operation), out var counts))
            _sizes.Add((role, operation), counts = []);
        var unit = CapturedWorkload.GetSizeUnit(role);
        var rounded = Math.Max(unit, (size + unit / 2) / unit * unit);
        counts[rounded] = counts.GetValueOrDefault(rounded) + 1;
    }

    private void CountInWindow(TracedFile file, IoOperation operation, FileStatsCount count)
    {
        var key = ((int)((_last - _first!.Value - _skipped).TotalSeconds / _windowSeconds), file);
        AddCount(_counts, key, operation == IoOperation.Read ? (count, default) : (default, count));
        while (_counts.Count > MaxCounts && _counts.Keys.Any(at => at.Window > 0))
        {
            Dictionary<(int, TracedFile), (FileStatsCount, FileStatsCount)> longer = [];
            foreach (var ((window, of), counts) in _counts)
                AddCount(longer, (window / 2, of), counts);
            _counts = longer;
            _windowSeconds *= 2;
        }
    }

    private static void AddCount(
        Dictionary<(int, TracedFile), (FileStatsCount, FileStatsCount)> counts,
        (int, TracedFile) key,
        (FileStatsCount Reads, FileStatsCount Writes) count
    )
    {
        var (reads, writes) = counts.GetValueOrDefault(key);
        counts[key] = (reads + count.Reads, writes + count.Writes);
    }

    /// <summary>Time from the first to the last event. In whole seconds, the last second is complete.</summary>
    private double Seconds => (_last - (_first ?? _last) - _skipped).TotalSeconds + (_hasFractions ? 0 : 1);

    private void Finish()
    {
        EndSequence();
        if (_firstInvalid is not null && _invalid > MaxInvalidShare * (_ios + _invalid))
            throw _firstInvalid;
        if (_counts.Count == 0)
            throw IoBenchException.InvalidData(
                "IoBench.NoXEvents",
                $"{Name} contains no file_read_completed or file_write_completed events of database files.",
                advice: "Capture these events, for example with docs/examples/capture-io.sql."
            );
        if (Seconds < MinSeconds)
            throw IoBenchException.InvalidData(
                "IoBench.TooFewXEvents",
                $"The events of {Name} cover only {NumberFormat.Short(Seconds, 1, 100)} s. To calculate rates, IoBench requires at least {MinSeconds} s.",
                advice: "Capture a few minutes of a busy period."
            );
        // Invalid events have numbers, which are not counted.
        var lost = _lost - _invalid;
        if (lost > 0)
            Warn(
                WarningCodes.XEventsLost,
                $"Gaps in the sequence numbers of the events show that the session lost {NumberFormat.Pluralize(lost, "event")}, so the calculated rates are too low. Capture the events again with a higher MAX_MEMORY."
            );
        if (_gaps > 0)
            Warn(
                WarningCodes.XEventGap,
                $"The trace contains no events in {NumberFormat.Pluralize(_gaps, "period")} of more than {s_maxGap.TotalSeconds} s ({NumberFormat.Duration(_skipped.TotalSeconds)} in total). IoBench excludes this time from the rates."
            );
        if (_ignored > 0)
            Warn(
                WarningCodes.XEventsIgnored,
                $"IoBench ignores {NumberFormat.Pluralize(_ignored, "I/O")} on files that do not belong to a database, such as backup files."
            );
        if (_firstInvalid is not null)
            Warn(
                WarningCodes.XEventsInvalid,
                $"IoBench ignores {NumberFormat.Pluralize(_invalid, "event")} with a missing or invalid field. The first is {_firstInvalid.Message}"
            );
        if (_ios >= MinIOsForDurations && _fastIOs < 0.01 * _ios)
            Warn(
                WarningCodes.XEventDurations,
                $"Almost all I/Os have a duration value of {FastMs} or more. IoBench interprets these values as milliseconds. If they are microseconds, the observed latency is 1,000 times too high."
            );
        if (_files.Values.All(file => file.Row.PhysicalName is null))
            Warn(
                WarningCodes.NoFileTypes,
                "The events have no paths, so IoBench assumes that file 2 of each database is its log. To include paths, set collect_path = (1) in the Extended Events session."
            );
    }

    private void Warn(string code, IoMessage text) => Warnings.Add($"{text} [{code}]");

    /// <summary>Returns the windows from the first to the last event. The last one includes the incomplete window after it.</summary>
    public IReadOnlyList<FileStatsWindow> CreateWindows()
    {
        var count = Math.Max(1, (int)(Seconds / _windowSeconds));
        var files = _counts.ToLookup(
            entry => Math.Min(entry.Key.Window, count - 1),
            entry => (entry.Key.File.Row, entry.Value.Reads, entry.Value.Writes)
        );
        return
        [
            .. Enumerable
                .Range(0, count)
                .Select(i => new FileStatsWindow(
                    i < count - 1 ? _windowSeconds : Seconds - (count - 1) * (double)_windowSeconds,
                    [.. files[i]]
                )),
        ];
    }

    public CapturedShape? FindShape(string role, IoOperation operation)
    {
        if (!_sizes.TryGetValue((role, operation), out var sizes))
            return null;
        var files = _files.Values.Where(file => file.Row.Role == role).ToList();
        var all = _sizes.Where(entry => entry.Key.Role == role).Sum(entry => entry.Value.Values.Sum());
        var count = sizes.Values.Sum();
        return new CapturedShape(
            CreateShares(sizes, CapturedWorkload.GetSizeUnit(role)),
            (int)Math.Round(100.0 * files.Sum(file => file.CountSequential(operation)) / count),
            FindHotSpots(files, operation),
            (int)Math.Round(100.0 * count / all)
        );
    }

    /// <summary>Each percent of the I/Os, in the order of size, gets its median size. The largest percent gets its mean, which keeps the
    /// throughput of rare, large I/Os.</summary>
    private static List<IoBlockShare> CreateShares(Dictionary<long, long> counts, long unit)
    {
        var sizes = counts.OrderBy(entry => entry.Key).ToList();
        var total = sizes.Sum(entry => entry.Value);
        List<IoBlockShare> shares = [];
        foreach (var step in new[] { 1, 2 })
        {
            var parts = 100 / step;
            var largest = GetMeanOfLargest(sizes, (double)total / parts);
            shares =
            [
                .. Enumerable
                    .Range(0, parts)
                    .Select(i => i == parts - 1 ? (long)Math.Round(largest / unit) * unit : GetSizeAt(sizes, (i + 0.5) * total / parts))
                    .GroupBy(size => size)
                    .OrderBy(group => group.Key)
                    .Select(group => new IoBlockShare(group.Key, group.Count() * step)),
            ];
            if (shares.Count <= IoBlockMix.MaxSizes)
                break;
        }
        return shares;
    }

    private static long GetSizeAt(List<KeyValuePair<long, long>> sizes, double position)
    {
        foreach (var (size, count) in sizes)
        {
            position -= count;
            if (position < 0)
                return size;
        }
        return sizes[^1].Key;
    }

    private static double GetMeanOfLargest(List<KeyValuePair<long, long>> sizes, double count)
    {
        var rest = count;
        var sum = 0.0;
        for (var i = sizes.Count - 1; i >= 0 && rest > 0; i--)
        {
            var used = Math.Min(rest, sizes[i].Value);
            sum += used * sizes[i].Key;
            rest -= used;
        }
        return sum / count;
    }

    /// <summary>Joins neighboring percent of the files whose numbers of random I/Os differ no more than by chance.</summary>
    private static List<IoDistributionRange> FindHotSpots(List<TracedFile> files, IoOperation operation)
    {
        var cells = new double[100];
        foreach (var file in files)
            file.AddOffsets(operation, cells);
        var total = cells.Sum();
        List<(double IOs, int Percent)> ranges = [];
        foreach (var cell in cells)
        {
            if (ranges.Count > 0 && IsSimilar(cell, ranges[^1].IOs / ranges[^1].Percent))
                ranges[^1] = (ranges[^1].IOs + cell, ranges[^1].Percent + 1);
            else
                ranges.Add((cell, 1));
        }
        if (ranges.Count == 1 || total == 0)
            return [];
        // Round the sum, not each range, so that the total is 100%.
        List<IoDistributionRange> result = [];
        var sum = 0.0;
        foreach (var (ios, percent) in ranges)
        {
            var before = (int)Math.Round(100 * sum / total);
            sum += ios;
            result.Add(new IoDistributionRange((int)Math.Round(100 * sum / total) - before, percent));
        }
        return result;

        static bool IsSimilar(double count, double mean) => Math.Abs(count - mean) <= 0.2 * mean + 4 * Math.Sqrt(Math.Max(mean, 1));
    }

    /// <summary>Order and offsets of the I/Os of a file.</summary>
    private sealed class TracedFile(XEvent first)
    {
        private readonly TracedOffsets?[] _offsets = new TracedOffsets?[2];
        private long _end;

        public FileStatsRow Row { get; } =
            new()
            {
                DatabaseId = first.DatabaseId,
                FileId = first.FileId,
                PhysicalName = first.Path,
                SampleMs = 0,
                Reads = 0,
                BytesRead = 0,
                ReadStallMs = 0,
                Writes = 0,
                BytesWritten = 0,
                WriteStallMs = 0,
            };

        public long CountSequential(IoOperation operation) => Find(operation)?.SequentialCount ?? 0;

        public void Add(IoOperation operation, long offset, long size)
        {
            (Find(operation) ??= new TracedOffsets()).Add(offset, size);
            _end = Math.Max(_end, offset + size);
        }

        /// <summary>Adds the random I/Os to the percent of the file that they start in. The highest offset shows the size of the
        /// file.</summary>
        public void AddOffsets(IoOperation operation, double[] cells) => Find(operation)?.AddTo(cells, _end);

        private ref TracedOffsets? Find(IoOperation operation) => ref _offsets[operation == IoOperation.Read ? 0 : 1];
    }

    private sealed class TracedOffsets
    {
        /// <summary>Concurrent scans interleave their I/Os.</summary>
        private const int MaxStreams = 16;

        // The most recent first. The first I/O of a stream counts as random.
        private readonly List<(long Start, long End, long FirstOffset)> _streams = new(MaxStreams + 1);
        private readonly int[] _counts = new int[512];
        private long _part = 8192;

        public long SequentialCount { get; private set; }

        public void Add(long offset, long size)
        {
            var stream = (Start: offset, End: offset + size, FirstOffset: offset);
            var before = _streams.FindIndex(other => other.End == stream.Start);
            if (before >= 0)
            {
                stream = stream with { Start = _streams[before].Start, FirstOffset = _streams[before].FirstOffset };
                _streams.RemoveAt(before);
            }
            // Read-ahead has several outstanding reads, which complete in any order.
            var after = _streams.FindIndex(other => other.Start == stream.End);
            if (after >= 0)
            {
                var next = _streams[after];
                _streams.RemoveAt(after);
                if (before >= 0)
                    MoveToSequential(next.FirstOffset);
                else
                    stream.FirstOffset = next.FirstOffset;
                stream.End = next.End;
            }
            _streams.Insert(0, stream);
            if (_streams.Count > MaxStreams)
                _streams.RemoveAt(MaxStreams);
            if (before >= 0 || after >= 0)
            {
                SequentialCount++;
                return;
            }
            while (offset / _part >= _counts.Length)
                DoublePart();
            _counts[offset / _part]++;
        }

        private void MoveToSequential(long firstOffset)
        {
            SequentialCount++;
            _counts[firstOffset / _part]--;
        }

        private void DoublePart()
        {
            for (var i = 0; i < _counts.Length; i++)
                _counts[i] = 2 * i < _counts.Length ? _counts[2 * i] + _counts[2 * i + 1] : 0;
            _part *= 2;
        }

        public void AddTo(double[] cells, long end)
        {
            for (var i = 0; i < _counts.Length; i++)
            {
                if (_counts[i] == 0)
                    continue;
                var from = (double)i * _part * cells.Length / end;
                var to = Math.Min((double)(i + 1) * _part * cells.Length / end, cells.Length);
                for (var cell = (int)from; cell < to; cell++)
                    cells[cell] += _counts[i] * (Math.Min(cell + 1, to) - Math.Max(cell, from)) / (to - from);
            }
        }
    }
}
