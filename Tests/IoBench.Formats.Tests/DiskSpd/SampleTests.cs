namespace IoBench.Formats.Tests;

/// <summary>
/// Every output of DiskSpd in the samples against a file of values that were compared with the output by hand.
/// To make them anew: IOBENCH_APPROVE=1, then look at every difference.
/// </summary>
public class SampleTests
{
    public static TheoryData<string> Outputs()
    {
        var data = new TheoryData<string>();
        foreach (var file in Directory.GetFiles(Samples.Path("diskspd-runs"), "*.out").Order(StringComparer.Ordinal))
        {
            var name = Path.GetFileNameWithoutExtension(file);
            // Without a result: see ReaderErrorTests.
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
