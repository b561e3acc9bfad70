using System.Globalization;

namespace IoBench.Formats;

internal sealed record FioJobHeader(string Name, int Group, string Kind, long? ReadBlock, long? WriteBlock, string? Engine, int? Depth);

internal sealed class FioTextParser
{
    private const int MaxAnnouncements = 10_000;

    private readonly List<FioJobHeader> _announced = [];
    private List<FioJobHeader> _lastAnnounced = [];
    private string? _lastVersion;
    private FioJob? _job;
    private FioTextJobParser? _block;
    private readonly Dictionary<(long ProcessId, string Name, int Group), int> _places = [];
    private bool _inDevices;
    private readonly List<string> _devices = [];

    internal string? Version { get; private set; }

    internal List<FioJob> Jobs { get; } = [];

    private bool _sawBlock;

    internal bool IsStartOfNextRun(ReadOnlySpan<char> line) => _sawBlock && IsAnnouncement(line);

    private static bool IsAnnouncement(ReadOnlySpan<char> line) => line.IndexOf(": (g=") > 0 && line.IndexOf("rw=") > 0;

    internal bool TryParseLine(ReadOnlySpan<char> line, int number)
    {
        if (IsAnnouncement(line))
        {
            EndJob();
            AddAnnouncement(line);
            return true;
        }
        if (line.StartsWith("fio-") && line.Length > 4 && char.IsAsciiDigit(line[4]) && line.IndexOf(' ') < 0)
        {
            Version = line[4..].ToString();
            return true;
        }
        if (line.IndexOf(": (groupid=") is > 0 and var at && line.IndexOf("err=") > at)
        {
            EndJob();
            BeginJob(line, at, number);
            return true;
        }
        if (line.StartsWith("Disk stats"))
        {
            EndJob();
            _inDevices = true;
            return true;
        }
        if (_inDevices && line.IndexOf(": ios=") is > 0 and var end)
        {
            if (_devices.Count < 2)
                _devices.Add(line[..end].Trim().ToString());
            return true;
        }
        if (line.StartsWith("Run status group"))
        {
            EndJob();
            return true;
        }
        return _block is not null && _block.TryParseLine(line);
    }

    /// <summary>Creates a job without results from the announcements of a run that failed before its results.</summary>
    internal FioJob CreateAnnouncedJob()
    {
        var job = new FioJob
        {
            OutputKind = FioOutputKind.Normal,
            Line = 1,
            Name = string.Join('+', _lastAnnounced.Select(header => header.Name).Distinct().Take(10)),
            ToolVersion = _lastVersion,
        };
        _announced.AddRange(_lastAnnounced);
        job.Options = GetAnnouncedOptions(job);
        _announced.Clear();
        job.HasOnlyAnnouncedOptions = job.Options is not null;
        return job;
    }

    internal List<FioJob> EndRun(bool isCut)
    {
        if (_announced.Count > 0)
        {
            _lastAnnounced = [.. _announced];
            _lastVersion = Version;
        }
        if (isCut && _block is { IsComplete: false })
            _job!.IncompleteReason = string.Create(
                CultureInfo.InvariantCulture,
                $"Line {_job.Line}: the text ends in the middle of the results of this job."
            );
        EndJob();
        var jobs = Jobs.ToList();
        foreach (var job in jobs)
        {
            job.Device = _devices.Count == 1 ? _devices[0] : null;
            job.ToolVersion = Version;
        }
        Jobs.Clear();
        _places.Clear();
        _devices.Clear();
        _announced.Clear();
        Version = null;
        _inDevices = false;
        _sawBlock = false;
        return jobs;
    }

    private void EndJob()
    {
        if (_job is not null)
            AddJob(_job);
        _job = null;
        _block = null;
    }

    /// <summary>With <c>--status-interval</c>, a job is printed several times with the same process id; the last one applies.</summary>
    private void AddJob(FioJob job)
    {
        var key = (job.ProcessId ?? -1, job.Name, job.Group);
        if (job.ProcessId is null || !_places.TryGetValue(key, out var at) || Jobs[at].LongestRuntimeMs > job.LongestRuntimeMs)
        {
            _places[key] = Jobs.Count;
            Jobs.Add(job);
            return;
        }
        job.EarlierOutputCount = Jobs[at].EarlierOutputCount + 1;
        Jobs[at] = job;
    }

    private void AddAnnouncement(ReadOnlySpan<char> line)
    {
        if (_announced.Count >= MaxAnnouncements)
            return;
        var group = line[(line.IndexOf(": (g=") + 5)..];
        var (read, write) = FioTextParser.ParseBlockSizes(line);
        _announced.Add(
            new FioJobHeader(
                line[..line.IndexOf(": (g=")].Trim().ToString(),
                (int)Math.Min(int.MaxValue, FioValueParser.ParseInteger(group[..Math.Max(0, group.IndexOf(')'))]) ?? 0),
                FioValueParser.FindValue(line, "rw").ToString(),
                read,
                write,
                FioValueParser.FindValue(line, "ioengine") is { IsEmpty: false } engine ? engine.ToString() : null,
                FioValueParser.ParseInteger(FioValueParser.FindValue(line, "iodepth")) is <= int.MaxValue and var depth ? (int)depth : null
            )
        );
    }

    private void BeginJob(ReadOnlySpan<char> line, int nameEnd, int number)
    {
        _sawBlock = true;
        var job = new FioJob
        {
            OutputKind = FioOutputKind.Normal,
            Line = number,
            Name = line[..nameEnd].Trim().ToString(),
            ToolVersion = Version,
        };
        var rest = line[(nameEnd + 2)..];
        job.Group = (int)Math.Min(int.MaxValue, FioValueParser.ParseInteger(FioValueParser.FindValue(rest, "groupid")) ?? 0);
        job.MemberCount = FioValueParser.ParseInteger(FioValueParser.FindValue(rest, "jobs")) is > 0 and <= 1_000_000 and var members
            ? (int)members
            : null;
        job.Error = (int)
            Math.Min(int.MaxValue, FioValueParser.ParseInteger(FioValueParser.FindValue(rest[rest.IndexOf("err=")..], "err")) ?? 0);
        if (job.Error != 0 && rest.LastIndexOf("error=") is > 0 and var text && rest[text..].IndexOf("):") is >= 6 and var close)
            job.ErrorText = rest[(text + 6)..(text + close)].ToString();
        // "groupid=" contains "pid=" too.
        if (rest.IndexOf(" pid=") is >= 0 and var pid && rest[pid..].IndexOf(": ") is > 0 and var time)
        {
            job.ProcessId = FioValueParser.ParseInteger(rest[(pid + 5)..(pid + time)]);
            job.TimeText = rest[(pid + time + 2)..].Trim().ToString();
        }
        job.HasNanosecondBuckets = Version is null || !Version.StartsWith("2.", StringComparison.Ordinal);
        job.Options = GetAnnouncedOptions(job);
        job.HasOnlyAnnouncedOptions = job.Options is not null;
        _job = job;
        _block = new FioTextJobParser(job);
    }

    private FioOptions? GetAnnouncedOptions(FioJob job)
    {
        var group = _announced.Where(a => a.Group == job.Group).ToList();
        // Only the entry of a group represents several announced jobs.
        if (job.MemberCount == 1)
            group = group.FindAll(a => a.Name == job.Name);
        if (group.Count == 0)
            return null;
        var options = new FioOptions();
        Set("rw", a => a.Kind);
        Set("ioengine", a => a.Engine);
        Set("iodepth", a => a.Depth?.ToString(CultureInfo.InvariantCulture));
        Set(
            "bs",
            a => a is { ReadBlock: { } read, WriteBlock: { } write } ? string.Create(CultureInfo.InvariantCulture, $"{read},{write}") : null
        );
        return options;

        void Set(string name, Func<FioJobHeader, string?> value)
        {
            var values = group.Select(value).Distinct().Take(2).ToList();
            if (values is [{ Length: > 0 } only])
                options.Set(name, only);
        }
    }

    /// <summary>Parses the bytes per read and per write of an announcement; null for a range or invalid text.</summary>
    internal static (long? Read, long? Write) ParseBlockSizes(ReadOnlySpan<char> line)
    {
        var at = line.IndexOf("bs=");
        if (at < 0)
            return default;
        var text = line[(at + 3)..];
        if (text.StartsWith("(R) "))
        {
            var write = text.IndexOf("(W) ");
            return (ParseBlockSize(text[4..]), write < 0 ? null : ParseBlockSize(text[(write + 4)..]));
        }
        var end = text.IndexOf(", ");
        var parts = (end < 0 ? text : text[..end]).ToString().Split('/', ',');
        return (ParseBlockSize(parts[0]), parts.Length > 1 ? ParseBlockSize(parts[1]) : ParseBlockSize(parts[0]));
    }

    /// <summary>Parses <c>8192B-8192B</c> or <c>8K-8K</c>; null if the two sizes differ.</summary>
    private static long? ParseBlockSize(ReadOnlySpan<char> text)
    {
        var end = text.IndexOfAny(", ");
        if (end >= 0)
            text = text[..end];
        var dash = text.IndexOf('-');
        if (dash <= 0)
            return null;
        var low = FioValueParser.ParseBytes(text[..dash], 1024);
        return low == FioValueParser.ParseBytes(text[(dash + 1)..], 1024) && low is >= 1 and < 1e15 && low == Math.Floor(low.Value)
            ? (long)low
            : null;
    }
}
