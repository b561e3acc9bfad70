using System.Globalization;

namespace IoBench.Engine;

public static partial class HostFacts
{
    private static void AddLinux(Dictionary<string, string> facts)
    {
        var cpu = KernelFile.Lines("/proc/cpuinfo");
        Add(facts, "Processor", ValueOf(cpu, "model name", ':') ?? ValueOf(KernelFile.Lines("/proc/device-tree/model"), "", ':'));
        var sockets = cpu.Where(l => l.StartsWith("physical id", StringComparison.Ordinal)).Distinct(StringComparer.Ordinal).Count();
        if (sockets > 0)
            facts["Sockets"] = sockets.ToString(CultureInfo.InvariantCulture);
        Add(facts, "Kernel", KernelFile.Text("/proc/sys/kernel/osrelease"));
        Add(facts, "Distribution", ValueOf(KernelFile.Lines("/etc/os-release"), "PRETTY_NAME", '=')?.Trim('"'));
        var vendor = KernelFile.Text("/sys/class/dmi/id/sys_vendor");
        var product = KernelFile.Text("/sys/class/dmi/id/product_name");
        Add(facts, "Computer", $"{vendor} {product}");
        // The firmware can change when the computer is serviced. Serial numbers and asset tags are not recorded.
        Add(
            facts,
            "BIOS",
            Bios(
                KernelFile.Text("/sys/class/dmi/id/bios_vendor"),
                KernelFile.Text("/sys/class/dmi/id/bios_version"),
                KernelFile.Text("/sys/class/dmi/id/bios_date")
            )
        );
        var isVirtual = ValueOf(cpu, "flags", ':')?.Contains("hypervisor", StringComparison.Ordinal) == true;
        Add(
            facts,
            "Virtual machine",
            RecogniseCloud(vendor, product, KernelFile.Text("/sys/class/dmi/id/chassis_asset_tag"))
                ?? KernelFile.Text("/sys/hypervisor/type")
                ?? (isVirtual ? "yes" : null)
        );
        Add(facts, "Container", Container());
        var nodes = Count("/sys/devices/system/node", "node*");
        if (nodes > 0)
            facts["NUMA nodes"] = nodes.ToString(CultureInfo.InvariantCulture);
        Add(facts, "CPU frequency governor", KernelFile.Text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
        Add(facts, "Power plan", KernelFile.Text("/etc/tuned/active_profile"));
    }

    private static string? Container() =>
        Environment.GetEnvironmentVariable("KUBERNETES_SERVICE_HOST") is not null ? "Kubernetes"
        : File.Exists("/.dockerenv") ? "Docker"
        : File.Exists("/run/.containerenv") ? "Podman"
        : Environment.GetEnvironmentVariable("container");

    private static int Count(string folder, string pattern) =>
        Directory.Exists(folder) ? Directory.GetDirectories(folder, pattern).Length : 0;

    private static string? ValueOf(string[] lines, string name, char separator) =>
        lines.FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?.Split(separator, 2) is [_, var value] ? value : null;
}
