using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Messages about large new files whose size the user did not specify, shown before they are created.</summary>
public static class SuiteMessages
{
    private const long LargeFileBytes = 1L << 30;

    /// <summary>Describes each large new file: path, size, free space, and how to set the size.</summary>
    /// <param name="targets">Targets of the tests.</param>
    /// <param name="sizeIsGiven">True if the user specified the size; nothing is returned then.</param>
    public static IEnumerable<IoMessage> DescribeNewFiles(IReadOnlyList<ApprovedTarget> targets, bool sizeIsGiven) =>
        targets
            .Where(target => !sizeIsGiven && target.BytesToMake > LargeFileBytes)
            .Select(target =>
                (IoMessage)
                    $"Making {target.Target.Path}: {FormatFileSize(target.Target.Size)}{FormatFreeSpace(target.Target.Path)}. No size was given; {OptionNames.FileSize} sets one."
            );

    private static string FormatFreeSpace(string path)
    {
        try
        {
            return Path.GetDirectoryName(path) is { } folder
                ? $", {FormatFileSize(new DriveInfo(folder).AvailableFreeSpace)} are free"
                : "";
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            // Some shares and volumes report no free space. Omit it from the message.
            return "";
        }
    }

    private static string FormatFileSize(long bytes) => new IoSize(bytes).ToDisplayString();
}
