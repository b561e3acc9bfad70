using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class VolumeFacts
{
    private static readonly string[] s_network =
    [
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "ceph",
        "9p",
        "afs",
        "lustre",
        "beegfs",
        "gpfs",
        "ncpfs",
        "virtiofs",
    ];

    private static readonly string[] s_pseudo =
    [
        "proc",
        "sysfs",
        "devtmpfs",
        "devpts",
        "cgroup",
        "cgroup2",
        "debugfs",
        "tracefs",
        "securityfs",
        "configfs",
        "pstore",
        "bpf",
        "mqueue",
        "efivarfs",
        "binfmt_misc",
    ];

    internal void CollectLinux(string existing, SafeFileHandle? file)
    {
        Statx status;
        if (LinuxCalls.GetStatx(AT_FDCWD, existing, 0, Statx.BasicStats | Statx.MountIdMask | Statx.DirectAlignment, &status) != 0)
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "checking", existing);
        var isDevice = status.FileType == Statx.BlockDevice;
        string? number = null;
        if (isDevice)
        {
            number = status.SpecialDeviceNumber;
        }
        else if (
            LinuxMount.Find(LinuxMount.ReadAll(), existing, (status.Mask & Statx.MountIdMask) != 0 ? (int)status.MountId : null) is
            { } mount
        )
        {
            ReadMount(mount);
            number = FindDeviceNumber(mount, status);
        }
        if (number is not null && LinuxBlockDevice.FindByNumber(number) is { } device)
            ReadDevice(device);
        IsCompressed = (status.Attributes & Statx.AttributeCompressed) != 0;
        IsEncrypted = (status.Attributes & Statx.AttributeEncrypted) != 0;
        if (!isDevice)
            AddFact("Allocation unit", status.BlockSize.ToString(CultureInfo.InvariantCulture));
        ProbeDirectIO(existing, file, status);
    }

    private void ReadMount(LinuxMount mount)
    {
        FileSystem = mount.FileSystem;
        MountPoint = mount.MountPoint;
        AddFact(
            "Mount options",
            mount.SuperOptions.Length == 0 || mount.SuperOptions == mount.Options ? mount.Options : $"{mount.Options};{mount.SuperOptions}"
        );
        AddFact("Mount source", mount.Source);
        IsInMemory = mount.FileSystem is "tmpfs" or "ramfs" or "hugetlbfs";
        IsNetwork =
            s_network.Contains(mount.FileSystem) || mount.FileSystem is "fuse.sshfs" or "fuse.glusterfs" or "fuse.s3fs" or "fuse.rclone";
        IsCopyOnWrite = mount.FileSystem is "btrfs" or "zfs" or "bcachefs" && !mount.SuperOptions.Split(',').Contains("nodatacow");
        IsPseudoFileSystem = s_pseudo.Contains(mount.FileSystem);
        IsOverlay = mount.FileSystem is "overlay" or "aufs" or "fuse.fuse-overlayfs";
        // btrfs and ZFS state compression in their mount options ("compress=zstd:3"); it applies to a new file.
        if (
            mount
                .SuperOptions.Split(',')
                .FirstOrDefault(o => o.StartsWith("compress", StringComparison.Ordinal) && !o.EndsWith("=no", StringComparison.Ordinal)) is
            { } compress
        )
            AddFact("Compression", compress);
        if (IsNetwork || IsInMemory)
            Device = mount.Source;
    }

    private void ReadDevice(LinuxBlockDevice device)
    {
        BlockDevice = device;
        Device = device.Describe();
        Counters.AddRange(DeviceCounters.FindLinuxSources(device));
        LogicalSectorSize = device.ReadQueueNumber("logical_block_size") ?? LogicalSectorSize;
        PhysicalSectorSize = device.ReadQueueNumber("physical_block_size") ?? LogicalSectorSize;
        SupportsForcedUnitAccess = device.ReadQueueValue("fua") is { } fua ? fua == "1" : null;
        HasVolatileWriteCache = device.ReadQueueValue("write_cache") is { } cache ? cache == "write back" : null;
        AddFact(
            "Optimal I/O size",
            device.ReadQueueNumber("optimal_io_size") is > 0 and var optimal ? optimal.ToString(CultureInfo.InvariantCulture) : null
        );
        AddFact(PartitionOffsetFact, device.ReadValue("alignment_offset") is { } offset && offset is not ("0" or "-1") ? offset : null);
        AddFact("Scheduler", device.Scheduler);
        AddFact("FUA", FormatYesNo(SupportsForcedUnitAccess));
        AddFact("Write cache", device.ReadQueueValue("write_cache"));
        AddFact("Rotational", device.ReadQueueValue("rotational") is { } rotational ? FormatYesNo(rotational == "1") : null);
        AddFact("Read-ahead KB", device.ReadQueueValue("read_ahead_kb"));
        AddFact("Largest request KB", device.ReadQueueValue("max_sectors_kb"));
        AddFact("Device queue depth", device.ReadQueueValue("nr_requests"));
        AddFact(
            "Queue merges",
            device.ReadQueueValue("nomerges") switch
            {
                "0" => "yes",
                "1" => "simple merges only",
                "2" => "no",
                var other => other,
            }
        );
        AddFact(QueuePollingFact, device.ReadQueueValue("io_poll"));
        AddFact("Writeback throttling us", device.ReadQueueValue("wbt_lat_usec"));
        // Include components, because a change in one can slow down the volume. Serial numbers are left out on purpose.
        AddFact("Firmware", JoinValues(device, part => part.Firmware));
        AddFact("Driver", JoinValues(device, part => part.Driver));
        AddFact("Model", device.GetSelfAndComponents().Select(d => d.Model).FirstOrDefault(m => m is not null));
        if (
            device
                .GetSelfAndComponents()
                .Any(d => d.Name.StartsWith("zram", StringComparison.Ordinal) || d.Name.StartsWith("ram", StringComparison.Ordinal))
        )
            IsInMemory = true;
    }

    private static string? JoinValues(LinuxBlockDevice device, Func<LinuxBlockDevice, string?> value) =>
        string.Join("; ", device.GetSelfAndComponents().Select(value).OfType<string>().Distinct(StringComparer.Ordinal))
            is { Length: > 0 } text
            ? text
            : null;

    // btrfs and some other file systems report a number that belongs to no device; the source of the mount has the real one.
    private static string? FindDeviceNumber(LinuxMount mount, in Statx status)
    {
        if (status.DeviceMajor != 0)
            return status.DeviceNumber;
        Statx source;
        return
            mount.Source.StartsWith('/')
            && LinuxCalls.GetStatx(AT_FDCWD, mount.Source, 0, Statx.BasicStats, &source) == 0
            && source.FileType == Statx.BlockDevice
            ? source.SpecialDeviceNumber
            : null;
    }

    private void ProbeDirectIO(string existing, SafeFileHandle? file, in Statx status)
    {
        if ((status.Mask & Statx.DirectAlignment) != 0 && status.FileType is Statx.RegularFile or Statx.BlockDevice)
        {
            SupportsDirectIO = status.DirectOffsetAlignment != 0;
            if (status.DirectOffsetAlignment != 0)
                LogicalSectorSize = (int)status.DirectOffsetAlignment;
            AddFact(
                "Unbuffered alignment",
                string.Create(CultureInfo.InvariantCulture, $"memory {status.DirectMemoryAlignment}, offset {status.DirectOffsetAlignment}")
            );
        }
        if (file is not null)
        {
            using var direct = PlatformFiles.Current.TryReopenUnbuffered(file, existing, write: false);
            SupportsDirectIO = direct is not null;
        }
        else if (status.FileType == Statx.Folder)
        {
            ProbeFolder(existing);
        }
    }

    // An unnamed temporary file has the properties that a test file in this folder would have, and disappears when its handle is closed.
    private void ProbeFolder(string folder)
    {
        using var probe = LinuxFiles.TryOpen(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, out _);
        if (probe is null)
            return;
        var status = LinuxFiles.ReadStatx(probe, folder);
        using var direct = PlatformFiles.Current.TryReopenUnbuffered(probe, folder, write: true);
        SupportsDirectIO = direct is not null;
        if (direct is not null && (status.Mask & Statx.DirectAlignment) != 0 && status.DirectOffsetAlignment != 0)
            LogicalSectorSize = (int)status.DirectOffsetAlignment;
    }
}
