using System.Runtime.InteropServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>Which processors a worker may run on. A processor of Windows' group g is number 64 x g + its number within the group.</summary>
internal static unsafe class ThreadAffinity
{
    /// <summary>Most processors of a group (Windows).</summary>
    public const int ProcessorsPerGroup = 64;

    private const int MaskBytes = 1024;

    /// <summary>The processors of a worker; empty = any. A list without a mode is used in turn; without a list, one node of memory (NUMA) is filled before the next.</summary>
    public static int[] ProcessorsOf(IoPattern pattern, int thread, ProcessorTopology? topology = null)
    {
        if (pattern.AffinityMode == IoAffinityMode.Mask)
            return [.. pattern.Processors];
        if (pattern.AffinityMode == IoAffinityMode.Off && pattern.Processors.Count == 0)
            return [];
        var processors =
            pattern.Processors.Count > 0 ? [.. pattern.Processors] : (topology ?? ProcessorTopology.Current).InOrder(Available());
        return processors.Length == 0 ? [] : [processors[thread % processors.Length]];
    }

    /// <summary>The processors this process may use.</summary>
    public static int[] Available() =>
        OperatingSystem.IsLinux() ? AvailableLinux()
        : OperatingSystem.IsWindows() ? AvailableWindows()
        : [.. Enumerable.Range(0, Environment.ProcessorCount)];

    /// <summary>Binds the calling thread.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidAffinity</c>: there is no such processor.</exception>
    public static void Bind(int[] processors)
    {
        if (processors.Length == 0)
            return;
        var done = OperatingSystem.IsLinux() ? BindLinux(processors) : !OperatingSystem.IsWindows() || BindWindows(processors);
        if (!done)
        {
            var reason = FileErrors.Message(Marshal.GetLastSystemError());
            throw IoBenchException.Usage(
                "IoBench.InvalidAffinity",
                $"a thread cannot be bound to processor{(processors.Length == 1 ? "" : "s")} {string.Join(", ", processors)}: {Environment.ProcessorCount} {(Environment.ProcessorCount == 1 ? "is" : "are")} available here. {reason}."
            );
        }
    }

    /// <summary>
    /// Binds a worker's thread. One that may run anywhere gets all processors of a group, the groups in turn, where the system would keep all threads of the process in
    /// one group of 64: Windows before 11 and Server 2022.
    /// </summary>
    /// <param name="processors">As for <see cref="Bind"/>; empty = any.</param>
    /// <param name="thread">The worker's number.</param>
    public static void Place(int[] processors, int thread)
    {
        if (processors.Length > 0)
            Bind(processors);
        // Refused, as where a job holds the process to some processors, it stays where it is.
        else if (
            OperatingSystem.IsWindows()
            && !OperatingSystem.IsWindowsVersionAtLeast(10, 0, 20348)
            && GroupOf(thread, Available()) is { Length: > 0 } group
        )
            _ = BindWindows(group);
    }

    /// <summary>Makes something on the processors of a worker that is bound to some, so that its memory lies on their node; else where it is called.</summary>
    /// <param name="processors">As for <see cref="Bind"/>; empty = any.</param>
    /// <param name="make">Makes it.</param>
    public static T MakeOn<T>(int[] processors, Func<T> make)
    {
        if (processors.Length == 0)
            return make();
        // A thread of its own, since a thread of the pool would stay bound.
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
                        // The worker itself is bound to them later, and reports it.
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

    /// <summary>The processors of a thread's group, when there are several.</summary>
    internal static int[] GroupOf(int thread, int[] available)
    {
        var groups = available.GroupBy(processor => processor / ProcessorsPerGroup).ToArray();
        return groups.Length < 2 ? [] : [.. groups[thread % groups.Length]];
    }

    private static int[] AvailableLinux()
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

    private static int[] AvailableWindows()
    {
        var groups = WindowsCalls.GetActiveProcessorGroupCount();
        nuint ours,
            all;
        // A process that is held to some processors (start /affinity) is so within one group; of several groups the system says nothing.
        if (groups <= 1 && WindowsCalls.GetProcessAffinityMask(WindowsCalls.GetCurrentProcess(), &ours, &all) != 0 && ours != 0)
            return InMask(ours);
        return
        [
            .. Enumerable
                .Range(0, groups)
                .SelectMany(group =>
                    Enumerable.Range(group * ProcessorsPerGroup, (int)WindowsCalls.GetActiveProcessorCount((ushort)group))
                ),
        ];
    }

    private static int[] InMask(nuint mask) => [.. Enumerable.Range(0, ProcessorsPerGroup).Where(i => (mask >> i & 1) != 0)];

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
                $"a thread cannot be bound to processors of several groups at once ({string.Join(", ", processors)}; {ProcessorsPerGroup} per group).",
                advice: "Name processors of one group, or let the threads take turns (roundrobin)."
            );
        }
        var affinity = new WindowsCalls.GroupAffinity { Group = (ushort)group };
        foreach (var processor in processors)
            affinity.Mask |= 1UL << (processor % ProcessorsPerGroup);
        return WindowsCalls.SetThreadGroupAffinity(WindowsCalls.GetCurrentThread(), &affinity, null) != 0;
    }
}
