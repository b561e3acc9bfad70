using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine.Host;

/// <summary>What stands between a program and its disk on Windows, and what kinds of processors there are, from what Windows answers.</summary>
internal static class DriverFacts
{
    private const string FilterGroup = "FSFilter ";
    private static readonly string[] s_multipath = ["mpio", "msdsm", "emcpbase"];

    /// <summary>Filters of file systems that run, each with what its group says it is for: <c>WdFilter (Anti-Virus)</c>; null when there are none.</summary>
    /// <param name="drivers">Names of running drivers, each with its load order group.</param>
    public static string? Filters(IEnumerable<(string Name, string? Group)> drivers) =>
        Join(
            drivers
                .Where(d => IsFilter(d.Group))
                .OrderBy(d => d.Name, StringComparer.OrdinalIgnoreCase)
                .Select(d => $"{d.Name} ({d.Group![FilterGroup.Length..].Trim()})")
        );

    /// <summary>Drivers that make one disk of several paths; null when there are none.</summary>
    public static string? Multipath(IEnumerable<(string Name, string? Group)> drivers) =>
        Join(
            drivers
                .Select(d => d.Name)
                .Where(n => s_multipath.Contains(n, StringComparer.OrdinalIgnoreCase))
                .Order(StringComparer.OrdinalIgnoreCase)
        );

    /// <summary>Kinds of cores: <c>8 of class 1, 16 of class 0</c>, the fastest first; null when all are alike.</summary>
    /// <param name="cores">What GetLogicalProcessorInformationEx answers for RelationProcessorCore: each record has its size at byte 4 and the class at byte 9.</param>
    public static string? CoreClasses(ReadOnlySpan<byte> cores)
    {
        const int sizeAt = 4,
            classAt = 9;
        var counts = new SortedDictionary<int, int>();
        while (cores.Length > classAt)
        {
            var size = BinaryPrimitives.ReadInt32LittleEndian(cores[sizeAt..]);
            if (size <= classAt || size > cores.Length)
                break;
            counts[cores[classAt]] = counts.GetValueOrDefault(cores[classAt]) + 1;
            cores = cores[size..];
        }
        return counts.Count < 2
            ? null
            : string.Join(", ", counts.Reverse().Select(c => FormattableString.Invariant($"{c.Value} of class {c.Key}")));
    }

    /// <summary>A hypervisor by what CPUID's leaf 0x40000000 answers in EBX, ECX and EDX; null when it says nothing.</summary>
    public static string? Hypervisor(int b, int c, int d)
    {
        var bytes = new byte[12];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, b);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), c);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(8), d);
        var name = Encoding.ASCII.GetString(bytes).Trim('\0', ' ');
        return name.Length > 0 && name.All(char.IsAscii) && !name.Any(char.IsControl) ? name : null;
    }

    /// <summary>Whether Defender looks at files as they are used: <c>on</c>, <c>off</c>, or <c>unknown</c> where the registry refuses to say.</summary>
    /// <param name="policy">DisableRealtimeMonitoring of the policy, which goes before the setting.</param>
    /// <param name="setting">DisableRealtimeMonitoring of the setting; where neither says anything, it is on wherever Defender is.</param>
    public static string RealTime(RegistryValue policy, RegistryValue setting)
    {
        var decides = !policy.IsKnown || policy.Text is not null ? policy : setting;
        return !decides.IsKnown ? "unknown"
            : decides.Text == "1" ? "off"
            : "on";
    }

    private static bool IsFilter(string? group) => group?.StartsWith(FilterGroup, StringComparison.OrdinalIgnoreCase) == true;

    private static string? Join(IEnumerable<string> names) => string.Join(", ", names) is { Length: > 0 } text ? text : null;
}
