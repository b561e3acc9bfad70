namespace IoBench.Application.Tests;

internal sealed class FleetFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("iobench-test-").FullName;

    public string File(string name) => System.IO.Path.Combine(Path, name);

    public string Write(string name, string text)
    {
        System.IO.File.WriteAllText(File(name), text);
        return File(name);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
