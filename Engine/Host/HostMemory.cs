using System.Globalization;

namespace IoBench.Engine.Host;

/// <summary>How much memory the computer has: what its file cache could hold.</summary>
internal static unsafe class HostMemory
{
    private static readonly Lazy<long> s_total = new(Read);

    /// <summary>Bytes of memory.</summary>
    public static long TotalBytes => s_total.Value;

    private static long Read() => (OperatingSystem.IsWindows() ? ReadWindows() : ReadLinux()) ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    private static long? ReadLinux()
    {
        const string memory = "/proc/meminfo";
        // "MemTotal:       24684092 kB"
        var line = File.Exists(memory) ? File.ReadLines(memory).FirstOrDefault(l => l.StartsWith("MemTotal:", StringComparison.Ordinal)) : null;
        var parts = line?.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return parts is [_, var kilobytes, ..] && long.TryParse(kilobytes, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value * 1024 : null;
    }

    private static long? ReadWindows()
    {
        var status = new WindowsCalls.MemoryStatus { Length = (uint)sizeof(WindowsCalls.MemoryStatus) };
        return WindowsCalls.GlobalMemoryStatusEx(&status) ? (long)status.TotalPhysical : null;
    }
}
