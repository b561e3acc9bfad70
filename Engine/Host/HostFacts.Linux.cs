using System.Globalization;

namespace IoBench.Engine.Host;

public static partial class HostFacts
{
    private static void AddLinux(Dictionary<string, string> facts)
    {
        var cpu = Lines("/proc/cpuinfo");
        Add(facts, "Processor", ValueOf(cpu, "model name", ':') ?? ValueOf(Lines("/proc/device-tree/model"), "", ':'));
        var sockets = cpu.Where(l => l.StartsWith("physical id", StringComparison.Ordinal)).Distinct(StringComparer.Ordinal).Count();
        if (sockets > 0)
            facts["Sockets"] = sockets.ToString(CultureInfo.InvariantCulture);
        Add(facts, "Kernel", Lines("/proc/sys/kernel/osrelease").FirstOrDefault());
        Add(facts, "Distribution", ValueOf(Lines("/etc/os-release"), "PRETTY_NAME", '=')?.Trim('"'));
        var vendor = Lines("/sys/class/dmi/id/sys_vendor").FirstOrDefault();
        var product = Lines("/sys/class/dmi/id/product_name").FirstOrDefault();
        Add(facts, "Computer", $"{vendor} {product}");
        // What a service visit changes; serial numbers and asset tags are left where they are.
        Add(facts, "BIOS", Bios(Lines("/sys/class/dmi/id/bios_vendor").FirstOrDefault(), Lines("/sys/class/dmi/id/bios_version").FirstOrDefault(), Lines("/sys/class/dmi/id/bios_date").FirstOrDefault()));
        var isVirtual = ValueOf(cpu, "flags", ':')?.Contains("hypervisor", StringComparison.Ordinal) == true;
        Add(facts, "Virtual machine", RecogniseCloud(vendor, product, Lines("/sys/class/dmi/id/chassis_asset_tag").FirstOrDefault())
            ?? Lines("/sys/hypervisor/type").FirstOrDefault() ?? (isVirtual ? "yes" : null));
        Add(facts, "Container", Container());
        var nodes = Count("/sys/devices/system/node", "node*");
        if (nodes > 0)
            facts["NUMA nodes"] = nodes.ToString(CultureInfo.InvariantCulture);
        Add(facts, "CPU frequency governor", Lines("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").FirstOrDefault());
        Add(facts, "Power plan", Lines("/etc/tuned/active_profile").FirstOrDefault());
    }

    private static string? Container()
        => Environment.GetEnvironmentVariable("KUBERNETES_SERVICE_HOST") is not null ? "Kubernetes"
            : File.Exists("/.dockerenv") ? "Docker"
            : File.Exists("/run/.containerenv") ? "Podman"
            : Environment.GetEnvironmentVariable("container");

    private static int Count(string folder, string pattern) => Directory.Exists(folder) ? Directory.GetDirectories(folder, pattern).Length : 0;

    private static string? ValueOf(string[] lines, string name, char separator)
        => lines.FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?.Split(separator, 2) is [_, var value] ? value : null;

    private static string[] Lines(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllLines(path) : [];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Not every kernel or container has it, nor lets everybody read it.
            return [];
        }
    }
}
