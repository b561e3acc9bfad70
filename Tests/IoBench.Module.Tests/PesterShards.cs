namespace IoBench.Module.Tests;

/// <summary>Which Pester files a shard has.</summary>
internal static class PesterShards
{
    private const int Count = 2;

    // Seconds that the slow files take, measured on 2 busy cores. They only decide the shard of a file; a file without an entry counts as 2 seconds.
    private static readonly Dictionary<string, int> s_seconds = new(StringComparer.Ordinal)
    {
        ["Example"] = 107,
        ["Invoke-IoTest"] = 34,
        ["Agent"] = 22,
        ["Package"] = 21,
        ["Receive-IoFleet"] = 17,
        ["Measure-IoLimit"] = 16,
        ["Test-IoHost"] = 16,
        ["Role"] = 12,
        ["Invoke-IoFleet"] = 11,
        ["BadInput"] = 9,
        ["Journal"] = 7,
        ["Prompt"] = 7,
        ["Find-IoCap"] = 5,
        ["Test-IoIntegrity"] = 5,
        ["Help"] = 5,
        ["Culture"] = 5,
        ["Binding"] = 5,
        ["Module"] = 5,
        ["Parameter"] = 5,
        ["View"] = 5,
    };

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
