using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class DiskSpdRoundTripTests
{
    public static TheoryData<string> GetTexts() => GetNames(n => !n.Contains("xml"));

    public static TheoryData<string> GetXmls() => GetNames(n => n.Contains("xml"));

    public static TheoryData<string> GetTexts22() => GetNames(n => !n.Contains("xml") && n.StartsWith("v22", StringComparison.Ordinal));

    private static TheoryData<string> GetNames(Func<string, bool> filter)
    {
        var data = new TheoryData<string>();
        foreach (var file in Directory.GetFiles(SampleFiles.GetPath("diskspd-runs"), "*.out").Order(StringComparer.Ordinal))
        {
            var name = Path.GetFileNameWithoutExtension(file);
            if (
                new FileInfo(file).Length > 0
                && filter(name)
                && !name.Contains("usage")
                && !name.Contains("noargs")
                && !name.Contains("etw")
                && !name.Contains("Rp")
            )
                data.Add(name);
        }
        return data;
    }

    private static string WriteText(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, results, ResultFormat.DiskSpd);
        return writer.ToString();
    }

    private static string WriteXml(params IoTestResult[] results)
    {
        var writer = new StringWriter();
        ResultWriter.Write(writer, results, ResultFormat.DiskSpdXml);
        return writer.ToString();
    }

    private static List<IoTestResult> ReadText(string text) => [.. DiskSpdFormat.ReadText(new StringReader(text), null)];

    private static List<IoTestResult> ReadXml(string text) => [.. DiskSpdFormat.ReadXml(new StringReader(text), null)];

    private static string ToComparable(IoTestResult result)
    {
        (result.SourceFile, result.SourceLine, result.ToolVersion) = (null, null, null);
        // Averages that DiskSpd does not print are computed from printed values with three decimals, so they are compared with two
        // decimals.
        return Regex.Replace(
            ResultDump.Format([result]),
            @"(?<=AverageLatencyMs: )[\d.]+",
            m => double.Parse(m.Value, CultureInfo.InvariantCulture).ToString("F2", CultureInfo.InvariantCulture)
        );
    }

    [Theory]
    [MemberData(nameof(GetTexts))]
    public void Text_round_trip_preserves_the_result(string name)
    {
        var result = DiskSpdSampleTests.ReadSample(name)[0];
        var again = Assert.Single(ReadText(WriteText(result)));
        Assert.Equal(ToComparable(result), ToComparable(again));
    }

    [Theory]
    [MemberData(nameof(GetXmls))]
    public void XML_round_trip_preserves_the_result(string name)
    {
        var result = DiskSpdSampleTests.ReadSample(name)[0];
        var written = WriteXml(result);
        Assert.Equal("Results", XDocument.Parse(written).Root!.Name.LocalName);
        Assert.Equal(ToComparable(result), ToComparable(Assert.Single(ReadXml(written))));
    }

    [Theory]
    [MemberData(nameof(GetTexts22))]
    public void Written_text_equals_the_output_of_DiskSpd_2_2(string name)
    {
        var original = File.ReadAllText(SampleFiles.GetPath("diskspd-runs", name + ".out"));
        original = original[(original.IndexOf("\r\nCommand Line:", StringComparison.Ordinal))..];
        var expected = original.Split("\r\n");
        var actual = WriteText(DiskSpdSampleTests.ReadSample(name)[0]).Split("\r\n");
        for (var i = 0; i < Math.Min(expected.Length, actual.Length); i++)
        {
            // Averages over processors are computed from rounded values, so the last digit can differ.
            if (expected[i].StartsWith("avg.|", StringComparison.Ordinal))
                Assert.Equal(ParsePercentages(expected[i]), ParsePercentages(actual[i]), new ToleranceComparer(0.0101));
            else
                Assert.Equal(expected[i], actual[i]);
        }
        Assert.Equal(expected.Length, actual.Length);
    }

    private static IEnumerable<double> ParsePercentages(string line) =>
        Regex.Matches(line, @"[\d.]+(?=%)").Select(m => double.Parse(m.Value, CultureInfo.InvariantCulture));

    private sealed class ToleranceComparer(double tolerance) : IEqualityComparer<double>
    {
        public bool Equals(double x, double y) => Math.Abs(x - y) <= tolerance;

        public int GetHashCode(double x) => 0;
    }

    [Theory]
    [InlineData("v22-mix-r-L-D-xml")]
    [InlineData("v22-multi-si-L-D-xml")]
    [InlineData("v22-vs-waitstats-xml")]
    public void Written_XML_has_the_elements_of_DiskSpd_2_2_in_order(string name)
    {
        var original = GetElements(
            XDocument.Parse(
                File.ReadAllText(SampleFiles.GetPath("diskspd-runs", name + ".out")).Replace("\"<unknown>\"", "\"&lt;unknown&gt;\"")
            )
        );
        var written = GetElements(XDocument.Parse(WriteXml(DiskSpdSampleTests.ReadSample(name)[0])));
        Assert.Equal(original, written);
    }

    /// <summary>
    /// Returns paths and texts, except socket groups, the average of a thread over reads and writes, and means over processors, which are
    /// computed from rounded values.
    /// </summary>
    private static List<string> GetElements(XDocument document) =>
        [
            .. document
                .Descendants()
                .Where(e =>
                    !e.HasElements
                    && !(e.Parent!.Name == "Average" && e.Name != "UsagePercent")
                    && e.Name != "Group"
                    && e.Name != "Socket"
                    && !(
                        e.Ancestors("Target").Any()
                        && e.Name.LocalName is "AverageLatencyMilliseconds" or "LatencyStdev"
                        && !e.Ancestors("Latency").Any()
                    )
                )
                .Select(e =>
                    string.Join('/', e.AncestorsAndSelf().Reverse().Select(a => a.Name.LocalName))
                    + "="
                    + e.Value
                    + (e.Name == "Bucket" ? string.Join(' ', e.Attributes()) : "")
                ),
        ];

    [Fact]
    public void Written_profile_equals_the_output_of_DiskSpd()
    {
        var s = DiskSpdCommandLine.Parse(["-b8K", "-r", "-w30", "-o8", "-t4", "-L", "-D", @"T:\a.dat"]);
        var writer = new StringWriter();
        DiskSpdFormat.WriteXmlProfile(writer, [s]);
        Assert.Equal(File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v21-Rpxml.out")).TrimEnd(), writer.ToString().TrimEnd());
        s.GetOrAddOrigin().CommandLine = @"diskspd.exe -Rptext -b8K -r -w30 -o8 -t4 -L -D T:\a.dat";
        writer = new StringWriter();
        DiskSpdFormat.WriteTextProfile(writer, [s]);
        Assert.Equal(File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v22-Rptext.out")), writer.ToString());
    }

    [Fact]
    public void Several_results_are_text_runs_or_XML_timespans()
    {
        var results = new[] { "v22-mix-r-L", "v22-multi-si-L-D", "v22-Sh" }.Select(n => DiskSpdSampleTests.ReadSample(n)[0]).ToArray();
        results[1].ComputerName = "other";
        Assert.Equal(results.Select(r => r.IOPS), ReadText(WriteText(results)).Select(r => r.IOPS));
        var document = WriteXml(results);
        Assert.Equal(3, XDocument.Parse(document).Root!.Elements("TimeSpan").Count());
        var read = ReadXml(document);
        Assert.Equal(results.Select(r => r.IOCount), read.Select(r => r.IOCount));
        Assert.Equal(results.Select(r => r.ComputerName), read.Select(r => r.ComputerName));
        Assert.Equal(results.Select(r => r.StartTime), read.Select(r => r.StartTime));
        Assert.Equal(results.Select(r => r.P99Ms), read.Select(r => r.P99Ms));

        var writer = new StringWriter();
        DiskSpdFormat.WriteTextRun(writer, results, "\n");
        var spans = ReadText(writer.ToString());
        Assert.Equal(results.Select(r => r.IOPS), spans.Select(r => r.IOPS));
        Assert.All(spans, r => Assert.Empty(r.Warnings));
        Assert.Contains("total test time:\t7.00s", writer.ToString());
    }

    [Fact]
    public void Missing_percentiles_are_computed_by_nearest_rank()
    {
        var result = DiskSpdSampleTests.ReadSample("v22-mix-r-L")[0];
        result.Percentiles =
        [
            new()
            {
                Percent = 0,
                ReadMs = 0.5,
                TotalMs = 0.5,
            },
            new() { Percent = 50 },
            new()
            {
                Percent = 100,
                ReadMs = 9,
                TotalMs = 9,
            },
        ];
        foreach (var totals in new IoReadWriteTotals[] { result.Targets[0] })
            (totals.Read.IOCount, totals.Write.IOCount) = (100, 0);
        result.IOCount = 100;
        result.Histogram = new IoHistogram
        {
            Buckets =
            [
                new()
                {
                    FromMs = 0.4,
                    ToMs = 0.8,
                    ReadCount = 60,
                    WriteCount = 0,
                },
                new()
                {
                    FromMs = 2,
                    ToMs = 4,
                    ReadCount = 39,
                    WriteCount = 0,
                },
                new()
                {
                    FromMs = 8,
                    ToMs = 16,
                    ReadCount = 1,
                    WriteCount = 0,
                },
            ],
        };
        var text = WriteText(result);
        Assert.Contains(
            "    min |      0.500 |        N/A |      0.500\r\n   25th |      0.600 |        N/A |      0.600\r\n   50th |      0.600 |        N/A |      0.600\r\n   75th |      3.000 |",
            text
        );
        Assert.Contains("   99th |      3.000 |        N/A |      3.000\r\n3-nines |      9.000 |", text);
        Assert.Contains("    max |      9.000 |        N/A |      9.000\r\n", text);
    }

    /// <summary>Programs that read DiskSpd XML take the nth bucket as the nth percentile, so all buckets must be present.</summary>
    [Fact]
    public void XML_has_a_bucket_for_every_percentile()
    {
        var result = DiskSpdSampleTests.ReadSample("v22-mix-r-L")[0];
        var known = XDocument
            .Parse(WriteXml(result))
            .Descendants("Latency")
            .Single()
            .Elements("Bucket")
            .Select(b => b.Element("Percentile")!.Value)
            .ToList();
        (result.Percentiles, result.Histogram) = ([], null);
        var unknown = XDocument
            .Parse(WriteXml(result))
            .Descendants("Latency")
            .Single()
            .Elements("Bucket")
            .Select(b => b.Element("Percentile")!.Value)
            .ToList();
        Assert.Equal(108, known.Count);
        Assert.Equal(("0", "50", "99", "99.9", "99.9999999", "100"), (known[0], known[50], known[99], known[100], known[106], known[107]));
        Assert.Equal(known, unknown);
        Assert.Empty(Assert.Single(ReadXml(WriteXml(result))).Percentiles);
    }

    /// <summary>The middle of a bucket can be above the next listed percentile. Listed percentiles are exact and have priority.</summary>
    [Fact]
    public void Listed_percentiles_override_histogram_percentiles()
    {
        var result = DiskSpdSampleTests.ReadSample("v22-mix-r-L")[0];
        result.Percentiles =
        [
            new()
            {
                Percent = 0,
                ReadMs = 1,
                TotalMs = 1,
            },
            new()
            {
                Percent = 50,
                ReadMs = 1.2,
                TotalMs = 1.2,
            },
            new()
            {
                Percent = 100,
                ReadMs = 9,
                TotalMs = 9,
            },
        ];
        foreach (var totals in new[] { result.Totals!, result.Targets[0] })
            (totals.Read.IOCount, totals.Write.IOCount) = (1000, 0);
        result.IOCount = 1000;
        result.Histogram = new IoHistogram
        {
            Buckets =
            [
                new()
                {
                    FromMs = 1,
                    ToMs = 2,
                    ReadCount = 600,
                    WriteCount = 0,
                },
                new()
                {
                    FromMs = 8,
                    ToMs = 9,
                    ReadCount = 400,
                    WriteCount = 0,
                },
            ],
        };
        var reads = XDocument
            .Parse(WriteXml(result))
            .Descendants("Latency")
            .Single()
            .Elements("Bucket")
            .Select(b => b.Element("ReadMilliseconds")!.Value)
            .ToList();
        Assert.Equal(
            ("1.000", "1.200", "1.200", "1.500", "8.500", "9.000"),
            (reads[0], reads[49], reads[50], reads[51], reads[99], reads[107])
        );
    }

    [Fact]
    public void XML_is_escaped()
    {
        var result = DiskSpdSampleTests.ReadSample("v22-mix-r-L")[0];
        result.Specification!.Targets[0].Path = result.Path = result.Targets[0].Path = "D:\\R&D <\"x\"> '\u0001ä'.dat";
        result.Threads.ForEach(t => t.Path = result.Path);
        var document = WriteXml(result);
        Assert.NotNull(XDocument.Parse(document));
        Assert.Equal("D:\\R&D <\"x\"> '\uFFFDä'.dat", Assert.Single(ReadXml(document)).Path);
    }
}
