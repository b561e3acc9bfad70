using System.Globalization;

namespace IoBench.Engine;

/// <summary>Counts the requests to the devices of a file: reads and flushes from sysfs, writes from tracepoints.</summary>
public sealed class CommitDeviceCounter : IDisposable
{
    private const int SectorBytes = 512;

    // Fields of /sys/block/*/stat: read I/Os 1, write I/Os 5, write sectors 7, flush I/Os 16 (Documentation/block/stat.rst of the kernel).
    private const int FieldsWithFlushes = 17;

    private readonly IReadOnlyList<Func<CommitDeviceCounts?>> _devices;
    private readonly bool _countsFlushes;
    private readonly BlockTracepoint? _writes;
    private readonly BlockTracepoint? _fua;
    private CommitDeviceCounts? _before;
    private long? _writesBefore;
    private long? _fuaBefore;

    internal CommitDeviceCounter(VolumeFacts volume)
    {
        if (volume.BlockDevice is { } device)
        {
            // A volume on several devices sends its requests to them, and the kernel counts flushes only there.
            LinuxBlockDevice[] disks =
            [
                .. device
                    .GetSelfAndComponents()
                    .Where(part => !part.GetComponents().Any())
                    .Select(part => part.WholeDisk)
                    .DistinctBy(part => part.Name),
            ];
            _devices = [.. disks.Select(disk => (Func<CommitDeviceCounts?>)(() => Parse(disk.Name, disk.ReadValue("stat"))))];
            _countsFlushes = volume.HasVolatileWriteCache == false || disks.All(disk => disk.HasRequestQueues);
            string? reason = "the kernel cannot trace the device, because its driver has no request queues";
            if (disks.All(disk => disk.HasRequestQueues))
            {
                string[] numbers = [.. disks.Select(disk => disk.DeviceNumber)];
                _writes = BlockTracepoint.TryOpenWrites(numbers, out _);
                _fua = BlockTracepoint.TryOpenFuaWrites(numbers, out reason);
            }
            FuaReason = reason;
        }
        else
        {
            _devices =
            [
                .. volume
                    .Counters.Where(counter => !counter.IsComponent)
                    .Select(counter => (Func<CommitDeviceCounts?>)(() => FromLoad(counter.Device, counter.Read()))),
            ];
            FuaReason =
                _devices.Count == 0
                    ? "the operating system does not report the block device of the file"
                    : "the operating system does not count flushes and FUA writes";
        }
    }

    /// <summary>Why FUA writes are not counted; null if they are.</summary>
    public string? FuaReason { get; }

    public void Begin()
    {
        _before = ReadAll();
        _writesBefore = _writes?.Read();
        _fuaBefore = _fua?.Read();
    }

    /// <summary>Returns the requests since <see cref="Begin"/>; null if the counters of a device cannot be read.</summary>
    public CommitDeviceCounts? End()
    {
        var fua = _fua?.Read() - _fuaBefore;
        var writes = _writes?.Read() - _writesBefore;
        if (ReadAll() is not { } after || _before is not { } before)
            return null;
        var flushes = _countsFlushes ? after.Flushes - before.Flushes : null;
        var counts = after with
        {
            // Linux counts the request that causes a flush as a write without data, so this counter is exact only without flushes.
            Writes = writes ?? (flushes is null or 0 ? after.Writes - before.Writes : null),
            WriteBytes = after.WriteBytes - before.WriteBytes,
            Reads = after.Reads - before.Reads,
            Flushes = flushes,
            FuaWrites = fua,
        };
        // A lower counter belongs to a device that was replaced.
        return counts.Writes < 0 || counts.Reads < 0 || counts.Flushes < 0 ? null : counts;
    }

    public void Dispose()
    {
        _writes?.Dispose();
        _fua?.Dispose();
    }

    /// <summary>Returns the sum of all devices since their start; null if there is none or one cannot be read.</summary>
    private CommitDeviceCounts? ReadAll()
    {
        CommitDeviceCounts? sum = null;
        foreach (var read in _devices)
        {
            if (read() is not { } counts)
                return null;
            sum = sum is null ? counts : CommitDeviceCounts.Add(sum, counts);
        }
        return sum;
    }

    /// <summary>Flushes are null before kernel 5.5, which does not count them.</summary>
    internal static CommitDeviceCounts? Parse(string device, string? text)
    {
        var fields = text?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return GetField(0) is { } reads && GetField(4) is { } writes && GetField(6) is { } sectors
            ? new CommitDeviceCounts
            {
                Devices = [device],
                Reads = reads,
                Writes = writes,
                WriteBytes = sectors * SectorBytes,
                Flushes = fields.Length >= FieldsWithFlushes ? GetField(15) : null,
            }
            : null;

        long? GetField(int index) =>
            index < fields.Length && long.TryParse(fields[index], NumberStyles.None, CultureInfo.InvariantCulture, out var value)
                ? value
                : null;
    }

    private static CommitDeviceCounts? FromLoad(string device, IoDeviceLoad? load) =>
        load is null
            ? null
            : new CommitDeviceCounts
            {
                Devices = [device],
                Reads = load.ReadCount,
                Writes = load.WriteCount,
                WriteBytes = load.WriteBytes,
            };
}
