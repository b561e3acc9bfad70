using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Compares every field of fio, CrystalDiskMark, and VMFleet outputs with values that a script computed from the same files without
/// IoBench. The fio outputs are from real runs of 2.2.10, 2.21, 3.33, and 3.42. The CrystalDiskMark and VMFleet outputs in the repository
/// follow the format of their sources with invented values. Published outputs are read if they are available.
/// </summary>
public class OtherToolSampleTests
{
    private static readonly (string Samples, string Tests)[] s_tools =
    [
        ("fio", "Fio"),
        ("crystaldiskmark", "CrystalDiskMark"),
        ("vmfleet", "VmFleet"),
    ];

    public static TheoryData<string, string> GetOwnOutputs() => GetOutputs(published: false);

    public static TheoryData<string, string> GetPublishedOutputs() => GetOutputs(published: true);

    private static TheoryData<string, string> GetOutputs(bool published)
    {
        var data = new TheoryData<string, string>();
        foreach (var (samples, tests) in s_tools)
        foreach (
            var file in Directory.GetFiles(Path.GetDirectoryName(GetExpectedFile(tests, "x"))!, "*.json").Order(StringComparer.Ordinal)
        )
            if (Path.GetFileNameWithoutExtension(file) is var name && File.Exists(SampleFiles.GetPath(samples, name)) != published)
                data.Add(samples, name);
        return data;
    }

    [Theory]
    [MemberData(nameof(GetOwnOutputs))]
    public void Every_field_of_a_sample_is_read(string tool, string name) => AssertExpected(tool, name, SampleFiles.GetPath(tool, name));

    [PublishedTheory("fio")]
    [MemberData(nameof(GetPublishedOutputs))]
    public void Every_field_of_a_published_sample_is_read(string tool, string name) =>
        AssertExpected(tool, name, SampleFiles.FindPublished(tool, name)!);

    private static void AssertExpected(string tool, string name, string file)
    {
        List<IoTestResult> results = [.. ResultReader.ReadFile(file)];
        ExpectedResults.Compare(GetExpectedFile(Array.Find(s_tools, t => t.Samples == tool).Tests, name), results);
    }

    [Fact]
    public void Every_sample_has_expected_values() =>
        Assert.All(
            s_tools.SelectMany(tool => Directory.GetFiles(SampleFiles.GetPath(tool.Samples)).Select(file => (tool.Tests, file))),
            pair => Assert.True(File.Exists(GetExpectedFile(pair.Tests, Path.GetFileName(pair.file))), pair.file)
        );

    private static string GetExpectedFile(string tool, string name) =>
        Path.Combine(SampleFiles.RepositoryRoot, "Tests", "IoBench.Formats.Tests", tool, "Expected", name + ".json");
}
