using System.Globalization;

namespace IoBench.Engine;

/// <summary>Finds who uses a block device, its partitions or its disk, and the files and devices that back it.</summary>
/// <remarks>O_EXCL is not enough: loop devices, virtual machines, storage servers, and databases do not open exclusively.</remarks>
internal sealed class LinuxDeviceUsers
{
    private readonly string _system;
    private readonly IReadOnlyList<LinuxMount> _mounts = LinuxMount.ReadAll();
    private readonly IReadOnlyList<LoopDevice> _loops;
    private readonly IReadOnlyList<(string Path, FileId? Id)> _swaps = ReadSwaps();
    private readonly HashSet<string> _seen = [];

    private LinuxDeviceUsers(string system)
    {
        _system = system;
        _loops = LoopDevice.FindAll(system);
    }

    /// <summary>Describes who uses a device; null if it is unused.</summary>
    public static string? Find(LinuxBlockDevice device)
    {
        var users = new LinuxDeviceUsers(device.SysfsRoot);
        return users.FindUse(device, above: null)
            ?? users.FindUseOfOtherPaths(device)
            ?? users.FindUseBelow(device)
            ?? (device.IsPartition || !device.GetPartitions().Any() ? null : "it has partitions");
    }

    public static IEnumerable<LoopDevice> FindBackingFiles(LinuxBlockDevice device, int depth = 0)
    {
        if (depth > 8)
            return [];
        if (LoopDevice.FromDevice(device) is not { } loop)
            return device
                .WholeDisk.GetComponents()
                .Concat(device.GetComponents())
                .DistinctBy(p => p.Name)
                .SelectMany(p => FindBackingFiles(p, depth + 1));
        if (loop.BackingId?.Device is not { } number)
            return [loop];
        return LinuxBlockDevice.FindByNumber(number, device.SysfsRoot) is { } under ? FindBackingFiles(under, depth + 1) : [];
    }

    // A partition that is in use makes its disk used, and the other way around. Another partition of the same disk does not count.
    private string? FindUse(LinuxBlockDevice device, string? above)
    {
        var whole = device.WholeDisk;
        LinuxBlockDevice[] family = device.IsPartition ? [device, whole] : [device, .. device.GetPartitions()];
        foreach (var member in family)
            if (FindDirectUse(member, above) is { } use)
            {
                if (member.Name == device.Name)
                    return use;
                return member.IsPartition ? $"its partition {member.Name}: {use}" : $"its disk {member.Name}: {use}";
            }
        var numbers = family.Select(m => m.DeviceNumber).ToHashSet();
        return LinuxDeviceUsers.FindWriter(id => id.Device is { } number && numbers.Contains(number));
    }

    private string? FindDirectUse(LinuxBlockDevice device, string? above)
    {
        var number = device.DeviceNumber;
        if (
            _mounts.FirstOrDefault(m =>
                m.DeviceNumber == number
                || m.Source.StartsWith("/dev/", StringComparison.Ordinal) && FileId.Identify(m.Source)?.Device == number
            ) is
            { } mount
        )
            return $"it is mounted at {mount.MountPoint}";
        if (_swaps.Any(s => s.Id?.Device == number))
            return "it is swap";
        if (device.GetHolders().FirstOrDefault(h => h.Name != above) is { } holder)
            return $"{holder.NameAndAlias} uses it";
        if (_loops.FirstOrDefault(l => l.Name != above && l.BackingId?.Device == number) is { } loop)
            return $"it backs {loop.Name}";
        if (
            LinuxBlockDevice
                .GetDisks(_system)
                .FirstOrDefault(d => d.BackingDevice is { } path && FileId.Identify(path)?.Device == number) is
            { } memory
        )
            return $"{memory.Name} swaps to it";
        return FindStorageServer(number);
    }

    // The kernel's storage servers do not open a device exclusively, so check their configuration.
    private string? FindStorageServer(string number)
    {
        (string Kind, string Place, string Name)[] places =
        [
            ("iSCSI target", "kernel/config/target/core", "udev_path"),
            ("NVMe target", "kernel/config/nvmet/subsystems", "device_path"),
        ];
        foreach (var (kind, place, name) in places)
        {
            var folder = Path.Combine(_system, place);
            if (!Directory.Exists(folder))
                continue;
            var options = new EnumerationOptions
            {
                RecurseSubdirectories = true,
                MaxRecursionDepth = 4,
                IgnoreInaccessible = true,
            };
            foreach (var file in Directory.EnumerateFiles(folder, name, options))
                if (KernelFile.ReadText(file) is { } path && FileId.Identify(path)?.Device == number)
                    return $"an {kind} on this computer exports it";
        }
        return null;
    }

    // Without multipath, two paths to one unit of storage are two disks to the kernel.
    private string? FindUseOfOtherPaths(LinuxBlockDevice device)
    {
        var whole = device.WholeDisk;
        if (whole.WorldWideName is not { } name)
            return null;
        foreach (var other in LinuxBlockDevice.GetDisks(_system).Where(d => d.Name != whole.Name && d.WorldWideName == name))
            if ((FindUse(other, above: null) ?? FindExclusiveUse(other)) is { } use)
                return $"it is the same storage as {other.Name} ({use})";
        return null;
    }

    // A backing file can have other users. Components of LVM, RAID, or encryption are exclusive, but loop devices can use them.
    private string? FindUseBelow(LinuxBlockDevice device)
    {
        if (!_seen.Add(device.Name))
            return null;
        if (LoopDevice.FromDevice(device) is { } loop)
            return loop.BackingId?.Device is { } number ? FindUseBelowLoop(loop, number) : FindUseOfFile(loop);
        foreach (var part in device.WholeDisk.GetComponents().Concat(device.GetComponents()).DistinctBy(p => p.Name))
        {
            var numbers = new[] { part.DeviceNumber, part.WholeDisk.DeviceNumber };
            if (_loops.FirstOrDefault(l => l.BackingId?.Device is { } under && numbers.Contains(under)) is { } stands)
                return $"{stands.Name} is on {part.Name}, which is part of this device";
            if (FindUseBelow(part) is { } use)
                return use;
        }
        return null;
    }

    private string? FindUseBelowLoop(LoopDevice loop, string number)
    {
        if (LinuxBlockDevice.FindByNumber(number, _system) is not { } under)
            return $"it is backed by {loop.BackingPath}, which /sys does not list";
        return (FindUse(under, loop.Name) ?? FindUseOfOtherPaths(under) ?? FindExclusiveUse(under)) is { } use
            ? $"it is backed by {under.Name} ({use})"
            : FindUseBelow(under);
    }

    private string? FindUseOfFile(LoopDevice loop)
    {
        var file = loop.BackingPath;
        if (loop.BackingId is not { } under)
            return DescribeUnreachableFile(file);
        if (_loops.FirstOrDefault(l => l.Name != loop.Name && l.BackingId is { } id && id.IsSame(under)) is { } other)
            return $"it is backed by {file}, which also backs {other.Name}";
        if (_swaps.Any(s => s.Id is { } id && id.IsSame(under)))
            return $"it is backed by {file}, which is used as swap space";
        if (LinuxDeviceUsers.FindWriter(id => id.IsSame(under)) is { } writer)
            return $"it is backed by {file}: {writer}";
        return loop.IsDeleted ? null : FindHardLinks(file, under);
    }

    // A file with a second name can have a second user. The path must lead to the same file; otherwise, its names cannot be counted.
    private static unsafe string? FindHardLinks(string file, FileId under)
    {
        LinuxCalls.Statx status;
        if (
            LinuxCalls.GetStatx(LinuxCalls.AT_FDCWD, file, 0, LinuxCalls.Statx.BasicStats, &status) != 0
            || !FileId.Identify(status).IsSame(under)
        )
            return DescribeUnreachableFile(file);
        return status.LinkCount > 1 ? $"it is backed by {file}, which has {status.LinkCount} names (hard links)" : null;
    }

    private static string DescribeUnreachableFile(string file) =>
        $"it uses {file}, which IoBench cannot see, so IoBench cannot determine whether another program uses that file";

    // For a use in another mount namespace, only an exclusive open shows it.
    private static string? FindExclusiveUse(LinuxBlockDevice device)
    {
        var node = "/dev/" + device.Name;
        if (FileId.Identify(node)?.Device != device.DeviceNumber)
            return null;
        using var handle = LinuxFiles.TryOpen(
            node,
            LinuxCalls.O_RDONLY | LinuxCalls.O_EXCL | LinuxCalls.O_NONBLOCK | LinuxCalls.O_CLOEXEC,
            out var errno
        );
        return handle is null && errno == LinuxCalls.EBUSY ? "it is in use (mount, LVM, RAID, or similar)" : null;
    }

    public static (string Path, FileId? Id)[] ReadSwaps()
    {
        const string swaps = "/proc/swaps";
        return !File.Exists(swaps)
            ? []
            :
            [
                .. File.ReadLines(swaps)
                    .Skip(1)
                    .Select(line => LinuxMount.DecodeOctalEscapes(line.Split([' ', '\t'], 2)[0]))
                    .Select(path => (path, FileId.Identify(path))),
            ];
    }

    /// <summary>Finds a process that has it open for writing, such as a virtual machine. Without root, only the user's own.</summary>
    public static string? FindWriter(Func<FileId, bool> isWanted)
    {
        // Tools such as losetup, parted, or udev's helpers open devices only for a moment. A process that still has it open after several
        // checks uses it.
        const int looks = 5,
            pauseMilliseconds = 100;
        for (var look = 1; ; look++)
        {
            var writer = FindWriterNow(isWanted);
            if (writer is null || look == looks)
                return writer;
            Thread.Sleep(pauseMilliseconds);
        }
    }

    private static string? FindWriterNow(Func<FileId, bool> isWanted)
    {
        foreach (var folder in GetEntries("/proc"))
        {
            if (
                !int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var process)
                || process == Environment.ProcessId
            )
                continue;
            foreach (var entry in GetEntries(Path.Combine(folder, "fd")))
                if (
                    FileId.Identify(entry) is { } id
                    && isWanted(id)
                    && IsForWriting(Path.Combine(folder, "fdinfo", Path.GetFileName(entry)))
                )
                    return $"process {process} ({KernelFile.ReadText(Path.Combine(folder, "comm"))}) has it open for writing";
        }
        return null;
    }

    // The flags of open(2), in octal.
    private static bool IsForWriting(string info)
    {
        const int accessMask = 3;
        var flags = KernelFile
            .ReadLines(info)
            .FirstOrDefault(line => line.StartsWith("flags:", StringComparison.Ordinal))
            ?["flags:".Length..].Trim();
        return string.IsNullOrEmpty(flags) || (Convert.ToInt64(flags, 8) & accessMask) != LinuxCalls.O_RDONLY;
    }

    private static string[] GetEntries(string folder)
    {
        try
        {
            return Directory.GetFileSystemEntries(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The process has ended or belongs to another user.
            return [];
        }
    }
}
