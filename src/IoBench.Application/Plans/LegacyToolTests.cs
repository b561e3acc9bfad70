using IoBench.Engine;
using IoBench.Formats;
using IoBench.Workloads;

namespace IoBench.Application;

/// <summary>Creates tests from command lines and parameter files of other tools.</summary>
public static class LegacyToolTests
{
    /// <summary>A line can name a file of command lines. Fails if any line cannot be converted, because a part of a batch is another
    /// test.</summary>
    /// <param name="folder">Folder of parameter files that a line names; null for the process's folder.</param>
    public static TestPlanResult FromCommandLines(IEnumerable<string> lines, Func<string, string> fullPath, string? folder = null)
    {
        ArgumentNullException.ThrowIfNull(lines);
        var tests = new List<IoTestSpecification>();
        var notes = new List<IoWarning>();
        foreach (var line in lines)
        {
            var file = line.Contains(" -", StringComparison.Ordinal) ? null : fullPath(line);
            var read = (
                file is not null && File.Exists(file) ? CommandLineReader.ReadFile(file) : CommandLineReader.Read(line, folder)
            ).ThrowIfRefused();
            tests.AddRange(read.Specifications.Select(test => MakePathsAbsolute(test, fullPath)));
            notes.AddRange(read.Notes.Select(IoWarning.FromString));
        }
        return new TestPlanResult(tests, notes);
    }

    /// <summary>Creates one test per workload on the targets of an SQLIO parameter file; without workloads, one test with the
    /// defaults.</summary>
    public static IReadOnlyList<IoTestSpecification> FromParameterFile(
        string path,
        IReadOnlyList<string> workloads,
        Func<string, string> fullPath
    )
    {
        ArgumentNullException.ThrowIfNull(workloads);
        var lines = SqlioCommandLine.ReadParameterFile(fullPath(path));
        var tests = workloads.Count > 0 ? workloads.SelectMany(WorkloadCatalog.Resolve).ToList() : [new IoTestSpecification()];
        foreach (var test in tests)
        {
            if (TestPlacement.HasSeveralPatterns(test))
                throw IoBenchException.Usage(
                    "IoBench.SuiteNotPossible",
                    $"{test.Workload} consists of {test.Targets.Count} concurrent patterns, so a parameter file cannot set its threads.",
                    test.Workload,
                    advice: "Specify paths instead."
                );
            SqlioCommandLine.SetTargets(test, lines);
            MakePathsAbsolute(test, fullPath);
        }
        return tests;
    }

    /// <summary>Resolves relative paths of the targets, because the user's folder can differ from the process's folder.</summary>
    public static IoTestSpecification MakePathsAbsolute(IoTestSpecification test, Func<string, string> fullPath)
    {
        ArgumentNullException.ThrowIfNull(test);
        foreach (var target in test.Targets)
            if (!IsAbsolutePath(target.Path))
                target.Path = fullPath(target.Path);
        return test;
    }

    private static bool IsAbsolutePath(string path)
    {
        if (path.Length == 0 || path[0] is '/' or '\\' or '#')
            return true;
        var slash = path.AsSpan().IndexOfAny('/', '\\');
        return path.AsSpan(0, slash < 0 ? path.Length : slash).Contains(':');
    }

    /// <summary>Returns the error of the first target that cannot be used; null if there is none. Changes nothing.</summary>
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
                    return IoBenchException.Refused(ErrorIds.NotAFile, $"{path} is a folder. Specify a file in the folder.", path);
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

    /// <summary>Returns the error of the first unusable target of tests whose file size can be set by an option; null if there is
    /// none.</summary>
    public static IoBenchException? FindTargetError(IEnumerable<IoTestSpecification> tests) =>
        FindTargetError(
            tests.Where(test => !BackendCatalog.IsModeled(test.Backend)),
            (test, i) =>
                IoBenchException.NotFound(
                    "IoBench.FileNotFound",
                    $"{test.Targets[i].Path} does not exist, and the command line has no size for a new file.",
                    test.Targets[i].Path,
                    advice: $"Add {OptionNames.FileSize}, or specify an existing file."
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
                $"physical drive {path[drive.Length..]} is a Windows disk.",
                advice: "Specify the device, for example /dev/sdb. lsblk lists all devices."
            );
        if (IsWindowsDevice(path))
            return Wrong(
                $"{path[4..]} is a Windows volume.",
                advice: "Specify the device, for example /dev/sdb1. lsblk lists all devices."
            );
        var isDrivePath = path.Length > 1 && char.IsAsciiLetter(path[0]) && path[1] == ':';
        return isDrivePath || path.Contains('\\', StringComparison.Ordinal)
            ? Wrong(
                $"{path} is a Windows path.",
                advice: "Specify the path with forward slashes and without a drive letter, for example /data/testfile.dat."
            )
            : null;

        IoBenchException Wrong(string what, IoMessage advice) => IoBenchException.Usage("IoBench.InvalidPath", what, path, advice);
    }
}
