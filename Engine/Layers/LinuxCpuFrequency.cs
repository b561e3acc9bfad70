namespace IoBench.Engine;

internal static class LinuxCpuFrequency
{
    /// <summary>Lowest frequency of all CPUs in percent of the highest that each supports; null if the kernel does not report it.</summary>
    public static double? ReadPercent(string folder = "/sys/devices/system/cpu")
    {
        if (!Directory.Exists(folder))
            return null;
        double? lowest = null;
        foreach (var cpu in Directory.EnumerateDirectories(folder, "cpu*"))
            if (
                KernelFile.ReadNumber(Path.Combine(cpu, "cpufreq", "scaling_cur_freq")) is { } now
                && KernelFile.ReadNumber(Path.Combine(cpu, "cpufreq", "cpuinfo_max_freq")) is > 0 and var highest
            )
                lowest = Math.Min(lowest ?? 100, Math.Min(100, 100.0 * now / highest));
        return lowest;
    }
}
