using System.Globalization;

namespace IoBench.Engine;

/// <summary>Counts the requests to the devices of a file: reads and flushes from sysfs, writes from tracepoints.</summary>
public sealed class CommitDeviceCounter : IDisposable
{
    private const int SectorBytes = 512;

    // Fields of /sys/block/*/stat: read I/Os 1, write I/Os 5, write sectors 7, flush I/Os 16 (Documentation/block/stat.rst of the kernel).
    private const int FieldsWithFlushes = 17;

    private readonly IReadOnlyList<(string Name, Func<DeviceRequests?> Read)> _devices;
    private readonly bool _countsFlushes;
    private readonly BlockTracepoint? _writes;
    private readonly BlockTracepoint? _fua;
    private DeviceRequests?[] _before = [];
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
            _devices = [.. disks.Select(disk => (disk.Name, (Func<DeviceRequests?>)(() => DeviceRequests.Parse(disk.ReadValue("stat")))))];
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
                    .Select(counter => (counter.Device, (Func<DeviceRequests?>)(() => DeviceRequests.FromLoad(counter.Read())))),
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
        var after = ReadAll();
        if (_devices.Count == 0 || after.Length != _before.Length || after.Contains(null) || _before.Contains(null))
            return null;
        var flushes = _countsFlushes ? GetDifference(requests => requests.Flushes) : null;
        var counts = new CommitDeviceCounts
        {
            Devices = [.. _devices.Select(device => device.Name)],
            // Linux counts the request that causes a flush as a write without data, so this counter is exact only without flushes.
            Writes = writes ?? (flushes is null or 0 ? GetDifference(requests => requests.Writes) : null),
            WriteBytes = GetDifference(requests => requests.WriteBytes) ?? 0,
            Reads = GetDifference(requests => requests.Reads) ?? 0,
            Flushes = flushes,
            FuaWrites = fua,
        };
        // A lower counter belongs to a device that was replaced.
        return counts.Writes < 0 || counts.Reads < 0 || counts.Flushes < 0 ? null : counts;

        long? GetDifference(Func<DeviceRequests, long?> count)
        {
            long? sum = 0;
            for (var i = 0; i < after.Length; i++)
                sum += count(after[i]!) - count(_before[i]!);
            return sum;
        }
    }

    public void Dispose()
    {
        _writes?.Dispose();
        _fua?.Dispose();
    }

    private DeviceRequests?[] ReadAll() => [.. _devices.Select(device => device.Read())];

    internal sealed record DeviceRequests(long Reads, long Writes, long WriteBytes, long? Flushes)
    {
        /// <summary>Flushes are null before kernel 5.5, which does not count them.</summary>
        public static DeviceRequests? Parse(string? text)
        {
            var fields = text?.Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
            return TryGetField(0, out var reads) && TryGetField(4, out var writes) && TryGetField(6, out var sectors)
                ? new DeviceRequests(
                    reads,
                    writes,
                    sectors * SectorBytes,
                    fields.Length >= FieldsWithFlushes && TryGetField(15, out var flushes) ? flushes : null
                )
                : null;

            bool TryGetField(int index, out long value)
            {
                value = 0;
                return index < fields.Length && long.TryParse(fields[index], NumberStyles.None, CultureInfo.InvariantCulture, out value);
            }
        }

        public static DeviceRequests? FromLoad(IoDeviceLoad? load) =>
            load is null ? null : new DeviceRequests(load.ReadCount, load.WriteCount, load.WriteBytes, Flushes: null);
    }
}
