using System.Globalization;

namespace IoBench.Formats;

internal sealed class FioOptions
{
    private static readonly HashSet<string> s_synchronous =
    [
        "sync",
        "psync",
        "vsync",
        "pvsync",
        "pvsync2",
        "mmap",
        "splice",
        "ftruncate",
        "falloc",
        "e4defrag",
        "filecreate",
        "filestat",
        "filedelete",
    ];

    private readonly Dictionary<string, string> _values = new(StringComparer.Ordinal);

    internal FioOptions() { }

    internal FioOptions(FioOptions? others)
    {
        foreach (var (name, value) in others?._values ?? [])
            _values[name] = value;
    }

    internal IEnumerable<string> Names => _values.Keys;

    internal void Remove(string name) => _values.Remove(name);

    internal string? this[string name] => _values.GetValueOrDefault(name);

    /// <summary>Largest number of options; more are ignored, because the text is then not an output of fio.</summary>
    private const int MaxOptions = 1000;

    internal void Set(string name, string value)
    {
        if (_values.Count < MaxOptions)
            _values[name] = value;
    }

    internal static FioOptions Merge(FioOptions? global, FioOptions? own)
    {
        var merged = new FioOptions(global);
        foreach (var (name, value) in own?._values ?? [])
            merged._values[name] = value;
        return merged;
    }

    internal string CommandLine =>
        string.Join(
            ' ',
            _values
                .Where(option => option.Key != "name")
                .OrderBy(option => option.Key, StringComparer.Ordinal)
                .Select(option =>
                    option.Value.Length == 0 ? $"--{option.Key}" : CommandLineSplitter.Quote($"--{option.Key}={option.Value}")
                )
        );

    internal long? GetNumber(string name) =>
        long.TryParse(this[name], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) ? value : null;

    internal bool IsOn(string name) => this[name] is { } value && value is not ("0" or "none" or "off" or "false");

    internal long? GetSize(string name) => this[name] is { } text ? ParseSize(text) : null;

    /// <summary>fio counts K as 1024 and Ki as 1000, unless <c>kb_base=1000</c> reverses that. Null for other text.</summary>
    internal long? ParseSize(string text)
    {
        text = text.Trim().ToLowerInvariant();
        if (text.EndsWith('b'))
            text = text[..^1];
        var thousand = GetNumber("kb_base") == 1000 ? 1000L : 1024L;
        if (text.EndsWith('i'))
        {
            text = text[..^1];
            thousand = thousand == 1024 ? 1000 : 1024;
        }
        var power = text.Length == 0 ? -1 : "kmgtp".IndexOf(text[^1], StringComparison.Ordinal);
        var digits = power >= 0 ? text[..^1] : text;
        if (
            !long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            && !(
                digits.StartsWith("0x", StringComparison.Ordinal)
                && long.TryParse(digits.AsSpan(2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value)
            )
        )
            return null;
        for (; power >= 0; power--)
        {
            if (value > long.MaxValue / thousand)
                return null;
            value *= thousand;
        }
        return value;
    }

    /// <summary>File names, which are separated by colons. A backslash precedes a colon that is part of a name.</summary>
    internal IReadOnlyList<string> Files
    {
        get
        {
            if (this["filename"] is not { Length: > 0 } names)
                return [];
            return [.. names.Replace("\\:", "\0", StringComparison.Ordinal).Split(':').Select(name => name.Replace('\0', ':'))];
        }
    }

    /// <summary>Folder of the files; null if the option is absent. A backslash precedes a colon that is part of the name.</summary>
    internal string? Directory => this["directory"]?.Replace("\\:", ":", StringComparison.Ordinal);

    /// <summary>Value of <c>rw</c> without its suffix (<c>randread:8</c>); <c>read</c> if the option is absent, as in fio.</summary>
    internal string OperationKind => (this["rw"] ?? this["readwrite"] ?? "read").Split(':')[0].Trim();

    internal bool IsRandom => OperationKind.StartsWith("rand", StringComparison.Ordinal);

    internal long? GetBlockSize(bool write)
    {
        if (this["bssplit"] is not null || this["bsrange"] is not null || IsOn("bs_unaligned"))
            return null;
        var parts = (this["bs"] ?? "4096").Split(',');
        // A size also applies to the kinds of I/O after it, until the next size.
        var part = write && parts.Length > 1 ? parts[1] : parts[0];
        return part.Length == 0 ? 4096 : ParseSize(part);
    }

    internal double? GetRate(string name, bool write)
    {
        if (this[name] is not { } text)
            return null;
        var parts = text.Split(',');
        var part = write && parts.Length > 1 ? parts[1] : parts[0];
        return ParseSize(part) is > 0 and var rate ? rate : null;
    }

    internal static bool IsSynchronous(string engine) => s_synchronous.Contains(engine);

    internal long QueueDepth => Engine is { } engine && s_synchronous.Contains(engine) ? 1 : GetNumber("iodepth") ?? 1;

    internal string? Engine => this["ioengine"]?.Split(',')[0];

    private static readonly (string Engine, string Backend)[] s_engines =
    [
        ("io_uring", "IoUring"),
        ("libaio", "LinuxAio"),
        ("windowsaio", "Overlapped"),
        ("posixaio", "Threads"),
        ("null", "Null"),
    ];

    public static string? FindBackend(string? engine) => Array.Find(s_engines, pair => pair.Engine == engine).Backend;

    public static string? FindEngine(string? backend) => Array.Find(s_engines, pair => pair.Backend == backend).Engine;
}
