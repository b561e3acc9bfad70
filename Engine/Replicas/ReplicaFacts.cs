using System.Globalization;
using System.Text;

namespace IoBench.Engine;

/// <summary>What a replica reports about its computer and its storage.</summary>
public sealed record ReplicaFacts
{
    public required string Host { get; init; }

    public required string Path { get; init; }

    public required bool IsWindows { get; init; }

    /// <summary>Null if the operating system does not report it.</summary>
    public string? FileSystem { get; init; }

    public string? Device { get; init; }

    /// <summary>In bytes.</summary>
    public int LogicalSectorSize { get; init; } = 512;

    /// <summary>In bytes.</summary>
    public int PhysicalSectorSize { get; init; } = 512;

    public bool IsInMemory { get; init; }

    public bool IsNetwork { get; init; }

    // All values together fit into one frame.
    private const int MaxValue = 200;

    internal byte[] ToBytes()
    {
        var text = new StringBuilder();
        void Add(string name, object? value)
        {
            if (value is null)
                return;
            var line = Convert.ToString(value, CultureInfo.InvariantCulture)!.ReplaceLineEndings(" ");
            text.Append(name).Append('=').Append(line.Length > MaxValue ? line[..MaxValue] : line).Append('\n');
        }
        Add("host", Host);
        Add("path", Path);
        Add("windows", IsWindows);
        Add("filesystem", FileSystem);
        Add("device", Device);
        Add("logical", LogicalSectorSize);
        Add("physical", PhysicalSectorSize);
        Add("memory", IsInMemory);
        Add("network", IsNetwork);
        return Encoding.UTF8.GetBytes(text.ToString());
    }

    /// <exception cref="IOException">A value is missing or invalid.</exception>
    internal static ReplicaFacts Parse(ReadOnlySpan<byte> payload)
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var line in Encoding.UTF8.GetString(payload).Split('\n', StringSplitOptions.RemoveEmptyEntries))
            if (line.IndexOf('=', StringComparison.Ordinal) is > 0 and var at)
                values[line[..at]] = line[(at + 1)..];
        return
            values.TryGetValue("host", out var host)
            && values.TryGetValue("path", out var path)
            && int.TryParse(values.GetValueOrDefault("logical"), NumberStyles.None, CultureInfo.InvariantCulture, out var logical)
            && int.TryParse(values.GetValueOrDefault("physical"), NumberStyles.None, CultureInfo.InvariantCulture, out var physical)
            ? new ReplicaFacts
            {
                Host = host,
                Path = path,
                IsWindows = IsOn("windows"),
                FileSystem = values.GetValueOrDefault("filesystem"),
                Device = values.GetValueOrDefault("device"),
                LogicalSectorSize = logical,
                PhysicalSectorSize = physical,
                IsInMemory = IsOn("memory"),
                IsNetwork = IsOn("network"),
            }
            : throw new IOException("the replica did not report which storage it uses");

        bool IsOn(string name) => values.GetValueOrDefault(name) == bool.TrueString;
    }
}
