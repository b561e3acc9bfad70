using System.Globalization;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A saved text has result rows, and below them the settings that apply to all of its rows.</summary>
internal sealed partial class CrystalDiskMarkParser(string? sourceFile)
{
    private const int MaxRows = 200;
    private const double Megabyte = 1e6;

    /// <summary>KDiskMark divides fio's KiB/s by 1,000 and prints the quotient as MB/s.</summary>
    private const double KDiskMarkMegabyte = 1_024_000;

    private readonly List<(CrystalDiskMarkRow Row, int? WritePercent, int Line)> _rows = [];
    private readonly Dictionary<string, string> _settings = new(StringComparer.Ordinal);
    private readonly Queue<IoTestResult> _results = new();
    private string _source = CrystalDiskMarkFormat.Source;
    private string? _version;
    private string? _fioVersion;
    private int? _section;
    private bool _inSection;
    private bool _expectsComment;

    internal IEnumerable<IoTestResult> DequeueResults()
    {
        while (_results.TryDequeue(out var result))
            yield return result;
    }

    internal void ParseLine(ReadOnlySpan<char> line, int number)
    {
        if (ParseRow(line) is { } row)
        {
            AddRow(row, number);
            return;
        }
        if (NormalizeLine(line) is not { } clean)
        {
            _expectsComment = false;
            return;
        }
        if (ParseVersion(clean) is { } version)
        {
            EndText();
            _source = version.Source;
            _version = version.Version;
        }
        else if (GetFioVersionRegex().Match(clean) is { Success: true } fio)
        {
            _fioVersion = fio.Groups[1].Value;
        }
        else if (clean[0] == '[')
        {
            ParseSection(clean);
        }
        else if (ParseSetting(clean) is { } setting && _rows.Count > 0)
        {
            _settings.TryAdd(setting.Name, setting.Value.Trim());
            _expectsComment = setting.Name == "OS";
        }
        else if (_expectsComment && clean[0] is not ('-' or '`' or '['))
        {
            // Through version 6, the comment follows without a name.
            _settings.TryAdd("Comment", clean);
            _expectsComment = false;
        }
    }

    private void AddRow(CrystalDiskMarkRow row, int number)
    {
        // The next saved text begins, without its heading.
        if (_settings.Count > 0 || _rows.Count >= MaxRows)
            EndText(keepVersion: true);
        // Both tools print all rows. A test that did not run has 0.
        if (row.MegabytesPerSecond > 0)
            _rows.Add(
                (
                    row,
                    row.IsWrite switch
                    {
                        true => 100,
                        false => 0,
                        null => _inSection ? _section : null,
                    },
                    number
                )
            );
        _expectsComment = false;
    }

    private void ParseSection(string clean)
    {
        if (clean.StartsWith("[Read]", StringComparison.Ordinal))
        {
            _inSection = true;
            _section = 0;
        }
        else if (clean.StartsWith("[Write]", StringComparison.Ordinal))
        {
            _inSection = true;
            _section = 100;
        }
        else if (clean.StartsWith("[Mix]", StringComparison.Ordinal))
        {
            _inSection = true;
            _section = ParseWritePercent(clean);
        }
    }

    private static int? ParseWritePercent(string clean)
    {
        var at = clean.IndexOf("Write ", StringComparison.Ordinal);
        var end = at < 0 ? -1 : clean.IndexOf('%', at);
        return
            end > 0
            && int.TryParse(clean.AsSpan(at + 6, end - at - 6), NumberStyles.None, CultureInfo.InvariantCulture, out var share)
            && share is > 0 and < 100
            ? share
            : -1;
    }

    /// <summary>Ends a saved text. Only now are the settings of its rows known.</summary>
    internal void EndText(bool keepVersion = false)
    {
        foreach (var (row, writePercent, line) in _rows)
            _results.Enqueue(CreateResult(row, writePercent, line));
        if (_rows.Count > 0 && !_settings.ContainsKey("Test"))
            _results
                .ToArray()[^1]
                .Warnings.Add(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"Line {_rows[^1].Line}: the size of the test file is missing. The text is incomplete."
                    )
                );
        _rows.Clear();
        _settings.Clear();
        _inSection = false;
        _section = null;
        _expectsComment = false;
        if (keepVersion)
            return;
        _version = null;
        _fioVersion = null;
    }

    private IoTestResult CreateResult(CrystalDiskMarkRow row, int? writePercent, int line)
    {
        var blockSize = GetBlockSize(row);
        var megabyte = GetMegabyte(row, blockSize);
        var result = new IoTestResult
        {
            Source = _source,
            SourceFile = sourceFile,
            SourceLine = line,
            ToolVersion = _version,
            Label = _settings.GetValueOrDefault("Comment") is { Length: > 0 } comment ? comment : null,
            BlockSizeKB = blockSize / 1024.0,
            Operation = writePercent switch
            {
                null => null,
                0 => IoOperation.Read,
                100 => IoOperation.Write,
                _ => IoOperation.Mixed,
            },
            WritePercent = writePercent is -1 ? null : writePercent,
            AccessPattern = row.IsRandom ? IoAccessPattern.Random : IoAccessPattern.Sequential,
            LoadModel = IoLoadModel.Closed,
            BandwidthMBps = row.MegabytesPerSecond * megabyte / (1 << 20),
            IOPS = row.Iops,
            AverageLatencyMs = row.Microseconds is > 0 ? row.Microseconds / 1000 : null,
        };
        result.IOPattern = PatternText.Describe(result.BlockSizeKB, result.AccessPattern, result.WritePercent);
        SetOutstanding(result, row);
        SetReadOrWrite(result);
        SetSettings(result);
        if (_source == CrystalDiskMarkFormat.KDiskMarkSource)
            AddKDiskMarkWarnings(result, row, megabyte);
        return result;
    }

    /// <summary>Bytes of one MB. KDiskMark's unit differs from its heading, so the IOPS of the row decide.</summary>
    private double GetMegabyte(CrystalDiskMarkRow row, long? blockSize)
    {
        if (_source != CrystalDiskMarkFormat.KDiskMarkSource || blockSize is not { } block || row.Iops is not > 0)
            return Megabyte;
        var bytes = row.Iops.Value * block;
        return Math.Abs(bytes - row.MegabytesPerSecond * KDiskMarkMegabyte) < Math.Abs(bytes - row.MegabytesPerSecond * Megabyte)
            ? KDiskMarkMegabyte
            : Megabyte;
    }

    private void AddKDiskMarkWarnings(IoTestResult result, CrystalDiskMarkRow row, double megabyte)
    {
        if (megabyte == KDiskMarkMegabyte)
            result.Warnings.Add(
                "The IOPS and the block size show that 1 MB is 1,024,000 bytes in this KDiskMark version. IoBench converts the throughput accordingly."
            );
        if (row.Threads > 1 && IsBeforeGroupReporting(_version))
            result.Warnings.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"KDiskMark {_version ?? "before 3.3"} can report an incorrect throughput for {row.Threads} threads, such as half of the actual value. Repeat the test with KDiskMark 3.3 or later."
                )
            );
    }

    /// <summary>KDiskMark 3.3 lets fio report the threads as one group. Earlier versions add up jobs that do not run
    /// concurrently.</summary>
    private static bool IsBeforeGroupReporting(string? version) => !Version.TryParse(version, out var number) || number < new Version(3, 3);

    /// <summary>Versions 5 and 6 do not print the block size of sequential tests with queues. It is 128 KiB.</summary>
    private long? GetBlockSize(CrystalDiskMarkRow row) =>
        row.BlockSize
        ?? (row is { IsRandom: false, Queues: not null } && _version is not null && _version[0] is '5' or '6' ? 128 * 1024 : null);

    private static void SetOutstanding(IoTestResult result, CrystalDiskMarkRow row)
    {
        // "(T= 1)" alone means one I/O at a time. "(QD=32)" of version 3 is the total; the number of threads is not stated.
        var queues = row.Queues ?? (row.Threads is not null ? 1 : null);
        result.ThreadCount = row.Threads;
        result.OutstandingIO = row.Threads is not null ? queues : null;
        result.TotalOutstanding = (row.Threads, queues) switch
        {
            ({ } t, { } q) when (long)t * q <= int.MaxValue => t * q,
            (null, { } q) => q,
            _ => null,
        };
        if (result.TotalOutstanding is { } total && result.IOPS > 0)
            result.LittlesLawLatencyMs = total / result.IOPS * 1000;
    }

    private static void SetReadOrWrite(IoTestResult result)
    {
        if (result.Operation == IoOperation.Read)
        {
            result.ReadMBps = result.BandwidthMBps;
            result.ReadIOPS = result.IOPS;
            result.ReadAverageLatencyMs = result.AverageLatencyMs;
        }
        else if (result.Operation == IoOperation.Write)
        {
            result.WriteMBps = result.BandwidthMBps;
            result.WriteIOPS = result.IOPS;
            result.WriteAverageLatencyMs = result.AverageLatencyMs;
        }
    }

    private void SetSettings(IoTestResult result)
    {
        foreach (var (name, value) in _settings)
        {
            if (value.Length > 0 && name is not "OS" and not "Comment")
                result.ToolDetails[name] = value;
        }
        if (_fioVersion is not null)
            result.ToolDetails["fio"] = _fioVersion;
        if (_settings.TryGetValue("OS", out var system) && system.Length > 0)
            result.Host[HostFacts.OperatingSystemFact] = system;
        if (_settings.TryGetValue("Test", out var test))
        {
            result.FileSizeMB = ParseFileSize(test);
            result.Path = ParseDrive(test);
            result.TargetCount = result.Path is null ? null : 1;
        }
        // "Measure 5 sec / Interval 5 sec"
        if (_settings.TryGetValue("Time", out var time) && time.StartsWith("Measure ", StringComparison.Ordinal))
            result.DurationSeconds = ToolNumberParser.ParseLeadingInt32(time.AsSpan(8)) is > 0 and var seconds ? seconds : null;
        if (_source == CrystalDiskMarkFormat.KDiskMarkSource)
            SetKDiskMarkSettings(result);
    }

    private void SetKDiskMarkSettings(IoTestResult result)
    {
        if (_settings.TryGetValue("Target", out var target) && GetTargetRegex().Match(target) is { Success: true } match)
        {
            result.Path = match.Groups[1].Value;
            result.TargetCount = 1;
            result.Device = match.Groups[2].Length > 0 ? match.Groups[2].Value : null;
        }
        if (GetMeasureRegex().Match(_settings.GetValueOrDefault("Test", "")) is { Success: true } measure)
            result.DurationSeconds = ToolNumberParser.ParseLeadingInt32(measure.Groups[1].ValueSpan) is > 0 and var count
                ? count * (measure.Groups[2].Value == "min" ? 60 : 1)
                : null;
        // KDiskMark states when the text was saved, without a time zone.
        if (
            DateTimeOffset.TryParseExact(
                _settings.GetValueOrDefault("Date"),
                s_dateFormats,
                CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal,
                out var saved
            )
        )
            result.StartTime = saved;
    }

    private static readonly string[] s_dateFormats = ["yyyy-MM-dd HH:mm:ss", "yyyy/MM/dd HH:mm:ss"];

    /// <summary>Returns the size in MiB of <c>1 GiB (x5) [E: 96% (894/932GiB)]</c>. Null for version 3, whose MB are ambiguous.</summary>
    private static double? ParseFileSize(string test)
    {
        var words = test.Split(' ');
        if (words.Length < 2 || ToolNumberParser.ParseLeadingInteger(words[0]) is not (> 0 and < 1 << 30 and var size))
            return null;
        return words[1] switch
        {
            "MiB" => size,
            "GiB" => size * 1024.0,
            _ => null,
        };
    }

    private static string? ParseDrive(string test)
    {
        foreach (var part in test.Split('[').Skip(1))
        {
            if (part.Length > 1 && part[1] == ':' && char.IsAsciiLetter(part[0]))
                return part[..2];
        }
        return null;
    }

    private const int LongestRow = 300;

    private const string Quotation = " \t>/*#";

    // Only single spaces occur here, so no text can match in several ways.
    [GeneratedRegex(
        @"^(Sequential|SEQ|Random|RND)( Read| Write)?( \d+ ?[KM]i?B)?( \(.{1,30}\))? ?: ?([\d.,]+) MB/s( \[ ?[\d.,]+ IOPS ?\]?)?( < ?[\d.,]+ us ?>)?",
        RegexOptions.CultureInvariant
    )]
    private static partial Regex GetRowRegex();

    [GeneratedRegex(@"^(Profile|Test|Mode|Time|Date|OS|Comment|Target) ?: ?(.*)$", RegexOptions.CultureInvariant)]
    private static partial Regex GetSettingRegex();

    [GeneratedRegex(@"^(CrystalDiskMark|KDiskMark) \(?([0-9][^ ():]{0,30})", RegexOptions.CultureInvariant)]
    private static partial Regex GetHeadingRegex();

    [GeneratedRegex(@"^Flexible I/O Tester \((fio-[^ ()]{1,30})\)", RegexOptions.CultureInvariant)]
    private static partial Regex GetFioVersionRegex();

    /// <summary>Example: 1 GiB (x3) [Measure: 5 sec / Interval: 5 sec]</summary>
    [GeneratedRegex(@"\[Measure: ?([0-9]{1,6}) (sec|min)\b", RegexOptions.CultureInvariant)]
    private static partial Regex GetMeasureRegex();

    /// <summary>Example: /mnt/data 4% (31.72/748.08 GiB) [Samsung SSD 860]</summary>
    [GeneratedRegex(@"^(.+?)(?: [0-9]{1,3}% \([^()]{1,40}\))?(?: \[([^\[\]]{1,100})\])?$", RegexOptions.CultureInvariant)]
    private static partial Regex GetTargetRegex();

    internal static string? NormalizeLine(ReadOnlySpan<char> line)
    {
        line = line.TrimStart(Quotation).TrimEnd();
        if (line.Length is 0 or > LongestRow)
            return null;
        return string.Join(' ', line.ToString().Split((char[])[' ', '\t', '\u00A0'], StringSplitOptions.RemoveEmptyEntries));
    }

    internal static CrystalDiskMarkRow? ParseRow(ReadOnlySpan<char> line) =>
        line.IndexOf("MB/s") > 0 && NormalizeLine(line) is { } clean && GetRowRegex().Match(clean) is { Success: true } match
            ? ParseRow(match)
            : null;

    private static CrystalDiskMarkRow? ParseRow(Match match)
    {
        if (ParseNumber(match.Groups[5].Value) is not { } rate)
            return null;
        return new CrystalDiskMarkRow(
            IsRandom: match.Groups[1].Value is "Random" or "RND",
            IsWrite: match.Groups[2].Value switch
            {
                " Read" => false,
                " Write" => true,
                _ => null,
            },
            BlockSize: ParseBlockSize(match.Groups[3].Value),
            Queues: ParseCount(match.Groups[4].Value, 'Q'),
            Threads: ParseCount(match.Groups[4].Value, 'T'),
            MegabytesPerSecond: rate,
            Iops: ParseNumber(match.Groups[6].Value),
            Microseconds: ParseNumber(match.Groups[7].Value)
        );
    }

    // Version 3 writes KB for 1024 bytes: its IOPS of 4KB are MB/s / 4096.
    private static long? ParseBlockSize(string text)
    {
        var digits = string.Concat(text.Where(char.IsAsciiDigit));
        return long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var size) && size is > 0 and <= 1 << 20
            ? size * (text.Contains('M', StringComparison.Ordinal) ? 1 << 20 : 1024)
            : null;
    }

    private static int? ParseCount(string text, char letter)
    {
        var at = text.IndexOf(letter, StringComparison.Ordinal);
        var equals = at < 0 ? -1 : text.IndexOf('=', at);
        if (equals < 0)
            return null;
        var digits = string.Concat(text[(equals + 1)..].SkipWhile(c => c == ' ').TakeWhile(char.IsAsciiDigit));
        return int.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count is > 0 and <= 100_000
            ? count
            : null;
    }

    private static double? ParseNumber(string text) =>
        ToolNumberParser.ParseReal(string.Concat(text.Where(c => char.IsAsciiDigit(c) || c is '.' or ',')));

    internal static (string Name, string Value)? ParseSetting(string clean) =>
        GetSettingRegex().Match(clean) is { Success: true } match ? (match.Groups[1].Value, match.Groups[2].Value) : null;

    internal static (string Source, string Version)? ParseVersion(string clean) =>
        GetHeadingRegex().Match(clean) is { Success: true } match ? (match.Groups[1].Value, match.Groups[2].Value) : null;
}

/// <param name="IsWrite">Null if the section heading above the row states the operation.</param>
/// <param name="Queues">Outstanding I/Os per thread.</param>
/// <param name="MegabytesPerSecond">Throughput in 10^6 bytes per second.</param>
internal sealed record CrystalDiskMarkRow(
    bool IsRandom,
    bool? IsWrite,
    long? BlockSize,
    int? Queues,
    int? Threads,
    double MegabytesPerSecond,
    double? Iops,
    double? Microseconds
);
