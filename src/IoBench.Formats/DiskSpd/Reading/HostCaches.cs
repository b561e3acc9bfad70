namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>The processor's caches among the facts of the host, from DiskSpd 2.3's text and XML.</summary>
internal static class HostCaches
{
    /// <summary>Longest text that is kept of one kind of cache.</summary>
    private const int MaxLength = 4096;

    /// <summary>Adds a cache, such as <c>L2</c>, behind others of its kind.</summary>
    internal static void Add(DiskSpdRun run, string name, string what)
    {
        if (name.Length > 8)
            return;
        var key = "cache " + name;
        var known = run.Host.GetValueOrDefault(key);
        if (known is null || known.Length < MaxLength)
            run.Host[key] = known is null ? what : known + "; " + what;
    }
}
