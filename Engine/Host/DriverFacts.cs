using System.Buffers.Binary;
using System.Text;

namespace IoBench.Engine;

internal static class HostFacts
{
    private const string FilterGroup = "FSFilter ";
    private static readonly string[] s_multipath = ["mpio", "msdsm", "emcpbase"];

    /// <summary>
    /// Lists running file system filters with the purpose of their group, such as <c>WdFilter (Anti-Virus)</c>; null if there are none.
    /// </summary>
    /// <param name="drivers">Running drivers with their load order groups.</param>
    public static string? DescribeFilters(IEnumerable<(string Name, string? Group)> drivers) =>
        JoinNames(
            drivers
                .Where(d => IsFilter(d.Group))
                .OrderBy(d => d.Name, StringComparer.OrdinalIgnoreCase)
                .Select(d => $"{d.Name} ({d.Group![FilterGroup.Length..].Trim()})")
        );

    public static string? DescribeMultipath(IEnumerable<(string Name, string? Group)> drivers) =>
        JoinNames(
            drivers
                .Select(d => d.Name)
                .Where(n => s_multipath.Contains(n, StringComparer.OrdinalIgnoreCase))
                .Order(StringComparer.OrdinalIgnoreCase)
        );

    /// <summary>
    /// Counts cores by efficiency class, the fastest first, such as <c>8 of class 1, 16 of class 0</c>; null if all cores have the same
    /// class.
    /// </summary>
    /// <param name="cores">Output of GetLogicalProcessorInformationEx for RelationProcessorCore: each record has its size at byte 4 and the
    /// class at byte 9.</param>
    public static string? DescribeCoreClasses(ReadOnlySpan<byte> cores)
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

    /// <summary>Decodes the hypervisor's name from EBX, ECX, and EDX of CPUID leaf 0x40000000; null if there is none.</summary>
    public static string? DecodeHypervisor(int b, int c, int d)
    {
        var bytes = new byte[12];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, b);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), c);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(8), d);
        var name = Encoding.ASCII.GetString(bytes).Trim('\0', ' ');
        return name.Length > 0 && name.All(char.IsAscii) && !name.Any(char.IsControl) ? name : null;
    }

    /// <summary>
    /// Returns <c>on</c>, <c>off</c>, or <c>unknown</c> (the registry refuses access) for Defender's real-time protection.
    /// </summary>
    /// <param name="policy">DisableRealtimeMonitoring of the policy, which has priority.</param>
    /// <param name="setting">DisableRealtimeMonitoring of the local setting. If neither value exists, the protection is on.</param>
    public static string DescribeRealTimeProtection(RegistryValue policy, RegistryValue setting)
    {
        var decides = !policy.IsKnown || policy.Text is not null ? policy : setting;
        return !decides.IsKnown ? "unknown"
            : decides.Text == "1" ? "off"
            : "on";
    }

    private static bool IsFilter(string? group) => group?.StartsWith(FilterGroup, StringComparison.OrdinalIgnoreCase) == true;

    private static string? JoinNames(IEnumerable<string> names) => string.Join(", ", names) is { Length: > 0 } text ? text : null;
}
