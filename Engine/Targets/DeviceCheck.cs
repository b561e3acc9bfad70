using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Decides whether a raw device may be used. Does not change the device.</summary>
internal static class DeviceCheck
{
    /// <summary>Writing requires an unused device without known content that the user has named, even if it is empty.</summary>
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
                $"{path} has no size, because the device has no medium, or no storage is attached.",
                path,
                advice: "Specify another device."
            );
        if (check.RequestedSize > device.Size)
            throw IoBenchException.Usage(
                "IoBench.InvalidSize",
                $"{path} has {new IoSize(device.Size).ToDisplayString()}.",
                path,
                advice: $"Set {OptionNames.FileSize} to this size or less, or remove the option."
            );
        if (check.Writes)
            CheckMayWrite(check, handle, device);
        var warnings = new List<IoWarning>();
        var size = TargetCheck.RoundToSectors(check.RequestedSize ?? device.Size, check, volume, warnings);
        var target = TargetCheck.CreateResult(check, TargetKind.Device, size, check.Found.Status, null, volume, warnings);
        target.DeviceToWrite = check.Writes ? device : null;
        return target;
    }

    /// <summary>Opens a device exclusively and repeats all checks on that handle.</summary>
    /// <param name="proof">Result of <see cref="Check"/>; null = nothing was checked, so that the device must be empty.</param>
    public static SafeFileHandle OpenForWriting(string path, RawDevice? proof = null)
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
                    $"{path} is not the device that IoBench checked. The device was unplugged or re-created.",
                    path,
                    advice: "Start the test again."
                );
            ThrowIfUsed(handle, path);
            ThrowIfHoldsData(handle, path, device, mayHoldData: proof is not null);
            return handle;
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    private static void CheckMayWrite(TargetCheck.TargetRequest check, SafeFileHandle handle, RawDevice device)
    {
        var path = check.Path;
        if (device.IsReadOnly)
            throw FileErrors.FromErrno(Errno.EROFS, "opening", path);
        ThrowIfUsed(handle, path);
        var isNamed = check.Options.Permissions.CanErase(check.Found, device.Name, check.Target.Path);
        ThrowIfHoldsData(handle, path, device, mayHoldData: isNamed);
        if (!isNamed)
            throw IoBenchException.Refused(
                ErrorIds.DeviceNotNamed,
                $"{path} is a raw device, and a write test destroys all data on it.",
                path,
                advice: $"If you do not need the data, add {OptionNames.EraseDevice.WithValue(device.Name)}."
            );
        PlatformFiles.Current.UnlockAndClose(RawDevice.OpenExclusively(path));
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
        var content = TargetContent.Open(handle, path, device.Size);
        if ((KnownContent.Find(content) ?? KnownContent.AskLibBlkid(handle, path)) is { } found)
            throw IoBenchException.Refused(
                "IoBench.DeviceHasData",
                $"{path} contains {found}, so IoBench never writes to it.",
                path,
                advice: "Specify an empty device. If you do not need the data, clear the device with wipefs or diskpart clean."
            );
        if (!mayHoldData && content.FindFirstNonZeroByte() is { } offset)
            throw IoBenchException.Refused(
                ErrorIds.DeviceNotEmpty,
                $"{path} is not empty: unknown data begins at offset {offset}.",
                path,
                advice: $"If you do not need the data, add {OptionNames.EraseDevice.WithValue(device.Name)}. Otherwise, specify another device."
            );
    }
}
