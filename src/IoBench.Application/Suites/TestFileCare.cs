using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Result of the cleanup of one test file.</summary>
/// <param name="Path">The file.</param>
/// <param name="IsRemoved">True if the file was removed.</param>
/// <param name="Text">Message: how to remove a kept file, or why the file was not removed.</param>
/// <param name="Error">Error of the removal; null if there is none.</param>
public sealed record TestFileFate(string Path, bool IsRemoved, IoText Text, IoBenchException? Error = null);

/// <summary>Removes or lists the test files of a suite after its end.</summary>
public static class TestFileCare
{
    /// <summary>Removes the suite's test files. Files that IoBench did not create, and devices, stay.</summary>
    /// <param name="targets">Targets of the suite.</param>
    public static IReadOnlyList<TestFileFate> RemoveOwn(IEnumerable<ApprovedTarget> targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        return RemoveOwn(targets.Where(target => target.IsFile).Select(target => target.Target.Path));
    }

    /// <summary>Removes test files. Files that IoBench did not create stay.</summary>
    /// <param name="paths">Files, or folders that contain <c>iobench.dat</c>. Missing files are skipped.</param>
    public static IReadOnlyList<TestFileFate> RemoveOwn(IEnumerable<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var fates = new List<TestFileFate>();
        foreach (var file in paths.Select(FileOf).Distinct().Where(File.Exists))
        {
            try
            {
                if (!TestFiles.LooksOurs(file))
                {
                    fates.Add(new TestFileFate(file, false, $"{file} is not removed: it is not IoBench's own."));
                    continue;
                }
                if (TestFiles.EvidenceIn(file) is { } evidence)
                {
                    fates.Add(new TestFileFate(file, false, KeptAsEvidence(file, evidence)));
                    continue;
                }
                TestFiles.Remove(file, force: false);
                fates.Add(new TestFileFate(file, true, $"removed {file}"));
            }
            catch (IoBenchException error)
            {
                fates.Add(new TestFileFate(file, false, error.Text, error));
            }
        }
        return fates;
    }

    /// <summary>Lists the test files that stay for the next test, each with the command to remove it.</summary>
    public static IReadOnlyList<TestFileFate> Kept(IEnumerable<ApprovedTarget> targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        return
        [
            .. targets
                .Where(t => t.IsFile && File.Exists(t.Target.Path) && IsOurs(t.Target.Path))
                .Select(t => new TestFileFate(
                    t.Target.Path,
                    false,
                    TestFiles.EvidenceIn(t.Target.Path) is { } evidence
                        ? KeptAsEvidence(t.Target.Path, evidence)
                        : (IoText)
                            $"{t.Target.Path} ({new IoSize(t.Target.Size).ToDisplayString()}) is kept for the next test: {IoCommand.Remove} {Quoted(t.Target.Path)}"
                )),
        ];
    }

    private static IoText KeptAsEvidence(string path, string evidence) =>
        $"{path} is kept as evidence, read-only: {evidence} When it is not needed any more: {IoCommand.Remove} {Quoted(path)}";

    private static string FileOf(string path) => Directory.Exists(path) ? Path.Combine(path, IoTargetSpecification.DefaultFileName) : path;

    private static bool IsOurs(string path)
    {
        try
        {
            return TestFiles.LooksOurs(path);
        }
        catch (IoBenchException)
        {
            // The ownership of a file on a failing disk is unknown. The error of the test is more important to the user.
            return false;
        }
    }

    private static string Quoted(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;
}
