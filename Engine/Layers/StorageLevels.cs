using System.Globalization;

namespace IoBench.Engine;

/// <summary>Levels of the storage under a file, from the file system to the last device that the operating system knows.</summary>
public sealed class StorageLevels
{
    // A file system on a volume on encryption on RAID on multipath, in a file on the same again.
    private const int MaxLevels = 16;

    private static readonly (string File, bool IsWrite, bool IsIops)[] s_throttles =
    [
        ("blkio.throttle.read_iops_device", false, true),
        ("blkio.throttle.write_iops_device", true, true),
        ("blkio.throttle.read_bps_device", false, false),
        ("blkio.throttle.write_bps_device", true, false),
    ];

    private readonly List<StorageLevel> _levels = [];
    private readonly List<IReadOnlyList<Source>> _sources = [];
    private readonly List<StorageLimit> _limits = [];
    private readonly List<LinuxBlockDevice> _topDevices = [];
    private Reading? _before;

    private sealed record Source(Func<IoDeviceLoad?> Read, Func<IoDeviceLoad?> ReadDisk, string DiskNumber);

    private sealed record Reading(long Time, (IoDeviceLoad? Own, IoDeviceLoad? Disk)[][] Loads, CpuSnapshot Cpu, long? MemoryStallUs);

    private StorageLevels() { }

    public IReadOnlyList<StorageLevel> Levels => _levels;

    /// <summary>Limits of this process's control groups.</summary>
    public IReadOnlyList<StorageLimit> Limits => _limits;

    /// <summary>Path of the device that holds the file system; null if there is none, or if there are several.</summary>
    public string? DevicePath => _topDevices is [var device] ? "/dev/" + device.Name.Replace('!', '/') : null;

    /// <summary>What the system counted in the last measured time; null before the first test.</summary>
    public StorageSample? Sample { get; private set; }

    public static StorageLevels Find(CheckedTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        var stack = new StorageLevels();
        if (OperatingSystem.IsLinux())
            stack.AddLinux(target.Volume, target.Path);
        else
            stack.AddWindows(target.Volume);
        return stack;
    }

    /// <summary>For tests: the levels of a device of a made-up /sys.</summary>
    internal static StorageLevels Create(LinuxBlockDevice device, string fileSystem, Func<string, string[]>? readGroupFile = null)
    {
        var stack = new StorageLevels();
        stack.AddFileSystem(fileSystem);
        stack.AddDevices([device]);
        stack.AddLimits(readGroupFile ?? (_ => []));
        return stack;
    }

    internal void Begin() => _before = Read();

    internal void End()
    {
        if (_before is not { } before)
            return;
        var after = Read();
        Sample = new StorageSample
        {
            Seconds = (after.Time - before.Time) / (double)Clock.Second,
            Loads = [.. before.Loads.Zip(after.Loads, Subtract)],
            StolenPercent = after.Cpu.GetStolenSince(before.Cpu),
            MemoryStallPercent =
                after.MemoryStallUs is { } to && before.MemoryStallUs is { } from && after.Time > before.Time
                    ? Math.Clamp((to - from) * 1e5 / (after.Time - before.Time), 0, 100)
                    : null,
            FrequencyPercent = ReadFrequencyPercent(),
        };
    }

    private Reading Read() =>
        new(
            Clock.Now,
            [.. _sources.Select(level => level.Select(source => (source.Read(), source.ReadDisk())).ToArray())],
            CpuSnapshot.Capture(),
            ParseMemoryStall(KernelFile.ReadLines("/proc/pressure/memory"))
        );

    /// <summary>Microseconds in which all tasks waited for memory (Documentation/accounting/psi.rst of the kernel).</summary>
    internal static long? ParseMemoryStall(string[] lines) =>
        Array.Find(lines, line => line.StartsWith("full ", StringComparison.Ordinal)) is { } full
        && full.LastIndexOf("total=", StringComparison.Ordinal) is >= 0 and var at
        && long.TryParse(full.AsSpan(at + 6), NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : null;

    private static StorageLevelLoad? Subtract(
        (IoDeviceLoad? Own, IoDeviceLoad? Disk)[] before,
        (IoDeviceLoad? Own, IoDeviceLoad? Disk)[] after
    )
    {
        if (before.Length == 0)
            return null;
        var load = new StorageLevelLoad();
        for (var i = 0; i < before.Length; i++)
        {
            // A counter that is lower than before belongs to a device that was replaced.
            if (
                before[i].Own is not { } from
                || after[i].Own is not { } to
                || to.ReadCount < from.ReadCount
                || to.WriteCount < from.WriteCount
                || to.ReadMs < from.ReadMs
                || to.WriteMs < from.WriteMs
            )
                return null;
            load = load with
            {
                ReadCount = load.ReadCount + to.ReadCount - from.ReadCount,
                WriteCount = load.WriteCount + to.WriteCount - from.WriteCount,
                ReadBytes = load.ReadBytes + to.ReadBytes - from.ReadBytes,
                WriteBytes = load.WriteBytes + to.WriteBytes - from.WriteBytes,
                ReadMs = load.ReadMs + to.ReadMs - from.ReadMs,
                WriteMs = load.WriteMs + to.WriteMs - from.WriteMs,
            };
            if (before[i].Disk is { } diskFrom && after[i].Disk is { } diskTo)
                load = load with
                {
                    DiskReadCount = load.DiskReadCount + Math.Max(0, diskTo.ReadCount - diskFrom.ReadCount),
                    DiskWriteCount = load.DiskWriteCount + Math.Max(0, diskTo.WriteCount - diskFrom.WriteCount),
                };
        }
        return load;
    }

    private void AddLinux(VolumeFacts volume, string path)
    {
        var device = volume.BlockDevice;
        if (volume.FileSystem is { } name)
            AddFileSystem(name);
        if (device is null && volume.IsOverlay && FindOverlayLayer(path) is { } layer)
        {
            AddFileSystem(layer.FileSystem);
            device = layer.Device;
        }
        if (device is not null)
            AddDevices([device]);
        AddLimits(KernelFile.ReadLines);
    }

    private void AddWindows(VolumeFacts volume)
    {
        var filters = HostFacts.All.GetValueOrDefault(HostFacts.FiltersFact);
        var name = volume.FileSystem ?? "file system";
        if (volume.IsNetwork)
        {
            AddLevel(new(StorageLevelKind.RemoteFileSystem, name, "SMB client, network, and server"), []);
            return;
        }
        AddLevel(
            new(
                StorageLevelKind.FileSystem,
                name,
                filters is null ? $"{name} file system" : $"{name} file system and filter drivers ({filters})"
            ),
            []
        );
        if (volume.Counters.Count == 0)
            return;
        AddLevel(
            new(
                StorageLevelKind.Device,
                string.Join(", ", volume.Counters.Select(counter => counter.Device)),
                volume.Facts.GetValueOrDefault("Bus") is { } bus ? $"{bus} disk" : "disk"
            )
            {
                Details = volume.Facts.GetValueOrDefault("Model"),
                IsCounted = true,
            },
            [.. volume.Counters.Select(counter => new Source(counter.Read, counter.Read, ""))]
        );
    }

    private void AddFileSystem(string name) => AddLevel(StorageLevel.ForFileSystem(name), []);

    private void AddLevel(StorageLevel level, IReadOnlyList<Source> sources)
    {
        _levels.Add(level);
        _sources.Add(sources);
    }

    // A device that is not built on others stays in the set, so that each set has all I/Os of the one above it.
    private void AddDevices(IReadOnlyList<LinuxBlockDevice> devices)
    {
        if (_topDevices.Count == 0)
            _topDevices.AddRange(devices);
        while (devices.Count > 0 && _levels.Count < MaxLevels)
        {
            AddDeviceLevel(devices);
            if (devices is [{ LoopFile: not null } loop] && !loop.GetComponents().Any())
            {
                AddLoopFile(loop);
                return;
            }
            List<LinuxBlockDevice> next =
            [
                .. devices
                    .SelectMany(device =>
                    {
                        var parts = device.GetComponents().ToList();
                        return parts.Count == 0 ? [device] : parts;
                    })
                    .DistinctBy(device => device.Name),
            ];
            if (next.Select(device => device.Name).SequenceEqual(devices.Select(device => device.Name)))
                return;
            devices = next;
        }
    }

    private void AddDeviceLevel(IReadOnlyList<LinuxBlockDevice> devices)
    {
        var details = string.Join(", ", devices.Select(StorageLevel.DescribeModel).OfType<string>().Distinct());
        AddLevel(
            new StorageLevel(
                StorageLevelKind.Device,
                string.Join(", ", devices.Select(device => device.Name)),
                string.Join(", ", devices.Select(StorageLevel.DescribeDevice).Distinct())
            )
            {
                Details = details.Length == 0 ? null : details,
                IsCoarse = devices.Any(device => !device.HasRequestQueues),
                NeedsCpu = devices.Any(StorageLevel.IsSoftware),
                IsCounted = devices.All(IsCounted),
            },
            [
                .. devices
                    .Where(IsCounted)
                    .Select(device => new Source(
                        () => DeviceCounters.ParseLinuxCounters(device.ReadValue("stat")),
                        () => DeviceCounters.ParseLinuxCounters(device.WholeDisk.ReadValue("stat")),
                        device.WholeDisk.DeviceNumber
                    )),
            ]
        );
    }

    // Kernels such as 6.1 show 0 for device mapper, and count its I/Os nevertheless.
    private static bool IsCounted(LinuxBlockDevice device) =>
        device.ReadQueueValue("iostats") != "0"
        || (
            !device.HasRequestQueues
            && DeviceCounters.ParseLinuxCounters(device.ReadValue("stat")) is { } load
            && load.ReadCount + load.WriteCount > 0
        );

    private void AddLoopFile(LinuxBlockDevice loop)
    {
        if (LoopDevice.FromDevice(loop)?.BackingId is not { } file)
            return;
        if (file.Device is { } number)
        {
            if (LinuxBlockDevice.FindByNumber(number, loop.SysfsRoot) is { } below)
                AddDevices([below]);
            return;
        }
        if (LinuxMount.ReadAll().FirstOrDefault(mount => mount.DeviceNumber == file.FileSystem) is { } mount)
        {
            var level = StorageLevel.ForFileSystem(mount.FileSystem);
            AddLevel(level with { Description = $"{level.Description} of the backing file" }, []);
        }
        if (LinuxBlockDevice.FindByNumber(file.FileSystem, loop.SysfsRoot) is { } device)
            AddDevices([device]);
    }

    private static (string FileSystem, LinuxBlockDevice Device)? FindOverlayLayer(string path)
    {
        var mounts = LinuxMount.ReadAll();
        var folder = File.Exists(path) ? path : Path.GetDirectoryName(path) ?? path;
        foreach (var place in LinuxMount.Find(mounts, folder, null)?.GetOverlayLayerPaths(folder) ?? [])
            if (
                FileId.Identify(place) is { } file
                && LinuxBlockDevice.FindByNumber(file.FileSystem) is { } device
                && mounts.FirstOrDefault(mount => mount.DeviceNumber == file.FileSystem) is { } mount
            )
                return (mount.FileSystem, device);
        return null;
    }

    /// <summary>Adds the limits of this process's control groups (Documentation/admin-guide/cgroup-v1/blkio-controller.rst and
    /// cgroup-v2.rst).</summary>
    /// <param name="readLines">Lines of a file; none if it is missing.</param>
    private void AddLimits(Func<string, string[]> readLines)
    {
        foreach (var line in readLines("/proc/self/cgroup"))
        {
            // hierarchy:controllers:path; version 2 has no controllers.
            if (line.Split(':', 3) is not [_, var controllers, var path])
                continue;
            if (controllers.Split(',').Contains("blkio"))
                foreach (var folder in GetGroupFolders("/sys/fs/cgroup/blkio", path))
                foreach (var (file, isWrite, isIops) in s_throttles)
                foreach (var text in readLines($"{folder}/{file}"))
                    if (text.Split(' ') is [var device, var value])
                        AddLimit(device, isWrite, isIops, value, file);
            if (controllers.Length == 0)
                foreach (var folder in GetGroupFolders("/sys/fs/cgroup", path))
                foreach (var text in readLines($"{folder}/io.max"))
                    AddMaxLimits(text);
        }
    }

    // Such as "8:16 rbps=2097152 wbps=max riops=max wiops=120".
    private void AddMaxLimits(string line)
    {
        var parts = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        foreach (var part in parts.Skip(1))
            if (part.Split('=') is [['r' or 'w', ..] name, var value])
                AddLimit(parts[0], name[0] == 'w', name.EndsWith("iops", StringComparison.Ordinal), value, $"io.max {name}");
    }

    private void AddLimit(string device, bool isWrite, bool isIops, string value, string setting)
    {
        if (!double.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number) || number <= 0)
            return;
        for (var i = 0; i < _sources.Count; i++)
            if (_sources[i].Any(source => source.DiskNumber == device))
                _limits.Add(new StorageLimit(i, isWrite, isIops, number, setting));
    }

    // The limits of the parents apply too.
    private static IEnumerable<string> GetGroupFolders(string root, string path)
    {
        for (var at = path.TrimEnd('/'); at.Length > 0; at = at[..at.LastIndexOf('/')])
            yield return root + at;
        yield return root;
    }

    /// <summary>Lowest frequency of all CPUs in percent of the highest that each supports; null if the kernel does not report it.</summary>
    private static double? ReadFrequencyPercent()
    {
        const string folder = "/sys/devices/system/cpu";
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
