namespace IoBench.Application.Tests;

/// <summary>A folder on a real disk, because the temporary folder can be in memory. It is deleted at the end.</summary>
internal sealed class TemporaryDiskFolder : IDisposable
{
    public string Path { get; } =
        Directory
            .CreateDirectory(System.IO.Path.Combine(SampleFiles.RepositoryRoot, "artifacts", "self-tests", Guid.NewGuid().ToString("N")))
            .FullName;

    public string GetPath(string name) => System.IO.Path.Combine(Path, name);

    public string[] Names =>
        [.. Directory.EnumerateFileSystemEntries(Path).Select(path => System.IO.Path.GetFileName(path)).Order(StringComparer.Ordinal)];

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
