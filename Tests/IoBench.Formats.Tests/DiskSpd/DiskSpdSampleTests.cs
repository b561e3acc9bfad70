using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Compares every DiskSpd output in the samples with values that were checked by hand. IOBENCH_APPROVE=1 rewrites the values; then review
/// every difference.
/// </summary>
public class DiskSpdSampleTests
{
    public static TheoryData<string> GetOutputs()
    {
        var data = new TheoryData<string>();
        foreach (var file in Directory.GetFiles(SampleFiles.GetPath("diskspd-runs"), "*.out").Order(StringComparer.Ordinal))
        {
            var name = Path.GetFileNameWithoutExtension(file);
            // Skips outputs without a result, which other tests read.
            if (
                new FileInfo(file).Length > 0
                && !name.Contains("usage")
                && !name.Contains("noargs")
                && !name.Contains("etw")
                && !name.Contains("Rpxml")
            )
                data.Add(name);
        }
        return data;
    }

    internal static List<IoTestResult> ReadSample(string name)
    {
        var file = SampleFiles.GetPath("diskspd-runs", name + ".out");
        using var reader = File.OpenText(file);
        return [.. name.Contains("xml") ? DiskSpdFormat.ReadXml(reader, file) : DiskSpdFormat.ReadText(reader, file)];
    }

    [Theory]
    [MemberData(nameof(GetOutputs))]
    public void Sample_matches_its_approved_values(string name)
    {
        var dump = ResultDump.Format(ReadSample(name));
        var approved = Path.Combine(SampleFiles.RepositoryRoot, "Tests", "IoBench.Formats.Tests", "DiskSpd", "Approved", name + ".txt");
        if (Environment.GetEnvironmentVariable("IOBENCH_APPROVE") == "1")
            File.WriteAllText(approved, dump);
        Assert.Equal(File.ReadAllText(approved).ReplaceLineEndings("\n"), dump);
    }
}
