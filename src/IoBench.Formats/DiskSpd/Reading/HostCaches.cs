namespace IoBench.Formats;

internal static class DiskSpdRun
{
    /// <summary>Maximum number of characters for one kind of cache.</summary>
    private const int MaxLength = 4096;

    internal static void AddCache(DiskSpdRun run, string name, string what)
    {
        if (name.Length > 8)
            return;
        var key = "cache " + name;
        var known = run.Host.GetValueOrDefault(key);
        if (known is null || known.Length < MaxLength)
            run.Host[key] = known is null ? what : known + "; " + what;
    }
}
