using System.Diagnostics;
using System.Globalization;

namespace IoBench.Engine;

internal sealed unsafe class CpuSnapshot
{
    private readonly ProcessorTimes[] _processors;

    private CpuSnapshot(long moment, double processSeconds, ProcessorTimes[] processors, int collections)
    {
        Timestamp = moment;
        ProcessSeconds = processSeconds;
        _processors = processors;
        GarbageCollections = collections;
    }

    /// <summary>Time of the snapshot in nanoseconds.</summary>
    public long Timestamp { get; }

    public double ProcessSeconds { get; }

    public int GarbageCollections { get; }

    public static CpuSnapshot Capture() =>
        new(
            Clock.Now,
            GetProcessSeconds(),
            OperatingSystem.IsLinux() ? ReadProcStat()
                : OperatingSystem.IsWindows() ? ReadWindows()
                : [],
            GC.CollectionCount(0)
        );

    /// <summary>Only Windows has several groups. Empty if the system does not report processor times.</summary>
    public IReadOnlyList<int> GetGroupSizes() =>
        [
            .. _processors
                .Where(p => p.Number >= 0)
                .GroupBy(p => OperatingSystem.IsWindows() ? p.Number / ProcessorTopology.ProcessorsPerGroup : 0)
                .OrderBy(g => g.Key)
                .Select(g => g.Count()),
        ];

    public List<IoProcessorLoad> GetLoadSince(CpuSnapshot earlier)
    {
        var result = new List<IoProcessorLoad>();
        var topology = ProcessorTopology.Current;
        var groups = OperatingSystem.IsWindows() && Array.Exists(_processors, p => p.Number >= ProcessorTopology.ProcessorsPerGroup);
        for (var i = 0; i < _processors.Length && i < earlier._processors.Length; i++)
        {
            var (number, user, kernel, idle, _) = _processors[i];
            user -= earlier._processors[i].User;
            kernel -= earlier._processors[i].Kernel;
            idle -= earlier._processors[i].Idle;
            var total = user + kernel + idle;
            if (number < 0 || total <= 0)
                continue;
            result.Add(
                new IoProcessorLoad
                {
                    Processor = groups ? number % ProcessorTopology.ProcessorsPerGroup : number,
                    Group = groups ? number / ProcessorTopology.ProcessorsPerGroup : null,
                    Node = topology.NodeCount > 1 ? topology.GetNode(number) : null,
                    UsagePercent = 100 * (user + kernel) / total,
                    UserPercent = 100 * user / total,
                    KernelPercent = 100 * kernel / total,
                    IdlePercent = 100 * idle / total,
                }
            );
        }
        return result;
    }

    public double? GetUsageSince(CpuSnapshot earlier)
    {
        if (_processors.Length == 0 || earlier._processors.Length == 0)
            return null;
        var busy = _processors.Sum(p => p.User + p.Kernel) - earlier._processors.Sum(p => p.User + p.Kernel);
        var idle = _processors.Sum(p => p.Idle) - earlier._processors.Sum(p => p.Idle);
        return busy + idle > 0 ? 100 * busy / (busy + idle) : null;
    }

    /// <summary>Percent of the time that the hypervisor gave to other virtual machines.</summary>
    public double GetStolenSince(CpuSnapshot earlier)
    {
        var stolen = _processors.Sum(p => p.Stolen) - earlier._processors.Sum(p => p.Stolen);
        var all = stolen + _processors.Sum(p => p.User + p.Kernel + p.Idle) - earlier._processors.Sum(p => p.User + p.Kernel + p.Idle);
        return all > 0 ? 100 * stolen / all : 0;
    }

    private static double GetProcessSeconds()
    {
        if (OperatingSystem.IsLinux())
        {
            var usage = stackalloc long[18];
            if (LinuxCalls.GetRusage(0, usage) == 0)
                return usage[0] + usage[1] / 1e6 + usage[2] + usage[3] / 1e6;
        }
        using var process = Process.GetCurrentProcess();
        return process.TotalProcessorTime.TotalSeconds;
    }

    private static ProcessorTimes[] ReadProcStat()
    {
        var result = new List<ProcessorTimes>();
        foreach (var line in File.ReadLines("/proc/stat"))
        {
            if (!line.StartsWith("cpu", StringComparison.Ordinal))
                break;
            if (line[3] == ' ')
                continue;
            var fields = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            var t = fields[1..].Select(f => double.Parse(f, CultureInfo.InvariantCulture)).ToArray();
            result.Add(
                new ProcessorTimes(
                    int.Parse(fields[0].AsSpan(3), CultureInfo.InvariantCulture),
                    t[0] + t[1],
                    t[2] + t[5] + t[6],
                    t[3] + t[4],
                    t.Length > 7 ? t[7] : 0
                )
            );
        }
        return [.. result];
    }

    /// <summary>SYSTEM_PROCESSOR_PERFORMANCE_INFORMATION of each processor, 48 bytes; times in 100 ns, kernel includes idle.</summary>
    private static ProcessorTimes[] ReadWindows()
    {
        const int processorPerformance = 8,
            bytesEach = 48;
        var result = new List<ProcessorTimes>();
        var groups = WindowsCalls.GetActiveProcessorGroupCount();
        var buffer = stackalloc byte[ProcessorTopology.ProcessorsPerGroup * bytesEach];
        for (ushort group = 0; group < Math.Max((ushort)1, groups); group++)
        {
            uint bytes = 0;
            var status =
                groups <= 1
                    ? WindowsCalls.NtQuerySystemInformation(
                        processorPerformance,
                        buffer,
                        ProcessorTopology.ProcessorsPerGroup * bytesEach,
                        &bytes
                    )
                    : WindowsCalls.NtQuerySystemInformationEx(
                        processorPerformance,
                        &group,
                        sizeof(ushort),
                        buffer,
                        ProcessorTopology.ProcessorsPerGroup * bytesEach,
                        &bytes
                    );
            for (var i = 0; status >= 0 && i < bytes / bytesEach; i++)
            {
                var times = (long*)(buffer + i * bytesEach);
                result.Add(
                    new ProcessorTimes(group * ProcessorTopology.ProcessorsPerGroup + i, times[2], times[1] - times[0], times[0], 0)
                );
            }
        }
        if (result.Count > 0)
            return [.. result];
        // Use the total if the system does not report the times per processor.
        long idle,
            kernel,
            user;
        return WindowsCalls.GetSystemTimes(&idle, &kernel, &user) == 0 ? [] : [new ProcessorTimes(-1, user, kernel - idle, idle, 0)];
    }

    /// <summary>Times in a unit of the system; number -1 = all processors together.</summary>
    private readonly record struct ProcessorTimes(int Number, double User, double Kernel, double Idle, double Stolen);
}
