using System.Globalization;
using System.Text;

namespace IoBench.Engine.Targets.Marks;

/// <summary>Where a test file is in its life.</summary>
internal enum MarkState
{
    /// <summary>It is being filled: from <see cref="FileMark.Filled"/> on it holds content, zeros or nothing.</summary>
    Making,

    /// <summary>A run writes to it, or was killed while it did.</summary>
    Open,

    /// <summary>Nothing was written since the mark was.</summary>
    Closed,
}

/// <summary>
/// What IoBench notes of a file it made. The mark binds: it holds for the one file with this identity, size, time of last write and
/// content, so that neither a copy of the file nor a file copied over it passes for ours.
/// </summary>
internal sealed record FileMark
{
    private const string Head = "IoBench test file, mark 1";

    /// <summary>Most seeds that are kept; older ones are dropped, which can only make a file foreign, never ours.</summary>
    private const int MaxSeeds = 32;

    /// <summary>Random id of the file.</summary>
    public required string Id { get; init; }

    /// <summary>Where the file is in its life.</summary>
    public required MarkState State { get; init; }

    /// <summary>Identity by the operating system (<see cref="FileStatus.Identity"/>).</summary>
    public required string Identity { get; init; }

    /// <summary>Seed of the fill.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Seeds of the stamps of runs that wrote, each once, in order.</summary>
    public IReadOnlyList<ulong> WriteSeeds { get; init; } = [];

    /// <summary>Size in bytes; while it is made, the size it shall have.</summary>
    public required long Size { get; init; }

    /// <summary>Bytes from the start that are filled for certain.</summary>
    public required long Filled { get; init; }

    /// <summary>Time of the last write (<see cref="FileStatus.Modified"/>) when the mark was closed.</summary>
    public long Modified { get; init; }

    /// <summary>
    /// The file's time of change (<see cref="FileStatus.Changed"/>) is not above this as long as nobody changed anything of it since the mark was closed;
    /// 0 = not known. The mark's own writing moves that time, so that it cannot be noted exactly.
    /// </summary>
    public long ChangedBy { get; init; }

    /// <summary>Hash over sampled blocks when the mark was closed.</summary>
    public string? Proof { get; init; }

    /// <summary>A run wrote content without stamps (zeros, a pattern, a file's bytes): after a kill blocks prove nothing.</summary>
    public bool Opaque { get; init; }

    /// <summary>A run wrote compressible content: random bytes that end in zeros.</summary>
    public bool Compressible { get; init; }

    /// <summary>What a checked test found wrong in the file, in a line: it is kept as it is, and never written again. Null = nothing.</summary>
    public string? Evidence { get; init; }

    /// <summary>A mark for a new file.</summary>
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

    /// <summary>This mark with a run's seed noted.</summary>
    public FileMark WithWriteSeed(ulong seed) =>
        WriteSeeds.Contains(seed) ? this : this with { WriteSeeds = [.. WriteSeeds.Skip(WriteSeeds.Count - MaxSeeds + 1), seed] };

    /// <summary>The mark as it is stored: one line per entry, so that a curious DBA can read it.</summary>
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

    /// <summary>True when a text begins as a mark does, be it whole or not.</summary>
    public static bool LooksLike(string text) => text.StartsWith("IoBench test file, mark ", StringComparison.Ordinal);

    /// <summary>Reads a stored mark; null when it is not a whole one.</summary>
    public static FileMark? Parse(string text)
    {
        var lines = text.Split('\n');
        // The last line guards against a mark that was cut.
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
