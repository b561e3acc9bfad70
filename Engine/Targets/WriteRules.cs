namespace IoBench.Engine.Targets;

/// <summary>What is never written, whoever made it and whatever is allowed: what others reach by another way too.</summary>
internal static class WriteRules
{
    /// <summary>Checks a regular file that shall be written.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ManyNames</c>, <c>IoBench.FileBacksDevice</c>.</exception>
    public static void Check(string path, FileStatus status)
    {
        CheckNames(path, status);
        if (PlatformFiles.Current.DeviceOn(status) is { } device)
            throw IoBenchException.Refused(
                "IoBench.FileBacksDevice",
                $"{path} is what {device} stands on: IoBench never writes to it, {Opt.Force} or not.",
                path,
                advice: "Name another file, or take the device away first."
            );
    }

    /// <summary>Checks the number of a file's names.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ManyNames</c>.</exception>
    public static void CheckNames(string path, FileStatus status)
    {
        if (status is { Kind: FileKind.Regular, LinkCount: > 1 })
            throw IoBenchException.Refused(
                "IoBench.ManyNames",
                $"{path} has {status.LinkCount} names (hard links): what is written to it changes the file under all of them, so IoBench never writes to it, {Opt.Force} or not.",
                path,
                advice: "Name another file, or remove the other names."
            );
    }
}
