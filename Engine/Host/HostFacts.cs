using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace IoBench.Engine;

/// <summary>Facts about the host of a run. Facts that the operating system does not report are omitted.</summary>
public static partial class HostFacts
{
    public const string OperatingSystemFact = "Operating system";
    internal const string FiltersFact = "File system filters";

    private static readonly Lazy<Dictionary<string, string>> s_facts = new(Collect);

    public static IReadOnlyDictionary<string, string> All => s_facts.Value;

    private static readonly Lazy<long> s_memoryBytes = new(() =>
        (OperatingSystem.IsWindows() ? ReadWindowsMemory() : KernelFile.ReadMemInfo("MemTotal") * 1024)
        ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes
    );

    internal static long MemoryBytes => s_memoryBytes.Value;

    /// <summary>Returns the number of CPUs in each processor group. Systems other than Windows have one group.</summary>
    public static IReadOnlyList<int> GetProcessorGroups() => CpuSnapshot.Capture().GetGroupSizes();

    /// <summary>
    /// Collects facts as display text: operating system, CPUs, memory, hypervisor or cloud, NUMA nodes, power plan, and the priority at
    /// startup.
    /// </summary>
    public static Dictionary<string, string> Collect()
    {
        var facts = new Dictionary<string, string>
        {
            [OperatingSystemFact] = RuntimeInformation.OSDescription,
            ["Runtime"] = RuntimeInformation.FrameworkDescription,
            ["Architecture"] = RuntimeInformation.ProcessArchitecture.ToString(),
            ["Processors"] = Environment.ProcessorCount.ToString(CultureInfo.InvariantCulture),
            ["Memory"] = IoSize.Format(MemoryBytes),
            ["Priority"] = ProcessPriority.GetCurrent().Text,
        };
        if (OperatingSystem.IsLinux())
            AddLinux(facts);
        else if (OperatingSystem.IsWindows())
            AddWindows(facts);
        return facts;
    }

    private static void Add(Dictionary<string, string> facts, string name, string? value)
    {
        if (!string.IsNullOrWhiteSpace(value))
            facts[name] = value.Trim();
    }

    internal static string? FormatBios(string? vendor, string? version, string? date)
    {
        var name = string.Join(' ', new[] { vendor, version }.Where(part => !string.IsNullOrWhiteSpace(part)).Select(part => part!.Trim()));
        return name.Length == 0 ? null
            : string.IsNullOrWhiteSpace(date) ? name
            : $"{name} ({date.Trim()})";
    }

    internal static string? DetectCloud(string? vendor, string? product, string? assetTag)
    {
        // The tools of Microsoft and Oracle check for the same asset tags.
        if (assetTag == "7783-7084-3265-9085-8269-3286-77")
            return "Microsoft Azure";
        if (assetTag == "OracleCloud.com")
            return "Oracle Cloud";
        var text = $"{vendor} {product}";
        foreach (var (part, name) in s_makers)
            if (text.Contains(part, StringComparison.OrdinalIgnoreCase))
                return name;
        return null;
    }

    private static readonly (string Part, string Name)[] s_makers =
    [
        ("Amazon EC2", "Amazon EC2"),
        ("Google", "Google Cloud"),
        ("Alibaba", "Alibaba Cloud"),
        ("DigitalOcean", "DigitalOcean"),
        ("Hetzner", "Hetzner"),
        ("OpenStack", "OpenStack"),
        ("VMware", "VMware"),
        ("VirtualBox", "VirtualBox"),
        ("innotek", "VirtualBox"),
        ("Xen", "Xen"),
        ("Nutanix", "Nutanix"),
        ("Microsoft Corporation Virtual Machine", "Hyper-V"),
        ("Parallels", "Parallels"),
        ("QEMU", "KVM"),
        ("KVM", "KVM"),
    ];

    private const string FilterGroup = "FSFilter ";
    private static readonly string[] s_multipath = ["mpio", "msdsm", "emcpbase"];

    /// <summary>
    /// Lists running filters with the purpose of their group, such as <c>WdFilter (Anti-Virus)</c>; null if there are none.
    /// </summary>
    internal static string? DescribeFilters(IEnumerable<(string Name, string? Group)> drivers) =>
        JoinNames(
            drivers
                .Where(d => IsFilter(d.Group))
                .OrderBy(d => d.Name, StringComparer.OrdinalIgnoreCase)
                .Select(d => $"{d.Name} ({d.Group![FilterGroup.Length..].Trim()})")
        );

    internal static string? DescribeMultipath(IEnumerable<(string Name, string? Group)> drivers) =>
        JoinNames(
            drivers
                .Select(d => d.Name)
                .Where(n => s_multipath.Contains(n, StringComparer.OrdinalIgnoreCase))
                .Order(StringComparer.OrdinalIgnoreCase)
        );

    /// <summary>Returns a text such as <c>8 of class 1, 16 of class 0</c>; null if all cores have the same class.</summary>
    /// <param name="cores">GetLogicalProcessorInformationEx, RelationProcessorCore: size at byte 4 of a record, class at byte 9.</param>
    internal static string? DescribeCoreClasses(ReadOnlySpan<byte> cores)
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
    internal static string? DecodeHypervisor(int b, int c, int d)
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
    /// <param name="policy">DisableRealtimeMonitoring of the policy, which has priority. If neither value exists, the protection is
    /// on.</param>
    internal static string DescribeRealTimeProtection(RegistryValue policy, RegistryValue setting)
    {
        var decides = !policy.IsKnown || policy.Text is not null ? policy : setting;
        return !decides.IsKnown ? "unknown"
            : decides.Text == "1" ? "off"
            : "on";
    }

    private static bool IsFilter(string? group) => group?.StartsWith(FilterGroup, StringComparison.OrdinalIgnoreCase) == true;

    private static string? JoinNames(IEnumerable<string> names) => string.Join(", ", names) is { Length: > 0 } text ? text : null;
}
