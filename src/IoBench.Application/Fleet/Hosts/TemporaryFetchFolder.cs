namespace IoBench.Application;

/// <summary>Temporary folder for the files of hosts that only the current user can read; deleted on dispose.</summary>
public sealed class TemporaryFetchFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("iobench-fleet-").FullName;

    /// <inheritdoc/>
    public void Dispose()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The results are already read, so a temporary folder that cannot be deleted costs only disk space.
        }
    }
}
