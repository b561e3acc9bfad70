namespace IoBench.Tests;

/// <summary>A folder that is not there yet, and gone after the test.</summary>
public abstract class FolderTests : IDisposable
{
    /// <summary>Its path.</summary>
    protected string Folder { get; } = Path.Combine(Path.GetTempPath(), "iobench-" + Guid.NewGuid().ToString("N"));

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Directory.Exists(Folder))
            Directory.Delete(Folder, recursive: true);
        GC.SuppressFinalize(this);
    }
}
