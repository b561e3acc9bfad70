using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>The computer a run is made on, for those who read its result later. What the system does not tell is left out.</summary>
internal static class HostFacts
{
    private static readonly Lazy<Dictionary<string, string>> s_facts = new(Collect);

    /// <summary>Names and values.</summary>
    public static IReadOnlyDictionary<string, string> All => s_facts.Value;

    private static Dictionary<string, string> Collect()
    {
        var facts = new Dictionary<string, string>
        {
            ["Operating system"] = RuntimeInformation.OSDescription,
            ["Runtime"] = RuntimeInformation.FrameworkDescription,
            ["Architecture"] = RuntimeInformation.ProcessArchitecture.ToString(),
            ["Processors"] = Environment.ProcessorCount.ToString(CultureInfo.InvariantCulture),
            ["Memory"] = new IoSize(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes).ToDisplayString(),
        };
        if (OperatingSystem.IsLinux())
            AddLinux(facts);
        else if (OperatingSystem.IsWindows())
            Add(facts, "Processor", Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER"));
        return facts;
    }

    private static void AddLinux(Dictionary<string, string> facts)
    {
        var cpu = FirstLines("/proc/cpuinfo", 64);
        Add(facts, "Processor", ValueOf(cpu, "model name", ':'));
        Add(facts, "Distribution", ValueOf(FirstLines("/etc/os-release", 64), "PRETTY_NAME", '=')?.Trim('"'));
        var product = string.Join(' ', FirstLines("/sys/class/dmi/id/sys_vendor", 1).Concat(FirstLines("/sys/class/dmi/id/product_name", 1)));
        Add(facts, "Computer", product);
        if (ValueOf(cpu, "flags", ':')?.Contains("hypervisor", StringComparison.Ordinal) == true)
            facts["Virtual machine"] = "yes";
        if (Directory.Exists("/sys/devices/system/node"))
        {
            var nodes = Directory.GetDirectories("/sys/devices/system/node", "node*").Length;
            facts["NUMA nodes"] = nodes.ToString(CultureInfo.InvariantCulture);
        }
        Add(facts, "CPU frequency governor", FirstLines("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", 1).FirstOrDefault());
    }

    private static void Add(Dictionary<string, string> facts, string name, string? value)
    {
        if (!string.IsNullOrWhiteSpace(value))
            facts[name] = value.Trim();
    }

    private static string? ValueOf(string[] lines, string name, char separator)
        => lines.FirstOrDefault(l => l.StartsWith(name, StringComparison.Ordinal))?.Split(separator, 2) is [_, var value] ? value : null;

    private static string[] FirstLines(string path, int count)
    {
        try
        {
            return [.. File.ReadLines(path).Take(count)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Not every kernel or container has it.
            return [];
        }
    }
}
