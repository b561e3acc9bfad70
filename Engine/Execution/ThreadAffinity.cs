using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Which processors a worker may run on.</summary>
internal static unsafe class ThreadAffinity
{
    private const int MaskBytes = 1024;

    /// <summary>The processors of a worker; empty = any. A list without a mode is used in turn.</summary>
    public static int[] ProcessorsOf(IoPattern pattern, int thread)
    {
        if (pattern.AffinityMode == IoAffinityMode.Mask)
            return [.. pattern.Processors];
        if (pattern.AffinityMode == IoAffinityMode.Off && pattern.Processors.Count == 0)
            return [];
        var processors = pattern.Processors.Count > 0 ? [.. pattern.Processors] : Available();
        return processors.Length == 0 ? [] : [processors[thread % processors.Length]];
    }

    /// <summary>The processors this process may use.</summary>
    public static int[] Available()
    {
        if (!OperatingSystem.IsLinux())
            return [.. Enumerable.Range(0, Environment.ProcessorCount)];
        var mask = stackalloc byte[MaskBytes];
        if (LinuxNative.SchedGetAffinity(0, MaskBytes, mask) < 0)
            return [.. Enumerable.Range(0, Environment.ProcessorCount)];
        var result = new List<int>();
        for (var i = 0; i < MaskBytes * 8; i++)
            if ((mask[i / 8] >> (i % 8) & 1) != 0)
                result.Add(i);
        return [.. result];
    }

    /// <summary>Binds the calling thread.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidAffinity</c>: there is no such processor.</exception>
    public static void Bind(int[] processors)
    {
        if (processors.Length == 0)
            return;
        bool done;
        if (OperatingSystem.IsLinux())
        {
            var mask = stackalloc byte[MaskBytes];
            new Span<byte>(mask, MaskBytes).Clear();
            foreach (var processor in processors)
                if (processor < MaskBytes * 8)
                    mask[processor / 8] |= (byte)(1 << (processor % 8));
            done = LinuxNative.SchedSetAffinity(0, MaskBytes, mask) == 0;
        }
        else if (OperatingSystem.IsWindows())
        {
            nuint mask = 0;
            foreach (var processor in processors)
                if (processor < nuint.Size * 8)
                    mask |= (nuint)1 << processor;
            done = WindowsNative.SetThreadAffinityMask(WindowsNative.GetCurrentThread(), mask) != 0;
        }
        else
        {
            done = true;
        }
        if (!done)
        {
            throw IoBenchException.Usage("IoBench.InvalidAffinity",
                $"a thread cannot be bound to processor {string.Join(", ", processors)}: this computer has {Environment.ProcessorCount} for us. {Marshal.GetPInvokeErrorMessage(Marshal.GetLastSystemError())}.");
        }
    }
}
