using System.Runtime.InteropServices;

namespace IoBench.Engine;

// Processors that a worker can run on. Processor n of Windows processor group g has the number 64 x g + n.
internal sealed unsafe partial class ProcessorTopology
{
    public const int ProcessorsPerGroup = 64;

    private const int MaskBytes = 1024;

    /// <summary>Empty = any. Without a mode, workers take turns with a processor list. Without a list, they fill node after node.</summary>
    public static int[] GetProcessors(IoPattern pattern, int thread, ProcessorTopology? topology = null)
    {
        if (pattern.AffinityMode == IoAffinityMode.Mask)
            return [.. pattern.Processors];
        if (pattern.AffinityMode == IoAffinityMode.Off && pattern.Processors.Count == 0)
            return [];
        var processors =
            pattern.Processors.Count > 0 ? [.. pattern.Processors] : (topology ?? Current).OrderByNode(GetAvailableProcessors());
        return processors.Length == 0 ? [] : [processors[thread % processors.Length]];
    }

    public static int[] GetAvailableProcessors() =>
        OperatingSystem.IsLinux() ? GetAvailableOnLinux()
        : OperatingSystem.IsWindows() ? GetAvailableOnWindows()
        : [.. Enumerable.Range(0, Environment.ProcessorCount)];

    public static void Bind(int[] processors)
    {
        if (processors.Length == 0)
            return;
        var done = OperatingSystem.IsLinux() ? BindLinux(processors) : !OperatingSystem.IsWindows() || BindWindows(processors);
        if (!done)
        {
            var reason = FileErrors.GetMessage(Marshal.GetLastSystemError());
            throw IoBenchException.Usage(
                "IoBench.InvalidAffinity",
                $"IoBench cannot bind a thread to CPU{(processors.Length == 1 ? "" : "s")} {string.Join(", ", processors)}: "
                    + $"{NumberFormat.Pluralize(Environment.ProcessorCount, "CPU")} {(Environment.ProcessorCount == 1 ? "is" : "are")} available. {reason}."
            );
        }
    }

    /// <summary>Before Windows 11 and Server 2022, a process stays in one processor group, so workers use groups in turn.</summary>
    public static void BindWorker(int[] processors, int thread)
    {
        if (processors.Length > 0)
            Bind(processors);
        // If Windows refuses, for example because a job limits the processors of the process, the thread stays where it is.
        else if (
            OperatingSystem.IsWindows()
            && !OperatingSystem.IsWindowsVersionAtLeast(10, 0, 20348)
            && GetGroup(thread, GetAvailableProcessors()) is { Length: > 0 } group
        )
            _ = BindWindows(group);
    }

    /// <summary>Creates an object on the processors of a worker, so that its memory is on their NUMA node.</summary>
    public static T CreateOn<T>(int[] processors, Func<T> make)
    {
        if (processors.Length == 0)
            return make();
        // A new thread, because a thread of the pool would stay bound.
        return Task
            .Factory.StartNew(
                () =>
                {
                    try
                    {
                        Bind(processors);
                    }
                    catch (IoBenchException)
                    {
                        // The worker binds itself to the processors later, and reports the error.
                    }
                    return make();
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default
            )
            .GetAwaiter()
            .GetResult();
    }

    internal static int[] GetGroup(int thread, int[] available)
    {
        var groups = available.GroupBy(processor => processor / ProcessorsPerGroup).ToArray();
        return groups.Length < 2 ? [] : [.. groups[thread % groups.Length]];
    }

    private static int[] GetAvailableOnLinux()
    {
        var mask = stackalloc byte[MaskBytes];
        if (LinuxCalls.SchedGetAffinity(0, MaskBytes, mask) < 0)
            return [.. Enumerable.Range(0, Environment.ProcessorCount)];
        var result = new List<int>();
        for (var i = 0; i < MaskBytes * 8; i++)
            if ((mask[i / 8] >> (i % 8) & 1) != 0)
                result.Add(i);
        return [.. result];
    }

    private static int[] GetAvailableOnWindows()
    {
        var groups = WindowsCalls.GetActiveProcessorGroupCount();
        nuint ours,
            all;
        // An affinity of the process (start /affinity) limits it within one group. For several groups, Windows does not report it.
        if (groups <= 1 && WindowsCalls.GetProcessAffinityMask(WindowsCalls.GetCurrentProcess(), &ours, &all) != 0 && ours != 0)
            return GetProcessorsInMask(ours);
        return
        [
            .. Enumerable
                .Range(0, groups)
                .SelectMany(group =>
                    Enumerable.Range(group * ProcessorsPerGroup, (int)WindowsCalls.GetActiveProcessorCount((ushort)group))
                ),
        ];
    }

    private static int[] GetProcessorsInMask(nuint mask) => [.. Enumerable.Range(0, ProcessorsPerGroup).Where(i => (mask >> i & 1) != 0)];

    private static bool BindLinux(int[] processors)
    {
        var mask = stackalloc byte[MaskBytes];
        new Span<byte>(mask, MaskBytes).Clear();
        foreach (var processor in processors)
            if (processor < MaskBytes * 8)
                mask[processor / 8] |= (byte)(1 << (processor % 8));
        return LinuxCalls.SchedSetAffinity(0, MaskBytes, mask) == 0;
    }

    private static bool BindWindows(int[] processors)
    {
        var group = processors[0] / ProcessorsPerGroup;
        if (Array.Exists(processors, p => p / ProcessorsPerGroup != group))
        {
            throw IoBenchException.Usage(
                "IoBench.InvalidAffinity",
                $"IoBench cannot bind a thread to CPUs in several groups at once ({string.Join(", ", processors)}; "
                    + $"each group has {ProcessorsPerGroup} CPUs).",
                advice: "Specify CPUs of one group, or use roundrobin."
            );
        }
        var affinity = new WindowsCalls.GroupAffinity { Group = (ushort)group };
        foreach (var processor in processors)
            affinity.Mask |= 1UL << (processor % ProcessorsPerGroup);
        return WindowsCalls.SetThreadGroupAffinity(WindowsCalls.GetCurrentThread(), &affinity, null) != 0;
    }
}
