using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Creates the files of a suite before its first test, so that hosts that wait for each other do so only once.</summary>
public static class SuiteTestFiles
{
    /// <summary>Creates each file once, largest size first, because a smaller test uses the beginning of the file.</summary>
    /// <returns>Tests whose files are ready.</returns>
    public static IReadOnlyList<IoTestSpecification> PrepareFiles(
        SuiteApproval approval,
        Action<string, long, long> progress,
        Action<string, IoBenchException> failed,
        CancellationToken stopped
    )
    {
        ArgumentNullException.ThrowIfNull(approval);
        ArgumentNullException.ThrowIfNull(progress);
        ArgumentNullException.ThrowIfNull(failed);
        HashSet<string> failedPaths = [];
        foreach (
            var test in approval.Tests.Where(test => !BackendCatalog.IsModeled(test.Backend)).OrderByDescending(test => test.FileSize ?? 0)
        )
        {
            foreach (var target in test.Targets.Where(target => !failedPaths.Contains(target.Path)))
            {
                try
                {
                    TestFiles.Prepare(
                        test,
                        target,
                        approval.GetOptions(test),
                        (written, total) => progress(target.Path, written, total),
                        stopped
                    );
                }
                catch (IoBenchException error)
                {
                    failedPaths.Add(target.Path);
                    failed(target.Path, error);
                }
            }
        }
        return [.. approval.Tests.Where(test => !test.Targets.Exists(target => failedPaths.Contains(target.Path)))];
    }

    /// <summary>Removes the test files, or lists those that stay for the next run.</summary>
    public static IReadOnlyList<CleanupResult> CleanUp(IReadOnlyList<ApprovedTarget> targets, bool remove) =>
        remove ? RemoveOwnFiles(targets) : DescribeKeptFiles(targets);

    /// <summary>Removes the suite's test files. Files that IoBench did not create, and devices, stay.</summary>
    public static IReadOnlyList<CleanupResult> RemoveOwnFiles(IEnumerable<ApprovedTarget> targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        return RemoveOwnFiles(targets.Where(target => target.IsFile).Select(target => target.Target.Path));
    }

    /// <summary>Removes test files. Files that IoBench did not create stay.</summary>
    /// <param name="paths">Files, or folders that contain <c>iobench.dat</c>. Missing files are skipped.</param>
    public static IReadOnlyList<CleanupResult> RemoveOwnFiles(IEnumerable<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var cleanupResults = new List<CleanupResult>();
        foreach (var file in paths.Select(GetFilePath).Distinct().Where(File.Exists))
        {
            try
            {
                if (!TestFiles.IsProbablyOwnTestFile(file))
                {
                    cleanupResults.Add(new CleanupResult(file, false, $"IoBench did not create {file}, so IoBench does not remove it."));
                    continue;
                }
                if (TestFiles.ReadEvidence(file) is { } evidence)
                {
                    cleanupResults.Add(new CleanupResult(file, false, DescribeEvidence(file, evidence)));
                    continue;
                }
                TestFiles.Remove(file);
                cleanupResults.Add(new CleanupResult(file, true, $"removed {file}"));
            }
            catch (IoBenchException error)
            {
                cleanupResults.Add(new CleanupResult(file, false, error.Text, error));
            }
        }
        return cleanupResults;
    }

    /// <summary>Lists the test files that stay for the next test, each with the command to remove it.</summary>
    public static IReadOnlyList<CleanupResult> DescribeKeptFiles(IEnumerable<ApprovedTarget> targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        return
        [
            .. targets
                .Where(t => t.IsFile && File.Exists(t.Target.Path) && IsOwnFile(t.Target.Path))
                .Select(t => new CleanupResult(
                    t.Target.Path,
                    false,
                    TestFiles.ReadEvidence(t.Target.Path) is { } evidence
                        ? DescribeEvidence(t.Target.Path, evidence)
                        : (IoMessage)
                            $"{t.Target.Path} ({IoSize.Format(t.Target.Size)}) is kept for the next run. To delete it: {IoCommand.Remove} {QuoteIfNeeded(t.Target.Path)}"
                )),
        ];
    }

    private static IoMessage DescribeEvidence(string path, string evidence) =>
        $"{path} is kept as evidence, read-only: {evidence} To remove it when you no longer need it: {IoCommand.Remove} {QuoteIfNeeded(path)}";

    private static string GetFilePath(string path) =>
        Directory.Exists(path) ? Path.Combine(path, IoTargetSpecification.DefaultFileName) : path;

    private static bool IsOwnFile(string path)
    {
        try
        {
            return TestFiles.IsProbablyOwnTestFile(path);
        }
        catch (IoBenchException)
        {
            // The ownership of a file on a failing disk is unknown. The error of the test is more important to the user.
            return false;
        }
    }

    private static string QuoteIfNeeded(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;
}

/// <param name="Text">Message: how to remove a kept file, or why the file was not removed.</param>
public sealed record CleanupResult(string Path, bool IsRemoved, IoMessage Text, IoBenchException? Error = null);
