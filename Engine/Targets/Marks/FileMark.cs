using System.Globalization;
using System.Text;

namespace IoBench.Engine;

internal enum MarkState
{
    /// <summary>The file is being filled: beyond <see cref="FileMark.Filled"/>, it holds content, zeros, or nothing.</summary>
    Making,

    Open,

    Closed,
}

/// <summary>
/// Ownership marker of a test file. It is valid only for the file with this identity, size, time of last write, and
/// content, so that neither a copy of the file nor a file copied over it is accepted.
/// </summary>
internal sealed record FileMark
{
    private const string Head = "IoBench test file, mark 1";

    /// <summary>
    /// Maximum number of write seeds. Dropping older ones can only make IoBench refuse its own file, never accept another one.
    /// </summary>
    private const int MaxSeeds = 32;

    public required string Id { get; init; }

    public required MarkState State { get; init; }

    public required string Identity { get; init; }

    public required ulong Seed { get; init; }

    public IReadOnlyList<ulong> WriteSeeds { get; init; } = [];

    /// <summary>Size in bytes; while the file is being created, its planned size.</summary>
    public required long Size { get; init; }

    /// <summary>Number of bytes from the start that are certainly filled.</summary>
    public required long Filled { get; init; }

    public long Modified { get; init; }

    /// <summary>
    /// Upper bound of the file's change time (<see cref="FileStatus.Changed"/>) as long as nothing changed the file after the marker was
    /// closed;
    /// 0 = not known. It is a bound because writing the marker changes that time.
    /// </summary>
    public long ChangedBy { get; init; }

    /// <summary>Hash over sampled blocks when the marker was closed; null before that.</summary>
    public string? Proof { get; init; }

    /// <summary>
    /// Whether a run wrote content without block headers (zeros, a pattern, a file's bytes), so that blocks cannot be verified after a run
    /// was killed.
    /// </summary>
    public bool Opaque { get; init; }

    public bool Compressible { get; init; }

    /// <summary>
    /// Error that an integrity check found in the file, in one line. The file is then kept as evidence and never written again. Null =
    /// none.
    /// </summary>
    public string? Evidence { get; init; }

    public static FileMark New(string identity, long size)
    {
        Span<byte> random = stackalloc byte[24];
        CryptoLibrary.Require();
        System.Security.Cryptography.RandomNumberGenerator.Fill(random);
        return new FileMark
        {
            Id = Convert.ToHexString(random[..16]),
            State = MarkState.Making,
            Identity = identity,
            Seed = BitConverter.ToUInt64(random[16..]),
            Size = size,
            Filled = 0,
        };
    }

    public FileMark WithWriteSeed(ulong seed) =>
        WriteSeeds.Contains(seed) ? this : this with { WriteSeeds = [.. WriteSeeds.Skip(WriteSeeds.Count - MaxSeeds + 1), seed] };

    public string ToText()
    {
        var text = new StringBuilder(Head).Append('\n');
        void Add(string name, string value) => text.Append(name).Append('=').Append(value).Append('\n');
        Add("id", Id);
        Add("state", State.ToString());
        Add("identity", Identity);
        Add("seed", Seed.ToString("x16", CultureInfo.InvariantCulture));
        if (WriteSeeds.Count > 0)
            Add("writes", string.Join(',', WriteSeeds.Select(s => s.ToString("x", CultureInfo.InvariantCulture))));
        Add("size", Size.ToString(CultureInfo.InvariantCulture));
        Add("filled", Filled.ToString(CultureInfo.InvariantCulture));
        Add("modified", Modified.ToString(CultureInfo.InvariantCulture));
        if (ChangedBy != 0)
            Add("changedBy", ChangedBy.ToString(CultureInfo.InvariantCulture));
        if (Proof is not null)
            Add("proof", Proof);
        if (Opaque)
            Add("opaque", "1");
        if (Compressible)
            Add("compressible", "1");
        if (Evidence is not null)
            Add("evidence", Evidence.ReplaceLineEndings(" "));
        return text.Append("end\n").ToString();
    }

    public static bool LooksLike(string text) => text.StartsWith("IoBench test file, mark ", StringComparison.Ordinal);

    public static FileMark? Parse(string text)
    {
        var lines = text.Split('\n');
        // The line "end" detects a truncated marker.
        if (lines.Length < 3 || lines[0] != Head || lines[^1].Length != 0 || lines[^2] != "end")
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
            || !Enum.TryParse<MarkState>(Text("state"), out var state)
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
        return new FileMark
        {
            Id = Text("id"),
            State = state,
            Identity = Text("identity"),
            Seed = seed,
            WriteSeeds = seeds,
            Size = size,
            Filled = filled,
            Modified = modified,
            ChangedBy = changedBy,
            Proof = values.GetValueOrDefault("proof"),
            Opaque = values.ContainsKey("opaque"),
            Compressible = values.ContainsKey("compressible"),
            Evidence = values.GetValueOrDefault("evidence"),
        };
    }
}
