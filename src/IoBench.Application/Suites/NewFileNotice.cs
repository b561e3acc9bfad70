using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Messages about large new files whose size the user did not specify, shown before they are created.</summary>
public static class NewFileNotice
{
    private const long Large = 1L << 30;

    /// <summary>Describes each large new file: path, size, free space, and how to set the size.</summary>
    /// <param name="targets">Targets of the tests.</param>
    /// <param name="sizeIsGiven">True if the user specified the size; nothing is returned then.</param>
    public static IEnumerable<IoText> Of(IReadOnlyList<ApprovedTarget> targets, bool sizeIsGiven) =>
        targets
            .Where(target => !sizeIsGiven && target.BytesToMake > Large)
            .Select(target =>
                (IoText)
                    $"Making {target.Target.Path}: {Text(target.Target.Size)}{Free(target.Target.Path)}. No size was given; {Opt.FileSize} sets one."
            );

    private static string Free(string path)
    {
        try
        {
            return Path.GetDirectoryName(path) is { } folder ? $", {Text(new DriveInfo(folder).AvailableFreeSpace)} are free" : "";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Some shares and volumes report no free space. Omit it from the message.
            return "";
        }
    }

    private static string Text(long bytes) => new IoSize(bytes).ToDisplayString();
}
