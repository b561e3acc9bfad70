using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks the targets of another tool's command line: no file is created without a size, and no file is created from a path that only
/// Windows understands.
/// </summary>
public static class LegacyToolTests
{
    /// <summary>Returns the error of the first target that cannot be used; null if there is none. Changes nothing.</summary>
    /// <param name="tests">Tests of the command line.</param>
    /// <param name="missing">Creates the error for a missing file without a size, from the test and the index of the target.</param>
    public static IoBenchException? FindTargetError(
        IEnumerable<IoTestSpecification> tests,
        Func<IoTestSpecification, int, IoBenchException> missing
    )
    {
        ArgumentNullException.ThrowIfNull(tests);
        ArgumentNullException.ThrowIfNull(missing);
        foreach (var test in tests)
        {
            for (var i = 0; i < test.Targets.Count; i++)
            {
                var path = test.Targets[i].Path;
                if (!IsWindowsDevice(path) && Directory.Exists(path))
                    return IoBenchException.Refused(ErrorIds.NotAFile, $"{path} is a folder: name a file in it.", path);
                if (Path.Exists(path))
                    continue;
                if (FindWindowsPathError(path) is { } error)
                    return error;
                if (!IsWindowsDevice(path) && (test.Targets[i].FileSize ?? test.FileSize) is null)
                    return missing(test, i);
            }
        }
        return null;
    }

    /// <summary>
    /// Returns the error of the first target that cannot be used, for tests whose file size can be set by an option; null if there is none.
    /// </summary>
    public static IoBenchException? FindTargetError(IEnumerable<IoTestSpecification> tests) =>
        FindTargetError(
            tests.Where(test => !BackendCatalog.IsModeled(test.Backend)),
            (test, i) =>
                IoBenchException.NotFound(
                    "IoBench.FileNotFound",
                    $"{test.Targets[i].Path} does not exist, and the command line has no size to make it with.",
                    test.Targets[i].Path,
                    advice: $"Add {OptionNames.FileSize}, or name a file that is there."
                )
        );

    private static bool IsWindowsDevice(string path) =>
        path.StartsWith(@"\\.\", StringComparison.Ordinal) || path.StartsWith(@"\\?\", StringComparison.Ordinal);

    private static IoBenchException? FindWindowsPathError(string path)
    {
        const string drive = @"\\.\PhysicalDrive";
        if (OperatingSystem.IsWindows())
            return null;
        if (path.StartsWith(drive, StringComparison.Ordinal))
            return Wrong(
                $"physical drive {path[drive.Length..]} is how Windows counts disks.",
                advice: "Here name the device, for example /dev/sdb: lsblk lists them."
            );
        if (IsWindowsDevice(path))
            return Wrong($"{path[4..]} is a volume of Windows.", advice: "Here name the device, for example /dev/sdb1: lsblk lists them.");
        var isDrivePath = path.Length > 1 && char.IsAsciiLetter(path[0]) && path[1] == ':';
        return isDrivePath || path.Contains('\\', StringComparison.Ordinal)
            ? Wrong(
                $"{path} is a path of Windows.",
                advice: "Here write it with slashes and without a drive, for example /data/testfile.dat."
            )
            : null;

        IoBenchException Wrong(string what, IoMessage advice) => IoBenchException.Usage("IoBench.InvalidPath", what, path, advice);
    }
}
