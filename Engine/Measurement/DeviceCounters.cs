using System.Globalization;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

/// <summary>I/Os of the targets' block devices between two moments, from counters that count since the start of the system.</summary>
/// <param name="sources">Devices with a call that reads their counters; the call returns null if the system does not count.</param>
internal sealed class DeviceCounters(IEnumerable<(string Device, bool IsComponent, Func<IoDeviceLoad?> Read)> sources)
{
    private const int SectorBytes = 512;

    private readonly (string Device, bool IsComponent, Func<IoDeviceLoad?> Read)[] _sources =
    [
        .. sources.OrderBy(source => source.IsComponent).DistinctBy(source => source.Device),
    ];
    private IoDeviceLoad?[] _before = [];

    /// <summary>Devices that the system counts; empty before <see cref="End"/>.</summary>
    public List<IoDeviceLoad> Loads { get; } = [];

    public static IEnumerable<(string Device, bool IsComponent, Func<IoDeviceLoad?> Read)> FindLinuxSources(LinuxBlockDevice device) =>
        device
            .GetSelfAndComponents()
            .Select((part, i) => (part.Name, i > 0, (Func<IoDeviceLoad?>)(() => ParseLinuxCounters(part.ReadValue("stat")))));

    public static (string Device, bool IsComponent, Func<IoDeviceLoad?> Read) CreateWindowsSource(WindowsFileCalls calls, string disk) =>
        (disk, false, () => ReadWindowsCounters(calls, disk));

    /// <summary>Source: Documentation/block/stat.rst of the kernel. Null for another text.</summary>
    public static IoDeviceLoad? ParseLinuxCounters(string? text)
    {
        var fields = text?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        var numbers = new long[8];
        if (fields.Length < numbers.Length)
            return null;
        for (var i = 0; i < numbers.Length; i++)
            if (!long.TryParse(fields[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
                return null;
        return new()
        {
            ReadCount = numbers[0],
            ReadBytes = numbers[2] * SectorBytes,
            ReadMs = numbers[3],
            WriteCount = numbers[4],
            WriteBytes = numbers[6] * SectorBytes,
            WriteMs = numbers[7],
        };
    }

    public void Begin() => _before = ReadAll();

    public void End()
    {
        foreach (var ((source, before), after) in _sources.Zip(_before).Zip(ReadAll()))
            // A counter that is lower than before belongs to a device that was replaced.
            if (before is { } from && after is { } to && to.ReadCount >= from.ReadCount && to.WriteCount >= from.WriteCount)
                Loads.Add(
                    new IoDeviceLoad
                    {
                        Device = source.Device,
                        IsComponent = source.IsComponent,
                        ReadCount = to.ReadCount - from.ReadCount,
                        WriteCount = to.WriteCount - from.WriteCount,
                        ReadBytes = Math.Max(0, to.ReadBytes - from.ReadBytes),
                        WriteBytes = Math.Max(0, to.WriteBytes - from.WriteBytes),
                        ReadMs = Math.Max(0, to.ReadMs - from.ReadMs),
                        WriteMs = Math.Max(0, to.WriteMs - from.WriteMs),
                    }
                );
    }

    private IoDeviceLoad?[] ReadAll() => Array.ConvertAll(_sources, source => source.Read());

    private static unsafe IoDeviceLoad? ReadWindowsCounters(WindowsFileCalls calls, string disk)
    {
        const uint access = SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;
        var error = calls.Open(@"\\.\" + disk, 0, ShareAll, OPEN_EXISTING, access, out var handle);
        using var open = handle;
        DiskPerformance counters;
        if (error != 0 || calls.SendControlCode(handle, IOCTL_DISK_PERFORMANCE, null, 0, &counters, sizeof(DiskPerformance)) != 0)
            return null;
        return new()
        {
            ReadCount = counters.ReadCount,
            WriteCount = counters.WriteCount,
            ReadBytes = counters.BytesRead,
            WriteBytes = counters.BytesWritten,
            ReadMs = counters.ReadTime / (double)TimeSpan.TicksPerMillisecond,
            WriteMs = counters.WriteTime / (double)TimeSpan.TicksPerMillisecond,
        };
    }
}
