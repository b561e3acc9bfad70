using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine.Host;

/// <summary>The computer a run is made on, for those who read its result later. What the system does not say is left out.</summary>
public static partial class HostFacts
{
    /// <summary>Name of the fact that says which operating system it is.</summary>
    public const string OperatingSystemFact = "Operating system";

    private static readonly Lazy<Dictionary<string, string>> s_facts = new(Collect);

    /// <summary>Names and values, gathered once per process.</summary>
    public static IReadOnlyDictionary<string, string> All => s_facts.Value;

    /// <summary>How many processors of each group (Windows; elsewhere all are one group) a run takes the times of.</summary>
    public static IReadOnlyList<int> ProcessorGroups() => CpuSnapshot.Take().GroupSizes();

    /// <summary>Gathers names and values in words for people: operating system, processors, memory, hypervisor or cloud, NUMA nodes, power plan, priority as it was started.</summary>
    public static Dictionary<string, string> Collect()
    {
        var facts = new Dictionary<string, string>
        {
            [OperatingSystemFact] = RuntimeInformation.OSDescription,
            ["Runtime"] = RuntimeInformation.FrameworkDescription,
            ["Architecture"] = RuntimeInformation.ProcessArchitecture.ToString(),
            ["Processors"] = Environment.ProcessorCount.ToString(CultureInfo.InvariantCulture),
            ["Memory"] = new IoSize(HostMemory.TotalBytes).ToDisplayString(),
            ["Priority"] = ProcessPriority.Read().Text,
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

    /// <summary>The firmware of the computer in words: <c>Dell Inc. 2.19.1 (06/04/2024)</c>; null where it says nothing.</summary>
    internal static string? Bios(string? vendor, string? version, string? date)
    {
        var name = string.Join(' ', new[] { vendor, version }.Where(part => !string.IsNullOrWhiteSpace(part)).Select(part => part!.Trim()));
        return name.Length == 0 ? null
            : string.IsNullOrWhiteSpace(date) ? name
            : $"{name} ({date.Trim()})";
    }

    /// <summary>The virtual machine's maker or the cloud, by what the firmware says of the computer; null for plain hardware.</summary>
    /// <param name="vendor">The computer's vendor.</param>
    /// <param name="product">Its product name.</param>
    /// <param name="assetTag">The chassis' asset tag.</param>
    internal static string? RecogniseCloud(string? vendor, string? product, string? assetTag)
    {
        // The asset tags are those that Microsoft's and Oracle's own tools look for.
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
