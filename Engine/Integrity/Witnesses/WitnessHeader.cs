using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <param name="Id">Id of the ownership marker; empty if the target has none.</param>
/// <param name="Compressible">Percentage of zeros in each 4 KB.</param>
/// <param name="Facts">Properties that the storage reported when the run began.</param>
internal sealed record WitnessTarget(
    string Path,
    string Id,
    ulong Seed,
    long Size,
    int Compressible,
    IReadOnlyDictionary<string, string> Facts
);

internal sealed record WitnessHeader
{
    public const string FirstLine = "IoBench witness, format 1";

    public const int MaxBytes = 1 << 20;

    private const string Listener = "listener";
    private const string WriteThrough = "WriteThrough";
    private const string Flush = "Flush";

    /// <summary>Whether a listener on another host writes the log. Its last record is then always an end or a disconnection.</summary>
    public bool IsFromListener { get; init; }

    public required ushort Run { get; init; }

    public required int GroupSize { get; init; }

    /// <summary>Whether each write is durable when it is acknowledged; otherwise, when a later flush is acknowledged.</summary>
    public required bool IsWriteThrough { get; init; }

    public required string Computer { get; init; }

    public required DateTimeOffset Time { get; init; }
    public required IReadOnlyList<WitnessTarget> Targets { get; init; }

    public string ToText()
    {
        var text = new StringBuilder(FirstLine).Append('\n');
        void Add(string name, string value) => text.Append(name).Append('=').Append(value.ReplaceLineEndings(" ")).Append('\n');
        Add("run", Run.ToString("x4", CultureInfo.InvariantCulture));
        Add("group", GroupSize.ToString(CultureInfo.InvariantCulture));
        Add("promise", IsWriteThrough ? WriteThrough : Flush);
        Add("computer", Computer);
        Add("recorder", IsFromListener ? Listener : "file");
        Add("time", Time.ToString("O", CultureInfo.InvariantCulture));
        foreach (var target in Targets)
        {
            Add("path", target.Path);
            Add("id", target.Id);
            Add("seed", target.Seed.ToString("x16", CultureInfo.InvariantCulture));
            Add("size", target.Size.ToString(CultureInfo.InvariantCulture));
            Add("compressible", target.Compressible.ToString(CultureInfo.InvariantCulture));
            foreach (var (name, value) in target.Facts)
                Add("fact", name.Replace(':', ' ') + ": " + value);
        }
        return text.Append("end\n").ToString();
    }

    /// <summary>Returns the length of a complete header at the start of the bytes, with its last line; 0 if it is not complete.</summary>
    public static int FindLength(ReadOnlySpan<byte> bytes)
    {
        var last = bytes.IndexOf("\nend\n"u8);
        return last < 0 ? 0 : last + 5;
    }

    public static WitnessHeader? Parse(string text)
    {
        var lines = text.Split('\n');
        if (lines.Length < 3 || lines[0] != FirstLine || lines[^1].Length != 0 || lines[^2] != "end")
            return null;
        var own = new Dictionary<string, string>(StringComparer.Ordinal);
        var targets = new List<Dictionary<string, string>>();
        foreach (var line in lines[1..^2])
        {
            var at = line.IndexOf('=', StringComparison.Ordinal);
            if (at < 0)
                return null;
            var name = line[..at];
            var value = line[(at + 1)..];
            if (name == "path")
                targets.Add(new Dictionary<string, string>(StringComparer.Ordinal));
            var place = targets.Count == 0 ? own : targets[^1];
            var colon = value.IndexOf(": ", StringComparison.Ordinal);
            if (name == "fact" && colon > 0)
            {
                name = "fact " + value[..colon];
                value = value[(colon + 2)..];
            }
            place[name] = value;
        }
        return TryParse(own, targets, out var head) ? head : null;
    }

    private static bool TryParse(Dictionary<string, string> own, List<Dictionary<string, string>> parts, out WitnessHeader? head)
    {
        head = null;
        var targets = new List<WitnessTarget>();
        foreach (var part in parts)
        {
            if (
                !ulong.TryParse(part.GetValueOrDefault("seed"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var seed)
                || !long.TryParse(part.GetValueOrDefault("size"), NumberStyles.None, CultureInfo.InvariantCulture, out var size)
                || !int.TryParse(
                    part.GetValueOrDefault("compressible"),
                    NumberStyles.None,
                    CultureInfo.InvariantCulture,
                    out var compressible
                )
                || compressible > 100
            )
                return false;
            targets.Add(
                new WitnessTarget(
                    part["path"],
                    part.GetValueOrDefault("id", ""),
                    seed,
                    size,
                    compressible,
                    part.Where(p => p.Key.StartsWith("fact ", StringComparison.Ordinal)).ToDictionary(p => p.Key[5..], p => p.Value)
                )
            );
        }
        if (
            targets.Count == 0
            || !ushort.TryParse(own.GetValueOrDefault("run"), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var run)
            || !int.TryParse(own.GetValueOrDefault("group"), NumberStyles.None, CultureInfo.InvariantCulture, out var group)
            || group is not (512 or 4096)
            || own.GetValueOrDefault("promise") is not (WriteThrough or Flush)
            || !DateTimeOffset.TryParse(own.GetValueOrDefault("time"), CultureInfo.InvariantCulture, DateTimeStyles.None, out var time)
        )
            return false;
        head = new WitnessHeader
        {
            Run = run,
            GroupSize = group,
            IsWriteThrough = own["promise"] == WriteThrough,
            Computer = own.GetValueOrDefault("computer", ""),
            IsFromListener = own.GetValueOrDefault("recorder") == Listener,
            Time = time,
            Targets = targets,
        };
        return true;
    }
}
