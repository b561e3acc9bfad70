namespace IoBench.Benchmarks;

internal static class PageCache
{
    public static void ReadIntoCache(string file)
    {
        var buffer = new byte[1 << 20];
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 0);
        while (stream.Read(buffer) > 0) { }
    }
}
