namespace IoBench.Tests;

/// <summary>Base class with the path of a temporary folder that does not exist yet. The folder is deleted after the test.</summary>
public abstract class TemporaryFolderTestBase : IDisposable
{
    protected string Folder { get; } = Path.Combine(Path.GetTempPath(), "iobench-" + Guid.NewGuid().ToString("N"));

    public void Dispose()
    {
        if (Directory.Exists(Folder))
            Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
    }
}

public abstract class CreatedFolderTestBase : TemporaryFolderTestBase
{
    protected CreatedFolderTestBase() => Directory.CreateDirectory(Folder);
}
