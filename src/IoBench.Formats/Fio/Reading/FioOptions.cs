using System.Globalization;

namespace IoBench.Formats.Fio.Reading;

/// <summary>Options of a job by fio's own names, as it was given them: a job's own before those for all jobs.</summary>
internal sealed class FioOptions
{
    /// <summary>Engines that have one I/O outstanding, whatever <c>iodepth</c> says.</summary>
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

    /// <summary>None.</summary>
    internal FioOptions() { }

    /// <summary>Others' options to begin with.</summary>
    internal FioOptions(FioOptions? others)
    {
        foreach (var (name, value) in others?._values ?? [])
            _values[name] = value;
    }

    /// <summary>Names of the options that are there, in their order.</summary>
    internal IEnumerable<string> Names => _values.Keys;

    internal void Remove(string name) => _values.Remove(name);

    internal string? this[string name] => _values.GetValueOrDefault(name);

    /// <summary>Options that a text can name before it is refused as nonsense.</summary>
    private const int MaxOptions = 1000;

    internal void Set(string name, string value)
    {
        if (_values.Count < MaxOptions)
            _values[name] = value;
    }

    /// <summary>A job's options over those of all jobs.</summary>
    internal static FioOptions Merge(FioOptions? global, FioOptions? own)
    {
        var merged = new FioOptions(global);
        foreach (var (name, value) in own?._values ?? [])
            merged._values[name] = value;
        return merged;
    }

    /// <summary>All of them as fio's command line has them.</summary>
    internal string CommandLine =>
        string.Join(
            ' ',
            _values
                .Where(option => option.Key != "name")
                .OrderBy(option => option.Key, StringComparer.Ordinal)
                .Select(option => option.Value.Length == 0 ? $"--{option.Key}" : CommandLineWords.Quote($"--{option.Key}={option.Value}"))
        );

    internal long? Number(string name) =>
        long.TryParse(this[name], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>A switch: on without a value and with 1.</summary>
    internal bool IsOn(string name) => this[name] is { } value && value is not ("0" or "none" or "off" or "false");

    /// <summary>A size in bytes; null for a share (<c>50%</c>), a zone count and what is none.</summary>
    internal long? SizeOf(string name) => this[name] is { } text ? Size(text) : null;

    /// <summary>A size in bytes. fio counts K as 1024 and Ki as 1000 unless <c>kb_base=1000</c> turns that round.</summary>
    internal long? Size(string text)
    {
        text = text.Trim().ToLowerInvariant();
        if (text.EndsWith('b'))
            text = text[..^1];
        var thousand = Number("kb_base") == 1000 ? 1000L : 1024L;
        if (text.EndsWith('i'))
            (text, thousand) = (text[..^1], thousand == 1024 ? 1000 : 1024);
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

    /// <summary>The files, which colons part; a colon of a name has a backslash before it.</summary>
    internal IReadOnlyList<string> Files
    {
        get
        {
            if (this["filename"] is not { Length: > 0 } names)
                return [];
            return [.. names.Replace("\\:", "\0", StringComparison.Ordinal).Split(':').Select(name => name.Replace('\0', ':'))];
        }
    }

    /// <summary>The kind of I/O without what may follow it (<c>randread:8</c>); fio reads when nothing is said.</summary>
    internal string Kind => (this["rw"] ?? this["readwrite"] ?? "read").Split(':')[0].Trim();

    internal bool IsRandom => Kind.StartsWith("rand", StringComparison.Ordinal);

    /// <summary>Bytes per I/O of reads or writes; null where they are not all of one size.</summary>
    internal long? BlockSize(bool write)
    {
        if (this["bssplit"] is not null || this["bsrange"] is not null || IsOn("bs_unaligned"))
            return null;
        var parts = (this["bs"] ?? "4096").Split(',');
        // A size counts for the kinds behind it too, until another one follows.
        var part = write && parts.Length > 1 ? parts[1] : parts[0];
        return part.Length == 0 ? 4096 : Size(part);
    }

    /// <summary>A rate per job: <c>1000</c>, or one each for reads, writes and trims.</summary>
    internal double? Rate(string name, bool write)
    {
        if (this[name] is not { } text)
            return null;
        var parts = text.Split(',');
        var part = write && parts.Length > 1 ? parts[1] : parts[0];
        return Size(part) is > 0 and var rate ? rate : null;
    }

    /// <summary>Whether an engine has one I/O outstanding, whatever is asked for.</summary>
    internal static bool IsSynchronous(string engine) => s_synchronous.Contains(engine);

    /// <summary>Outstanding I/Os per job.</summary>
    internal long Depth => Engine is { } engine && s_synchronous.Contains(engine) ? 1 : Number("iodepth") ?? 1;

    internal string? Engine => this["ioengine"]?.Split(',')[0];
}
