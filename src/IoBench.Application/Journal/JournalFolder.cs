using System.Globalization;
using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Folder in which IoBench keeps the results of the last run and the state of fleets. Other files can be in the folder, because
/// the
/// user chooses it: IoBench reads and removes only files with its names, its first line, and the user as owner.</summary>
public static class JournalFolder
{
    /// <summary>Environment variable: <c>off</c>, <c>0</c>, or <c>no</c> disables the journal; any other value is its folder.</summary>
    public const string Variable = "IOBENCH_JOURNAL";

    private const string NamePrefix = "iobench-journal-";
    private const UnixFileMode PrivateFile = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode PrivateFolder = PrivateFile | UnixFileMode.UserExecute;
    private const int MaxNumberDigits = 12;

    /// <summary>The folder; null if the journal is disabled or the user has no folder for it.</summary>
    public static string? Path => FindPath(static _ => { });

    /// <param name="warn">Receives a warning if a folder belongs to another user and is not used.</param>
    internal static string? FindPath(Action<IoWarning> warn) => FindFolder(Environment.GetEnvironmentVariable(Variable), warn);

    internal static string? FindFolder(string? setting, Action<IoWarning>? warn = null)
    {
        if (setting?.Trim().ToUpperInvariant() is "OFF" or "0" or "NO" or "FALSE" or "NONE")
            return null;
        string? refused = null;
        foreach (var folder in GetCandidates(setting))
        {
            if (!IsOwnFolder(folder))
            {
                refused ??= folder;
                continue;
            }
            if (refused is not null)
                warn?.Invoke(
                    new IoWarning(WarningCodes.JournalMoved, $"{refused} belongs to another user, so the journal is in {folder}.")
                );
            return folder;
        }
        if (refused is not null)
            warn?.Invoke(
                new IoWarning(
                    WarningCodes.JournalNotKept,
                    $"IoBench could not write the journal of this run: {refused} belongs to another user."
                )
            );
        return null;
    }

    /// <summary>Creates the folder with access for its owner only, because journals contain paths and server names.</summary>
    internal static void CreateFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(path);
        else if (!Directory.Exists(path))
            Directory.CreateDirectory(path, PrivateFolder);
        // A folder that the user chose can be shared on purpose. Its journals are private files.
        else if (GetCandidates(null).Contains(path) && File.GetUnixFileMode(path) != PrivateFolder)
            File.SetUnixFileMode(path, PrivateFolder);
    }

    /// <param name="kind">Rest of the name, such as <c>run-00000017.json</c>.</param>
    internal static string GetFilePath(string folder, string kind) => System.IO.Path.Combine(folder, NamePrefix + kind);

    /// <summary>Returns the journals of runs, the last one first.</summary>
    internal static IReadOnlyList<string> GetRuns(string folder) =>
        [.. FindOwnFiles(folder, "run-", ".json").Where(path => GetRunNumber(path) > 0).OrderByDescending(GetRunNumber)];

    /// <summary>Returns a number that no run in the folder has. Runs are numbered in their order, because clocks can be set back.</summary>
    internal static long GetNextRunNumber(string folder) =>
        Directory.EnumerateFiles(folder, NamePrefix + "run-*.json").Select(GetRunNumber).DefaultIfEmpty().Max() + 1;

    internal static string GetRunPath(string folder, long number) =>
        GetFilePath(folder, string.Create(CultureInfo.InvariantCulture, $"run-{number:D8}.json"));

    /// <returns>0 if the file does not have the name of a journal.</returns>
    internal static long GetRunNumber(string path)
    {
        var digits = System.IO.Path.GetFileNameWithoutExtension(path)[(NamePrefix + "run-").Length..];
        return digits.Length <= MaxNumberDigits && long.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : 0;
    }

    /// <summary>Returns the files of IoBench. A file without content counts too: it is a name that a killed run reserved.</summary>
    internal static IReadOnlyList<string> FindOwnFiles(string folder, string kindPrefix, string extension) =>
        Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, NamePrefix + kindPrefix + "*" + extension).Where(IsOwnFile)] : [];

    /// <summary>Creates or replaces a file that only its owner can read.</summary>
    internal static FileStream CreateFile(string path, FileMode mode, FileShare share)
    {
        var options = new FileStreamOptions
        {
            Mode = mode,
            Access = FileAccess.ReadWrite,
            Share = share,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = PrivateFile;
        return new FileStream(path, options);
    }

    /// <summary>Makes a file readable by its owner only.</summary>
    internal static void MakePrivate(string path)
    {
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, PrivateFile);
    }

    private static IEnumerable<string> GetCandidates(string? setting)
    {
        if (!string.IsNullOrWhiteSpace(setting))
            yield return System.IO.Path.GetFullPath(setting);
        if (OperatingSystem.IsWindows())
        {
            if (Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } local)
                yield return System.IO.Path.Combine(local, "IoBench");
            yield break;
        }
        // The XDG Base Directory Specification requires programs to ignore relative paths.
        var state = Environment.GetEnvironmentVariable("XDG_STATE_HOME");
        if (state is { Length: > 0 } && System.IO.Path.IsPathRooted(state))
            yield return System.IO.Path.Combine(state, "iobench");
        if (Environment.GetFolderPath(Environment.SpecialFolder.UserProfile) is not { Length: > 0 } home)
            yield break;
        yield return System.IO.Path.Combine(home, ".local", "state", "iobench");
        yield return string.Create(CultureInfo.InvariantCulture, $"/var/tmp/iobench-{FileStatus.CurrentUserId}");
    }

    // A folder that does not exist must not be created as root in the folder of another user, because that user could not use it.
    private static bool IsOwnFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            return true;
        const uint root = 0;
        var existing = path;
        while (!Directory.Exists(existing) && System.IO.Path.GetDirectoryName(existing) is { } parent)
            existing = parent;
        try
        {
            using var folder = OutputFolder.Open(existing);
            var owner = PlatformFiles.Current.GetStatus(folder.Handle!, existing).OwnerId;
            return owner == FileStatus.CurrentUserId || (existing != path && owner == root);
        }
        catch (IoBenchException)
        {
            return false;
        }
    }

    private static bool IsOwnFile(string path)
    {
        try
        {
            using var handle = PlatformFiles.Current.OpenToRead(path);
            if (PlatformFiles.Current.GetStatus(handle, path) is not { Kind: FileKind.Regular, LinkCount: 1 } status)
                return false;
            if (status.OwnerId != FileStatus.CurrentUserId)
                return false;
            var header = Encoding.ASCII.GetBytes(JsonFormat.JournalHeader);
            var head = new byte[header.Length];
            return status.Size == 0 || (RandomAccess.Read(handle, head, 0) == head.Length && head.AsSpan().SequenceEqual(header));
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            return false;
        }
    }
}
