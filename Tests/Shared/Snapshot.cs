namespace IoBench.Tests;

/// <summary>
/// Compares what users can see with the files of Tests/Snapshots. Tests/Snapshots/README.md describes how to update them.
/// </summary>
internal static class Snapshot
{
    /// <summary>If the variable is 1, tests rewrite snapshots and generated documents instead of comparing them.</summary>
    public const string UpdateVariable = "IOBENCH_UPDATE_SNAPSHOTS";

    // The folder "cmdlets" belongs to Tests/Module/Snapshot.Tests.ps1.
    private static readonly string[] s_folders =
    [
        "answers",
        "api",
        "cmdlets",
        "console",
        "exit-codes",
        "help",
        "imports",
        "report",
        "results",
    ];

    private static string Root { get; } = Path.Combine(SampleFiles.RepositoryRoot, "Tests", "Snapshots");

    /// <summary>Whether tests rewrite snapshots and generated documents.</summary>
    public static bool IsUpdate => Environment.GetEnvironmentVariable(UpdateVariable) == "1";

    /// <summary>
    /// Compares all files of a folder. Only one test can own a folder, so a file that no test writes is a difference too.
    /// </summary>
    /// <param name="folder">Name of the folder in Tests/Snapshots.</param>
    /// <param name="files">File names and their texts.</param>
    public static void Match(string folder, IReadOnlyDictionary<string, string> files)
    {
        Assert.Contains(folder, s_folders);
        var texts = files.ToDictionary(file => file.Key, file => Normalize(file.Value));
        var path = Directory.CreateDirectory(Path.Combine(Root, folder)).FullName;
        if (IsUpdate)
            Write(path, texts);
        var names = Directory.EnumerateFiles(path).Select(file => Path.GetFileName(file)).Union(texts.Keys).Order(StringComparer.Ordinal);
        var differences = names.Select(name => Difference(path, name, texts.GetValueOrDefault(name))).OfType<string>().ToList();
        differences.AddRange(
            Directory
                .EnumerateDirectories(Root)
                .Where(found => !s_folders.Contains(Path.GetFileName(found)))
                .Select(found => $"{found}: no test writes this folder.")
        );
        if (differences.Count > 0)
            Assert.Fail(
                $"{string.Join('\n', differences)}\nIf these changes are intended, run the test again with {UpdateVariable}=1 and review the diff of Tests/Snapshots."
            );
    }

    /// <summary>
    /// A text as the files have it: without the path of the repository, and with each carriage return as a visible character.
    /// </summary>
    private static string Normalize(string text) =>
        text.Replace("\r", "␍", StringComparison.Ordinal)
            .Replace(SampleFiles.RepositoryRoot + "/", "{repository}/", StringComparison.Ordinal)
            .TrimEnd('\n') + "\n";

    private static void Write(string path, Dictionary<string, string> texts)
    {
        foreach (var file in Directory.EnumerateFiles(path).Where(file => !texts.ContainsKey(Path.GetFileName(file))))
            File.Delete(file);
        foreach (var (name, text) in texts)
            File.WriteAllText(Path.Combine(path, name), text);
    }

    private static string? Difference(string folder, string name, string? text)
    {
        var path = Path.Combine(folder, name);
        if (text is null)
            return $"{path}: no test writes this file.";
        if (!File.Exists(path))
            return $"{path}: the file does not exist.";
        var expected = File.ReadAllText(path);
        if (expected == text)
            return null;
        var (old, now) = (expected.Split('\n'), text.Split('\n'));
        var at = old.Zip(now).TakeWhile(pair => pair.First == pair.Second).Count();
        return $"{path}, line {at + 1}:\n  expected: {Line(old, at)}\n  actual:   {Line(now, at)}";
    }

    private static string Line(string[] lines, int at) => at < lines.Length ? lines[at] : "(end of the file)";
}

/// <summary>
/// A fact about output of the program: skipped on Windows, where paths and JSON differ, and for other builds of the program.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class SnapshotFactAttribute : FactAttribute
{
    public SnapshotFactAttribute() =>
        Skip = OperatingSystem.IsWindows() ? "the snapshots have the paths of Linux" : InProcessFactAttribute.Reason;
}
