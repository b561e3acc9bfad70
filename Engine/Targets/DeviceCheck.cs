using System.Text.RegularExpressions;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Decides whether a raw device may be used. Changes nothing.</summary>
internal static partial class DeviceCheck
{
    /// <summary>Checks a raw device; writing asks for force, an idle device and nothing known on it.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.DeviceNeedsForce</c>, <c>IoBench.DeviceInUse</c>, <c>IoBench.DeviceHasData</c> and those of files.</exception>
    public static CheckedTarget Check(TargetCheck.Request check)
    {
        var path = check.Path;
        if (OperatingSystem.IsWindows() && !WindowsDevice().IsMatch(path))
            throw IoBenchException.Refused("IoBench.NotAFile", $@"{path} is neither a file nor a disk. Name a file, a folder or a disk such as \\.\PhysicalDrive1.", path);
        using var handle = PlatformFiles.Current.OpenToRead(path);
        var device = RawDevice.Describe(handle, path);
        var volume = VolumeFacts.Collect(path);
        volume.LogicalSectorSize = device.LogicalSectorSize;
        volume.PhysicalSectorSize = Math.Max(device.PhysicalSectorSize, device.LogicalSectorSize);
        if (device.Size == 0)
            throw IoBenchException.Refused("IoBench.EmptyFile", $"{path} has no size: no medium is in it, or nothing is attached. Name another device.", path);
        if (check.AskedSize > device.Size)
            throw IoBenchException.Usage("IoBench.InvalidSize", $"{path} has {new IoSize(device.Size).ToDisplayString()}. Use that as --size or less, or leave it out.", path);
        if (check.Writes)
            CheckMayWrite(check, handle, device);
        var warnings = new List<string>();
        var size = TargetCheck.Fit(check.AskedSize ?? device.Size, check, volume, warnings);
        return TargetCheck.Result(check, TargetKind.Device, size, check.Found.Status, null, volume, warnings);
    }

    /// <summary>Takes a device for a writing run, so that nobody mounts it meanwhile; free when disposed.</summary>
    public static IDisposable Claim(string path)
    {
        using (var handle = PlatformFiles.Current.OpenToRead(path))
            ThrowIfHoldsData(handle, path, RawDevice.Describe(handle, path).Size);
        return RawDevice.OpenExclusively(path);
    }

    private static void CheckMayWrite(TargetCheck.Request check, SafeFileHandle handle, RawDevice device)
    {
        var path = check.Path;
        if (!check.Options.Force)
            throw IoBenchException.Refused("IoBench.DeviceNeedsForce", $"{path} is a raw device: a write test destroys everything on it. Add --force if nothing on it is needed.", path);
        if (device.IsReadOnly)
            throw FileErrors.FromErrno(Errno.EROFS, "open", path);
        if (device.InUse is { } user)
            throw IoBenchException.Refused("IoBench.DeviceInUse", $"{path} is in use: {user}. A raw device is only written while nothing uses it; name another.", path);
        ThrowIfHoldsData(handle, path, device.Size);
        RawDevice.OpenExclusively(path).Dispose();
    }

    private static void ThrowIfHoldsData(SafeFileHandle handle, string path, long size)
    {
        var found = DeviceSignatures.Find(size, (offset, buffer) => Read(handle, path, offset, buffer));
        if (found is not null)
            throw IoBenchException.Refused("IoBench.DeviceHasData", $"{path} holds {found}: IoBench never writes to it. Name an empty device, or clear this one with the system's own tools (wipefs, diskpart clean) if it is not needed.", path);
    }

    private static void Read(SafeFileHandle handle, string path, long offset, Span<byte> buffer)
    {
        try
        {
            for (int read; buffer.Length > 0 && (read = RandomAccess.Read(handle, buffer, offset)) > 0; offset += read)
                buffer = buffer[read..];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "read of", path);
        }
        // A part that cannot be read could hold anything.
        if (buffer.Length > 0)
            throw IoBenchException.Failure("IoBench.FileFailed", $"{path} ends at offset {offset}, before its size. Check the device.", path);
    }

    [GeneratedRegex(@"^\\\\\.\\(PhysicalDrive\d+|[A-Za-z]:)$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex WindowsDevice();
}
