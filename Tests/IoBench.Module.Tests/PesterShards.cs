namespace IoBench.Module.Tests;

/// <summary>Which Pester files a shard has.</summary>
internal static class PesterShards
{
    private const int Count = 2;

    // Seconds that the slow files take, measured on 2 cores: they decide the shard of a file, nothing else.
    private static readonly Dictionary<string, int> s_seconds = new(StringComparer.Ordinal) { ["Example"] = 100 };

    /// <summary>The files of a shard (from 1): the slowest file first, each to the shard with the least to do.</summary>
    public static IEnumerable<string> Of(int shard)
    {
        var files = Directory.GetFiles(PesterHost.Folder, "*.Tests.ps1").Select(NameOf).Order(StringComparer.Ordinal);
        var load = new int[Count];
        foreach (var file in files.OrderByDescending(SecondsOf))
        {
            var least = Array.IndexOf(load, load.Min());
            load[least] += SecondsOf(file);
            if (least == shard - 1)
                yield return file;
        }
    }

    private static int SecondsOf(string file) => s_seconds.GetValueOrDefault(file, 2);

    private static string NameOf(string path) => Path.GetFileName(path)[..^".Tests.ps1".Length];
}
