namespace IoBench.Application.Fleet.Hosts;

/// <summary>A folder for what hosts gave, until it is read: nobody else can look into it, and it is removed.</summary>
public sealed class FetchFolder : IDisposable
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
            // A folder of temporary files that stays costs room, and the answer is there.
        }
    }
}
