using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// Compares every DiskSpd output in the samples with values that were checked by hand. IOBENCH_APPROVE=1 rewrites the values; then review
/// every difference.
/// </summary>
public class SampleTests
{
    public static TheoryData<string> Outputs()
    {
        var data = new TheoryData<string>();
        foreach (var file in Directory.GetFiles(Samples.Path("diskspd-runs"), "*.out").Order(StringComparer.Ordinal))
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

    internal static List<IoTestResult> Read(string name)
    {
        var file = Samples.Path("diskspd-runs", name + ".out");
        using var reader = File.OpenText(file);
        return [.. name.Contains("xml") ? DiskSpdXmlReader.Read(reader, file) : DiskSpdTextReader.Read(reader, file)];
    }

    [Theory]
    [MemberData(nameof(Outputs))]
    public void A_sample_is_read_as_approved(string name)
    {
        var dump = ResultDump.Of(Read(name));
        var approved = Path.Combine(Samples.Root, "Tests", "IoBench.Formats.Tests", "DiskSpd", "Approved", name + ".txt");
        if (Environment.GetEnvironmentVariable("IOBENCH_APPROVE") == "1")
            File.WriteAllText(approved, dump);
        Assert.Equal(File.ReadAllText(approved).ReplaceLineEndings("\n"), dump);
    }
}
