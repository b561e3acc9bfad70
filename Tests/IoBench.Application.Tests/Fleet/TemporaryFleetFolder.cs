namespace IoBench.Application.Tests;

internal sealed class TemporaryFleetFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("iobench-test-").FullName;

    public string GetPath(string name) => System.IO.Path.Combine(Path, name);

    public string WriteFile(string name, string text)
    {
        System.IO.File.WriteAllText(GetPath(name), text);
        return GetPath(name);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
