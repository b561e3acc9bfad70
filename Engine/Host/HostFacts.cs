using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Facts about the host of a run, for readers of its result. Facts that the operating system does not report are omitted.
/// </summary>
public static partial class HostFacts
{
    /// <summary>Name of the fact that holds the operating system.</summary>
    public const string OperatingSystemFact = "Operating system";

    private static readonly Lazy<Dictionary<string, string>> s_facts = new(Collect);

    /// <summary>Names and values, collected once per process.</summary>
    public static IReadOnlyDictionary<string, string> All => s_facts.Value;

    /// <summary>
    /// Returns the number of CPUs in each processor group whose times a run records. Systems other than Windows have one group.
    /// </summary>
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
            ["Memory"] = new IoSize(HostMemory.TotalBytes).ToDisplayString(),
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
}
