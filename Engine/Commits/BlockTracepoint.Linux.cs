using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

/// <summary>Counts requests of a kind that the block layer issues to devices. A perf event with a filter counts in the kernel, so no trace
/// is written, and nothing stays behind if the process is killed.</summary>
internal sealed unsafe class BlockTracepoint : IDisposable
{
    private const string TracingFolder = "/sys/kernel/tracing";
    private const uint TracepointType = 2;
    private const int AttributeSize = 64;
    private const nuint SetFilter = 0x40082406;
    private const nint CloseOnExec = 8;

    private readonly List<SafeFileHandle> _events = [];

    private BlockTracepoint() { }

    /// <param name="devices">Device numbers as <c>major:minor</c>.</param>
    /// <param name="reason">Why the writes cannot be counted, as a clause; null if they can.</param>
    private static BlockTracepoint? TryOpen(IReadOnlyList<string> devices, IReadOnlyList<string> flags, out string? reason)
    {
        if (!OperatingSystem.IsLinux())
        {
            reason = "IoBench can count FUA writes only on Linux";
            return null;
        }
        if (GetEffectiveUserId() != 0)
        {
            reason = "IoBench can count FUA writes only as root";
            return null;
        }
        if (
            !int.TryParse(
                KernelFile.ReadText(TracingFolder + "/events/block/block_rq_issue/id"),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out var id
            )
        )
        {
            reason = $"tracefs is not mounted, or the kernel has no block tracepoints (mount -t tracefs tracefs {TracingFolder})";
            return null;
        }
        var counter = new BlockTracepoint();
        var error = counter.Open(id, CreateFilter(devices, flags));
        if (error == 0)
        {
            reason = null;
            return counter;
        }
        counter.Dispose();
        reason = $"the kernel refused the tracepoint ({FileErrors.GetMessage(error)})";
        return null;
    }

    // The flags of a request are F for a flush before it, then W for a write or F for a flush, then F for FUA (blk_fill_rwbs).
    public static BlockTracepoint? TryOpenWrites(IReadOnlyList<string> devices, out string? reason) =>
        TryOpen(devices, ["W*", "FW*"], out reason);

    public static BlockTracepoint? TryOpenFuaWrites(IReadOnlyList<string> devices, out string? reason) =>
        TryOpen(devices, ["WF*", "FWF*"], out reason);

    internal static string CreateFilter(IReadOnlyList<string> devices, IReadOnlyList<string> flags) =>
        $"({string.Join(" || ", devices.Select(device => $"dev == {PackDeviceNumber(device)}"))}) && ({string.Join(" || ", flags.Select(pattern => $"rwbs ~ \"{pattern}\""))})";

    // The kernel's own form of a device number: 12 bits major, 20 bits minor.
    private static long PackDeviceNumber(string number)
    {
        var parts = number.Split(':');
        return long.Parse(parts[0], CultureInfo.InvariantCulture) << 20 | long.Parse(parts[1], CultureInfo.InvariantCulture);
    }

    /// <summary>Returns the number of writes so far; null if a counter cannot be read.</summary>
    public long? Read()
    {
        long value;
        long sum = 0;
        foreach (var counter in _events)
        {
            if (LinuxCalls.Read(counter, (byte*)&value, sizeof(long)) != sizeof(long))
                return null;
            sum += value;
        }
        return sum;
    }

    public void Dispose()
    {
        _events.ForEach(counter => counter.Dispose());
        _events.Clear();
    }

    // One event per CPU, because a tracepoint of all processes is counted per CPU.
    private int Open(int id, string filter)
    {
        var attribute = stackalloc byte[AttributeSize];
        new Span<byte>(attribute, AttributeSize).Clear();
        *(uint*)attribute = TracepointType;
        *(uint*)(attribute + 4) = AttributeSize;
        *(long*)(attribute + 8) = id;
        fixed (byte* text = System.Text.Encoding.ASCII.GetBytes(filter + '\0'))
        {
            foreach (var cpu in GetOnlineCpus())
            {
                var counter = (int)Syscall(SYS_perf_event_open, (nint)attribute, -1, cpu, -1, CloseOnExec, 0);
                if (counter < 0)
                    return Marshal.GetLastSystemError();
                var handle = new SafeFileHandle(counter, ownsHandle: true);
                _events.Add(handle);
                if (Control(handle, SetFilter, text) != 0)
                    return Marshal.GetLastPInvokeError();
            }
        }
        return 0;
    }

    private static IEnumerable<int> GetOnlineCpus() =>
        (KernelFile.ReadText("/sys/devices/system/cpu/online") ?? "0")
            .Split(',')
            .Select(range => range.Split('-'))
            .SelectMany(range =>
            {
                var first = int.Parse(range[0], CultureInfo.InvariantCulture);
                return Enumerable.Range(first, int.Parse(range[^1], CultureInfo.InvariantCulture) - first + 1);
            });
}
