using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Decides whether a raw device may be used. Does not change the device.</summary>
internal static class DeviceCheck
{
    /// <summary>Writing requires permission, an unused device without known content, and, unless it is empty, its name.</summary>
    public static CheckedTarget Check(TargetCheck.TargetRequest check)
    {
        var path = check.Path;
        if (check.Options.OwnFilesOnly)
            throw TargetCheck.CreateNotOwnFileError(path);
        using var handle = PlatformFiles.Current.OpenToRead(path);
        var device = RawDevice.Describe(handle, path);
        var volume = VolumeFacts.Collect(path);
        volume.LogicalSectorSize = device.LogicalSectorSize;
        volume.PhysicalSectorSize = Math.Max(device.PhysicalSectorSize, device.LogicalSectorSize);
        if (device.Size == 0)
            throw IoBenchException.Refused(
                "IoBench.EmptyFile",
                $"{path} has no size: no medium is in it, or nothing is attached.",
                path,
                advice: "Name another device."
            );
        if (check.RequestedSize > device.Size)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{path} has {new IoSize(device.Size).ToDisplayString()}.",
                path,
                advice: $"Use that as {OptionNames.FileSize} or less, or leave it out."
            );
        var proof = check.Writes ? CheckMayWrite(check, handle, device) : null;
        var warnings = new List<IoWarning>();
        var size = TargetCheck.RoundToSectors(check.RequestedSize ?? device.Size, check, volume, warnings);
        var target = TargetCheck.CreateResult(check, TargetKind.Device, size, check.Found.Status, null, volume, warnings);
        target.DeviceCheckResult = proof;
        return target;
    }

    /// <summary>Opens a device exclusively and repeats all checks on that handle.</summary>
    /// <param name="proof">Result of <see cref="Check"/>; null = nothing was checked, so that the device must be empty.</param>
    public static SafeFileHandle OpenForWriting(string path, DeviceCheckResult? proof = null)
    {
        // Look for users first, because a refused exclusive open does not say who uses the device.
        using (var look = PlatformFiles.Current.OpenToRead(path))
            ThrowIfUsed(look, path);
        var handle = RawDevice.OpenExclusively(path);
        try
        {
            var device = RawDevice.Describe(handle, path);
            if (proof is not null && (device.Identity != proof.Identity || device.Size != proof.Size))
                throw IoBenchException.Refused(
                    "IoBench.DeviceInUse",
                    $"{path} has become another device since it was checked (unplugged, or made anew).",
                    path,
                    advice: "Start the test again."
                );
            ThrowIfUsed(handle, path);
            ThrowIfHoldsData(handle, path, device, proof?.MayHoldData ?? false);
            return handle;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    private static DeviceCheckResult CheckMayWrite(TargetCheck.TargetRequest check, SafeFileHandle handle, RawDevice device)
    {
        var path = check.Path;
        if (!check.Options.Force)
            throw IoBenchException.Refused(
                ErrorIds.DeviceNeedsForce,
                $"{path} is a raw device: a write test destroys everything on it.",
                path,
                advice: $"Add {OptionNames.Force} if nothing on it is needed."
            );
        if (device.IsReadOnly)
            throw FileErrors.FromErrno(Errno.EROFS, "opening", path);
        ThrowIfUsed(handle, path);
        var mayHoldData = IsNamed(check, device);
        ThrowIfHoldsData(handle, path, device, mayHoldData);
        PlatformFiles.Current.UnlockAndClose(RawDevice.OpenExclusively(path));
        return new DeviceCheckResult(device.Identity, device.Size, mayHoldData);
    }

    // Accept the path as given (such as a link in /dev/disk), its target, or the kernel's name; no abbreviation and no pattern.
    private static bool IsNamed(TargetCheck.TargetRequest check, RawDevice device)
    {
        var compare = OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        return check.Options.EraseDevices.Any(name =>
            string.Equals(name, check.Path, compare)
            || string.Equals(name, device.Name, compare)
            || check.Found.Names.Any(given => string.Equals(name, given, compare))
            || string.Equals(name, check.Target.Path, compare)
        );
    }

    private static void ThrowIfUsed(SafeFileHandle handle, string path)
    {
        if (RawDevice.FindUser(handle, path) is { } user)
            throw FileErrors.DeviceInUse(path, user);
    }

    private static void ThrowIfHoldsData(SafeFileHandle handle, string path, RawDevice device, bool mayHoldData)
    {
        // Cached pages of the device can be older than what another computer wrote.
        PlatformFiles.Current.DropCache(handle);
        var content = new DeviceContent(device.Size, (offset, buffer) => ReadFully(handle, path, offset, buffer));
        var found = DeviceSignatures.Find(content) ?? LibBlkid.Find(handle, path);
        if (found is not null)
            throw IoBenchException.Refused(
                "IoBench.DeviceHasData",
                $"{path} holds {found}: IoBench never writes to it.",
                path,
                advice: "Name an empty device, or clear this one with the system's own tools (wipefs, diskpart clean) if it is not needed."
            );
        if (!mayHoldData && content.FindFirstNonZeroByte() is { } offset)
            throw IoBenchException.Refused(
                ErrorIds.DeviceNotEmpty,
                $"{path} is not empty: unknown data begins at offset {offset}.",
                path,
                advice: $"Add {OptionNames.EraseDevice.WithValue(device.Name)} to {OptionNames.Force} if nothing on it is needed, or "
                    + $"name an empty device."
            );
    }

    private static void ReadFully(SafeFileHandle handle, string path, long offset, Span<byte> buffer)
    {
        try
        {
            for (int read; buffer.Length > 0 && (read = PlatformFiles.Current.Read(handle, buffer, offset)) > 0; offset += read)
                buffer = buffer[read..];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw FileErrors.FromException(e, "read of", path);
        }
        // A part that cannot be read could hold anything, so refuse the device.
        if (buffer.Length > 0)
            throw IoBenchException.Failure(
                "IoBench.FileFailed",
                $"{path} ends at offset {offset}, before its size.",
                path,
                advice: "Check the device."
            );
    }
}

/// <summary>Result of a device check, verified again when the device is opened for writing.</summary>
/// <param name="MayHoldData">Whether the user named the device, so that unknown content may be overwritten.</param>
internal sealed record DeviceCheckResult(string Identity, long Size, bool MayHoldData);
