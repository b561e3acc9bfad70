namespace IoBench.Engine;

internal static class TargetCheck
{
    /// <summary>
    /// Refuses files that IoBench never writes, with any permission, because other programs access them by another name or through a
    /// device.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.ManyNames</c>, <c>IoBench.FileBacksDevice</c>.</exception>
    public static void CheckMayWrite(string path, FileStatus status)
    {
        CheckHardLinks(path, status);
        if (PlatformFiles.Current.FindDeviceBackedBy(status) is { } device)
            throw IoBenchException.Refused(
                "IoBench.FileBacksDevice",
                $"{path} is what {device} stands on: IoBench never writes to it, {OptionNames.Force} or not.",
                path,
                advice: "Name another file, or take the device away first."
            );
    }

    /// <exception cref="IoBenchException"><c>IoBench.ManyNames</c>.</exception>
    public static void CheckHardLinks(string path, FileStatus status)
    {
        if (status is { Kind: FileKind.Regular, LinkCount: > 1 })
            throw IoBenchException.Refused(
                "IoBench.ManyNames",
                $"{path} has {status.LinkCount} names (hard links): what is written to it changes the file under all of them, so IoBench never writes to it, {OptionNames.Force} or not.",
                path,
                advice: "Name another file, or remove the other names."
            );
    }
}
