using System.Globalization;
using System.Text;

namespace IoBench.Engine;

internal enum MarkerState
{
    /// <summary>The file is being filled: beyond <see cref="OwnershipMarker.FilledBytes"/>, it holds content, zeros, or nothing.</summary>
    Making,

    Open,

    Closed,
}

/// <summary>
/// Ownership marker of a test file. It is valid only for the file with this identity, size, time of last write, and
/// content, so that neither a copy of the file nor a file copied over it is accepted.
/// </summary>
internal sealed record OwnershipMarker
{
    private const string FirstLine = "IoBench test file, mark 1";

    /// <summary>
    /// Maximum number of write seeds. Dropping older ones can only make IoBench refuse its own file, never accept another one.
    /// </summary>
    private const int MaxSeeds = 32;

    public required string Id { get; init; }

    public required MarkerState State { get; init; }

    public required string Identity { get; init; }

    public required ulong Seed { get; init; }

    public IReadOnlyList<ulong> WriteSeeds { get; init; } = [];

    /// <summary>Size in bytes; while the file is being created, its planned size.</summary>
    public required long Size { get; init; }

    /// <summary>Number of bytes from the start that are certainly filled.</summary>
    public required long FilledBytes { get; init; }

    public long Modified { get; init; }

    /// <summary>
    /// Upper bound of the file's change time (<see cref="FileStatus.Changed"/>) as long as nothing changed the file after the marker was
    /// closed;
    /// 0 = not known. It is a bound because writing the marker changes that time.
    /// </summary>
    public long ChangedNotAfter { get; init; }

    /// <summary>Hash over sampled blocks when the marker was closed; null before that.</summary>
    public string? SampleHash { get; init; }

    /// <summary>
    /// Whether a run wrote content without block headers (zeros, a pattern, a file's bytes), so that blocks cannot be verified after a run
    /// was killed.
    /// </summary>
    public bool HasUnrecognizableContent { get; init; }

    public bool HasCompressibleContent { get; init; }

    /// <summary>
    /// Error that an integrity check found in the file, in one line. The file is then kept as evidence and never written again. Null =
    /// none.
    /// </summary>
    public string? Evidence { get; init; }

    public static OwnershipMarker CreateForNewFile(string identity, long size)
    {
        Span<byte> random = stackalloc byte[24];
        CryptoLibrary.RequireInstalled();
        System.Security.Cryptography.RandomNumberGenerator.Fill(random);
        return new OwnershipMarker
        {
            Id = Convert.ToHexString(random[..16]),
            State = MarkerState.Making,
            Identity = identity,
            Seed = BitConverter.ToUInt64(random[16..]),
            Size = size,
            FilledBytes = 0,
        };
    }

    public OwnershipMarker WithWriteSeed(ulong seed) =>
        WriteSeeds.Contains(seed) ? this : this with { WriteSeeds = [.. WriteSeeds.Skip(WriteSeeds.Count - MaxSeeds + 1), seed] };

    public string ToText()
    {
        var text = new StringBuilder(FirstLine).Append('\n');
        void Add(string name, string value) => text.Append(name).Append('=').Append(value).Append('\n');
        Add("id", Id);
        Add("state", State.ToString());
        Add("identity", Identity);
        Add("seed", Seed.ToString("x16", CultureInfo.InvariantCulture));
        if (WriteSeeds.Count > 0)
            Add("writes", string.Join(',', WriteSeeds.Select(s => s.ToString("x", CultureInfo.InvariantCulture))));
        Add("size", Size.ToString(CultureInfo.InvariantCulture));
        Add("filled", FilledBytes.ToString(CultureInfo.InvariantCulture));
        Add("modified", Modified.ToString(CultureInfo.InvariantCulture));
        if (ChangedNotAfter != 0)
            Add("changedBy", ChangedNotAfter.ToString(CultureInfo.InvariantCulture));
        if (SampleHash is not null)
            Add("proof", SampleHash);
        if (HasUnrecognizableContent)
            Add("opaque", "1");
        if (HasCompressibleContent)
            Add("compressible", "1");
        if (Evidence is not null)
            Add("evidence", Evidence.ReplaceLineEndings(" "));
        return text.Append("end\n").ToString();
    }

    public static bool HasMarkerStart(string text) => text.StartsWith("IoBench test file, mark ", StringComparison.Ordinal);

    public static OwnershipMarker? Parse(string text)
    {
        var lines = text.Split('\n');
        // The line "end" detects a truncated marker.
        if (lines.Length < 3 || lines[0] != FirstLine || lines[^1].Length != 0 || lines[^2] != "end")
            return null;
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var line in lines[1..^2])
        {
            var at = line.IndexOf('=', StringComparison.Ordinal);
            if (at < 0 || !values.TryAdd(line[..at], line[(at + 1)..]))
                return null;
        }
        string Text(string name) => values.GetValueOrDefault(name, "");
        bool Number(string name, out long number) =>
            long.TryParse(Text(name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
        var seeds = new List<ulong>();
        foreach (var part in Text("writes").Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            if (!ulong.TryParse(part, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value))
                return null;
            seeds.Add(value);
        }
        if (
            Text("id").Length == 0
            || Text("identity").Length == 0
            || !Enum.TryParse<MarkerState>(Text("state"), out var state)
            || !Enum.IsDefined(state)
            || !ulong.TryParse(Text("seed"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var seed)
            || !Number("size", out var size)
            || !Number("filled", out var filled)
            || !Number("modified", out var modified)
        )
            return null;
        var changedBy = 0L;
        if (values.ContainsKey("changedBy") && !Number("changedBy", out changedBy))
            return null;
        return new OwnershipMarker
        {
            Id = Text("id"),
            State = state,
            Identity = Text("identity"),
            Seed = seed,
            WriteSeeds = seeds,
            Size = size,
            FilledBytes = filled,
            Modified = modified,
            ChangedNotAfter = changedBy,
            SampleHash = values.GetValueOrDefault("proof"),
            HasUnrecognizableContent = values.ContainsKey("opaque"),
            HasCompressibleContent = values.ContainsKey("compressible"),
            Evidence = values.GetValueOrDefault("evidence"),
        };
    }
}
