using System.Globalization;

namespace IoBench.Engine.Targets.Facts;

/// <summary>Who has what open, as /proc shows it: a virtual machine or a database on a raw device locks nothing, but holds it open.</summary>
internal static class LinuxOpenFiles
{
    /// <summary>Another process that has something open for writing, in words; null when none is seen (without root only one's own are).</summary>
    public static string? FindWriter(Func<FileId, bool> isWanted)
    {
        // Tools that look around (losetup for a free device, parted, udev's helpers) have a device open for a moment: who uses it stays.
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
        foreach (var folder in Entries("/proc"))
        {
            if (
                !int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out var process)
                || process == Environment.ProcessId
            )
                continue;
            foreach (var entry in Entries(Path.Combine(folder, "fd")))
                if (FileId.Of(entry) is { } id && isWanted(id) && IsForWriting(Path.Combine(folder, "fdinfo", Path.GetFileName(entry))))
                    return $"process {process} ({KernelFile.Text(Path.Combine(folder, "comm"))}) has it open for writing";
        }
        return null;
    }

    // Octal, as open(2) was given them.
    private static bool IsForWriting(string info)
    {
        const int accessMask = 3;
        var flags = KernelFile
            .Lines(info)
            .FirstOrDefault(line => line.StartsWith("flags:", StringComparison.Ordinal))
            ?["flags:".Length..].Trim();
        return string.IsNullOrEmpty(flags) || (Convert.ToInt64(flags, 8) & accessMask) != LinuxCalls.O_RDONLY;
    }

    private static string[] Entries(string folder)
    {
        try
        {
            return Directory.GetFileSystemEntries(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The process has ended, or is another user's.
            return [];
        }
    }
}
