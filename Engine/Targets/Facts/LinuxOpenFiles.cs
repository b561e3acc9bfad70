using System.Globalization;

namespace IoBench.Engine;

internal static class LinuxDeviceUsers
{
    /// <summary>
    /// Describes another process that has a file or device open for writing; null if none is visible (without root, only the user's own
    /// processes are).
    /// A virtual machine or a database on a raw device does not lock it, but keeps it open.
    /// </summary>
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
