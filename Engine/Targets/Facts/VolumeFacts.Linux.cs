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
            throw FileErrors.FromErrno(Marshal.GetLastPInvokeError(), "a look at", existing);
        var isDevice = status.Format == Statx.BlockDevice;
        string? number = null;
        if (isDevice)
        {
            number = status.SpecialNumber;
        }
        else if (
            LinuxMount.Find(LinuxMount.All(), existing, (status.Mask & Statx.MountIdMask) != 0 ? (int)status.MountId : null) is { } mount
        )
        {
            ReadMount(mount);
            number = DeviceNumber(mount, status);
        }
        if (number is not null && LinuxBlockDevice.ByNumber(number) is { } device)
            ReadDevice(device);
        IsCompressed = (status.Attributes & Statx.AttributeCompressed) != 0;
        IsEncrypted = (status.Attributes & Statx.AttributeEncrypted) != 0;
        if (!isDevice)
            Note("Allocation unit", status.BlockSize.ToString(CultureInfo.InvariantCulture));
        ProbeDirectIO(existing, file, status);
    }

    private void ReadMount(LinuxMount mount)
    {
        FileSystem = mount.FileSystem;
        MountPoint = mount.MountPoint;
        Note(
            "Mount options",
            mount.SuperOptions.Length == 0 || mount.SuperOptions == mount.Options ? mount.Options : $"{mount.Options};{mount.SuperOptions}"
        );
        Note("Mount source", mount.Source);
        IsMemory = mount.FileSystem is "tmpfs" or "ramfs" or "hugetlbfs";
        IsNetwork =
            s_network.Contains(mount.FileSystem) || mount.FileSystem is "fuse.sshfs" or "fuse.glusterfs" or "fuse.s3fs" or "fuse.rclone";
        IsCopyOnWrite = mount.FileSystem is "btrfs" or "zfs" or "bcachefs" && !mount.SuperOptions.Split(',').Contains("nodatacow");
        IsPseudo = s_pseudo.Contains(mount.FileSystem);
        IsOverlay = mount.FileSystem is "overlay" or "aufs" or "fuse.fuse-overlayfs";
        // btrfs and ZFS state compression in their mount options ("compress=zstd:3"); it applies to a new file.
        if (
            mount
                .SuperOptions.Split(',')
                .FirstOrDefault(o => o.StartsWith("compress", StringComparison.Ordinal) && !o.EndsWith("=no", StringComparison.Ordinal)) is
            { } compress
        )
            Note("Compression", compress);
        if (IsNetwork || IsMemory)
            Device = mount.Source;
    }

    private void ReadDevice(LinuxBlockDevice device)
    {
        Device = device.Describe();
        LogicalSectorSize = device.QueueNumber("logical_block_size") ?? LogicalSectorSize;
        PhysicalSectorSize = device.QueueNumber("physical_block_size") ?? LogicalSectorSize;
        ForcedUnitAccess = device.Queue("fua") is { } fua ? fua == "1" : null;
        WriteBackCache = device.Queue("write_cache") is { } cache ? cache == "write back" : null;
        Note("Scheduler", device.Scheduler);
        Note("FUA", YesNo(ForcedUnitAccess));
        Note("Write cache", device.Queue("write_cache"));
        Note("Rotational", device.Queue("rotational") is { } rotational ? YesNo(rotational == "1") : null);
        Note("Read-ahead KB", device.Queue("read_ahead_kb"));
        Note("Largest request KB", device.Queue("max_sectors_kb"));
        Note("Device queue depth", device.Queue("nr_requests"));
        Note(
            "Queue merges",
            device.Queue("nomerges") switch
            {
                "0" => "yes",
                "1" => "simple ones",
                "2" => "no",
                var other => other,
            }
        );
        Note(QueuePollingFact, device.Queue("io_poll"));
        Note("Writeback throttling us", device.Queue("wbt_lat_usec"));
        // Include the components of a volume, because a change in one of them can slow down the volume. Serial numbers are left out on
        // purpose.
        Note("Firmware", Each(device, part => part.Firmware));
        Note("Driver", Each(device, part => part.Driver));
        Note("Model", device.WithParts().Select(d => d.Model).FirstOrDefault(m => m is not null));
        if (
            device
                .WithParts()
                .Any(d => d.Name.StartsWith("zram", StringComparison.Ordinal) || d.Name.StartsWith("ram", StringComparison.Ordinal))
        )
            IsMemory = true;
    }

    private static string? Each(LinuxBlockDevice device, Func<LinuxBlockDevice, string?> value) =>
        string.Join("; ", device.WithParts().Select(value).OfType<string>().Distinct(StringComparer.Ordinal)) is { Length: > 0 } text
            ? text
            : null;

    // btrfs and some other file systems report a number that belongs to no device; the source of the mount has the real one.
    private static string? DeviceNumber(LinuxMount mount, in Statx status)
    {
        if (status.DeviceMajor != 0)
            return status.DeviceNumber;
        Statx source;
        return
            mount.Source.StartsWith('/')
            && LinuxCalls.GetStatx(AT_FDCWD, mount.Source, 0, Statx.BasicStats, &source) == 0
            && source.Format == Statx.BlockDevice
            ? source.SpecialNumber
            : null;
    }

    private void ProbeDirectIO(string existing, SafeFileHandle? file, in Statx status)
    {
        if ((status.Mask & Statx.DirectAlignment) != 0 && status.Format is Statx.RegularFile or Statx.BlockDevice)
        {
            DirectIO = status.DirectOffsetAlignment != 0;
            if (status.DirectOffsetAlignment != 0)
                LogicalSectorSize = (int)status.DirectOffsetAlignment;
            Note(
                "Unbuffered alignment",
                string.Create(CultureInfo.InvariantCulture, $"memory {status.DirectMemoryAlignment}, offset {status.DirectOffsetAlignment}")
            );
        }
        if (file is not null)
        {
            using var direct = PlatformFiles.Current.TryReopenUnbuffered(file, existing, write: false);
            DirectIO = direct is not null;
        }
        else if (status.Format == Statx.Folder)
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
        var status = LinuxFiles.Look(probe, folder);
        using var direct = PlatformFiles.Current.TryReopenUnbuffered(probe, folder, write: true);
        DirectIO = direct is not null;
        if (direct is not null && (status.Mask & Statx.DirectAlignment) != 0 && status.DirectOffsetAlignment != 0)
            LogicalSectorSize = (int)status.DirectOffsetAlignment;
    }
}
