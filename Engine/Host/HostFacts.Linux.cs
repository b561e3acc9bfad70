using System.Globalization;

namespace IoBench.Engine;

public static partial class HostFacts
{
    private static void AddLinux(Dictionary<string, string> facts)
    {
        var cpu = KernelFile.ReadLines("/proc/cpuinfo");
        Add(facts, "Processor", FindValue(cpu, "model name", ':') ?? FindValue(KernelFile.ReadLines("/proc/device-tree/model"), "", ':'));
        var sockets = cpu.Where(l => l.StartsWith("physical id", StringComparison.Ordinal)).Distinct(StringComparer.Ordinal).Count();
        if (sockets > 0)
            facts["Sockets"] = sockets.ToString(CultureInfo.InvariantCulture);
        Add(facts, "Kernel", KernelFile.ReadText("/proc/sys/kernel/osrelease"));
        Add(facts, "Distribution", FindValue(KernelFile.ReadLines("/etc/os-release"), "PRETTY_NAME", '=')?.Trim('"'));
        var vendor = KernelFile.ReadText("/sys/class/dmi/id/sys_vendor");
        var product = KernelFile.ReadText("/sys/class/dmi/id/product_name");
        Add(facts, "Computer", $"{vendor} {product}");
        // The firmware can change when the computer is serviced. Serial numbers and asset tags are not recorded.
        Add(
            facts,
            "BIOS",
            FormatBios(
                KernelFile.ReadText("/sys/class/dmi/id/bios_vendor"),
                KernelFile.ReadText("/sys/class/dmi/id/bios_version"),
                KernelFile.ReadText("/sys/class/dmi/id/bios_date")
            )
        );
        var isVirtual = FindValue(cpu, "flags", ':')?.Contains("hypervisor", StringComparison.Ordinal) == true;
        Add(
            facts,
            "Virtual machine",
            DetectCloud(vendor, product, KernelFile.ReadText("/sys/class/dmi/id/chassis_asset_tag"))
                ?? KernelFile.ReadText("/sys/hypervisor/type")
                ?? (isVirtual ? "yes" : null)
        );
        Add(facts, "Container", DetectContainer());
        var nodes = CountFolders("/sys/devices/system/node", "node*");
        if (nodes > 0)
            facts["NUMA nodes"] = nodes.ToString(CultureInfo.InvariantCulture);
        Add(facts, "CPU frequency governor", KernelFile.ReadText("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
        Add(facts, "Power plan", KernelFile.ReadText("/etc/tuned/active_profile"));
    }

    private static string? DetectContainer() =>
        Environment.GetEnvironmentVariable("KUBERNETES_SERVICE_HOST") is not null ? "Kubernetes"
        : File.Exists("/.dockerenv") ? "Docker"
        : File.Exists("/run/.containerenv") ? "Podman"
        : Environment.GetEnvironmentVariable("container");

    private static int CountFolders(string folder, string pattern) =>
        Directory.Exists(folder) ? Directory.GetDirectories(folder, pattern).Length : 0;

    private static string? FindValue(string[] lines, string name, char separator) =>
        lines.FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?.Split(separator, 2) is [_, var value] ? value : null;
}
