namespace IoBench.Application.Suites;

/// <summary>Large files that are about to be made though nobody said how large: said before it happens.</summary>
public static class NewFileNotice
{
    /// <summary>Smaller files are no surprise.</summary>
    private const long Large = 1L << 30;

    /// <summary>A line for each such file: its path, its size, what is free on its volume, and what to do.</summary>
    /// <param name="targets">What will be tested, and how much of it is still to be made.</param>
    /// <param name="sizeIsGiven">The user said how large.</param>
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
            // A share or a volume that reports no sizes: the rest is said all the same.
            return "";
        }
    }

    private static string Text(long bytes) => new IoSize(bytes).ToDisplayString();
}
