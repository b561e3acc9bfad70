namespace IoBench.Benchmarks;

/// <summary>The operating system's file cache.</summary>
internal static class PageCache
{
    /// <summary>Reads a file into it.</summary>
    public static void Fill(string file)
    {
        var buffer = new byte[1 << 20];
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 0);
        while (stream.Read(buffer) > 0) { }
    }
}
