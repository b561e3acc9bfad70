namespace IoBench.Application.Suites;

/// <summary>A test file after a suite.</summary>
/// <param name="Path">The file.</param>
/// <param name="IsRemoved">It was removed.</param>
/// <param name="Text">What there is to say: that it is kept and how it is removed, or why it stays.</param>
/// <param name="Error">That it could not be removed; null when nothing failed.</param>
public sealed record TestFileFate(string Path, bool IsRemoved, IoText Text, IoBenchException? Error = null);

/// <summary>What becomes of test files when a suite is over.</summary>
public static class TestFileCare
{
    /// <summary>Removes the own test files of a suite; a foreign file used by force stays, and so does every device.</summary>
    /// <param name="targets">What the suite could test.</param>
    public static IReadOnlyList<TestFileFate> RemoveOwn(IEnumerable<ApprovedTarget> targets)
    {
        ArgumentNullException.ThrowIfNull(targets);
        return RemoveOwn(targets.Where(target => target.IsFile).Select(target => target.Target.Path));
    }

    /// <summary>Removes the test files that are IoBench's own; a foreign file used by force stays.</summary>
    /// <param name="paths">Files, or folders with <c>iobench.dat</c> in them; what is not there is passed over.</param>
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

    /// <summary>The own test files that stay for the next test, each with the command that removes it.</summary>
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
            // A disk that fails can show nobody whose file it holds; what it did to the test is what the user has to hear.
            return false;
        }
    }

    private static string Quoted(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;
}
