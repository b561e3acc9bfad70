using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class DiskSpdXmlVariantTests
{
    private static string ReadSample(string name) => File.ReadAllText(SampleFiles.GetPath("diskspd-runs", name));

    private static List<IoTestResult> ReadXml(string text) => [.. DiskSpdFormat.ReadXml(new StringReader(text), "test.xml")];

    [Fact]
    public void Unescaped_ampersand_is_part_of_the_path()
    {
        var text = ReadSample("v22-mix-r-L-D-xml.out").Replace(@"T:\a.dat", @"T:\R&D &amp; more\a.dat");
        Assert.Equal(@"T:\R&D & more\a.dat", Assert.Single(ReadXml(text)).Path);
    }

    /// <summary>Debug builds of 2.0.21a print latencies of each target and group, which differ from those of the timespan.</summary>
    [Fact]
    public void Target_and_group_latency_is_not_the_timespan_latency()
    {
        var text = ReadSample("v22-multi-si-L-D-xml.out");
        const string latency =
            "<Latency><AverageTotalMilliseconds>77.000</AverageTotalMilliseconds><LatencyStdev>77.000</LatencyStdev><Bucket><Percentile>50</Percentile><TotalMilliseconds>77.000</TotalMilliseconds></Bucket></Latency>";
        const string group =
            "<TargetGroup><Path>T:\\a.dat</Path>"
            + latency
            + "<Iops><IopsStdDev>77.000</IopsStdDev></Iops><ThreadCount>77</ThreadCount></TargetGroup>";
        var altered = text.Replace("<Latency ", group + group + "<Latency ", StringComparison.Ordinal)
            .Replace("<Thread>", group + "<Thread>", StringComparison.Ordinal)
            .Replace("</Target>\r\n    </Thread>", latency + "</Target></Thread>", StringComparison.Ordinal)
            .Replace("      </Target>\n", latency + "</Target>\n", StringComparison.Ordinal);
        Assert.True(altered.Length > text.Length + 5 * latency.Length);
        var (expected, result) = (Assert.Single(ReadXml(text)), Assert.Single(ReadXml(altered)));

        Assert.Equal(
            (expected.AverageLatencyMs, expected.P50Ms, expected.IopsStdDev, expected.ThreadCount),
            (result.AverageLatencyMs, result.P50Ms, result.IopsStdDev, result.ThreadCount)
        );
        Assert.Equal(expected.Threads.Select(t => t.Total.AverageLatencyMs), result.Threads.Select(t => t.Total.AverageLatencyMs));
        Assert.Equal(expected.Percentiles.Select(p => (p.Percent, p.TotalMs)), result.Percentiles.Select(p => (p.Percent, p.TotalMs)));
        // Each is listed once, however often it occurs.
        Assert.Contains(
            "<TargetGroup> is unknown, so IoBench ignores all elements with this name",
            Assert.Single(result.Warnings, w => w.Contains("TargetGroup", StringComparison.Ordinal)),
            StringComparison.Ordinal
        );
        Assert.True(result.Warnings.Count <= expected.Warnings.Count + 2);
    }

    [Fact]
    public void Unescaped_unknown_power_scheme_is_read() =>
        Assert.Equal("<unknown>", Assert.Single(ReadXml(ReadSample("v22-mix-r-L-D-xml.out"))).Host["active power scheme"]);

    [Fact]
    public void Thread_counts_that_overflow_are_not_added_up()
    {
        var text = System.Text.RegularExpressions.Regex.Replace(
            ReadSample("v22-multi-si-L-D-xml.out"),
            "<(IO|Read|Write)Count>[0-9]+<",
            "<$1Count>9000000000000000000<"
        );
        var result = Assert.Single(ReadXml(text));

        Assert.Null(result.IOCount);
        Assert.True(result.Threads.Count > 1);
    }

    [Fact]
    public void Histogram_with_counts_that_overflow_is_written()
    {
        var result = Assert.Single(ReadXml(ReadSample("v22-mix-r-L-D-xml.out")));
        result.Histogram = new IoHistogram
        {
            Buckets =
            [
                new()
                {
                    FromMs = 0,
                    ToMs = 1,
                    ReadCount = long.MaxValue,
                    WriteCount = 0,
                },
                new()
                {
                    FromMs = 1,
                    ToMs = 2,
                    ReadCount = long.MaxValue,
                    WriteCount = 0,
                },
            ],
        };

        foreach (var format in (ResultFormat[])[ResultFormat.DiskSpd, ResultFormat.DiskSpdXml, ResultFormat.Json, ResultFormat.Csv])
            ResultWriter.Write(TextWriter.Null, [result], format);
    }

    [Fact]
    public void Document_type_declaration_throws()
    {
        var error = Assert.Throws<IoBenchException>(() =>
            ReadXml(
                "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                    + ReadSample("v21-plain-xml.out").Replace("<ComputerName>vm", "<ComputerName>&x;")
            )
        );
        Assert.Equal("IoBench.InvalidXml", error.ErrorId);
    }

    [Fact]
    public void Entities_are_not_expanded() =>
        Assert.Equal(
            "&x;&#65;A".Replace("&#65;", "A"),
            Assert.Single(ReadXml(ReadSample("v21-plain-xml.out").Replace("<ComputerName>vm", "<ComputerName>&x;&#65;A"))).ComputerName
        );

    [Fact]
    public void Error_element_is_an_interrupted_run()
    {
        var text = ReadSample("v21-plain-xml.out");
        var at = text.LastIndexOf("<TestTimeSeconds>", StringComparison.Ordinal);
        var result = Assert.Single(
            ReadXml(
                text[..at]
                    + "<Error>The test was interrupted before the measurements began. No results are displayed.</Error>\n  </TimeSpan>\n</Results>"
            )
        );
        Assert.Equal((IoResultStatus.Incomplete, "IoBench.DiskSpdInterrupted"), (result.Status, result.ErrorId));
        Assert.Equal(@"T:\a.dat", result.Path);
        Assert.Null(result.IOPS);
    }

    [Fact]
    public void Several_timespans_and_documents_are_separate_results()
    {
        var text = ReadSample("v21-plain-xml.out");
        var at = text.LastIndexOf("  <TimeSpan>", StringComparison.Ordinal);
        var span = text[at..text.LastIndexOf("</Results>", StringComparison.Ordinal)];
        var results = ReadXml("..\n" + text[..at] + span + span.Replace("23433", "11111") + "</Results>\n" + text);
        Assert.Equal([23433L, 11111L, 23433L], results.Select(r => r.IOCount!.Value));
    }

    /// <summary>A rate is printed as a whole number, so 0 can mean a few I/Os, which have a latency.</summary>
    [Fact]
    public void Interval_with_a_rate_rounded_to_0_has_its_latency()
    {
        var text = ReadSample("v22-mix-r-L-D-xml.out");
        var at = text.IndexOf("<Bucket SampleMillisecond=", StringComparison.Ordinal);
        const string slow =
            "<Bucket SampleMillisecond=\"1000\" Read=\"0\" Write=\"0\" Total=\"0\" ReadMinLatencyMilliseconds=\"900.000\" ReadMaxLatencyMilliseconds=\"900.000\" ReadAvgLatencyMilliseconds=\"900.000\" ReadLatencyStdDev=\"0.000\" WriteMinLatencyMilliseconds=\"7.000\" WriteMaxLatencyMilliseconds=\"7.000\" WriteAvgLatencyMilliseconds=\"7.000\" WriteLatencyStdDev=\"0.000\"/>";
        var point = Assert.Single(ReadXml(text[..at] + slow + text[text.IndexOf("/>", at, StringComparison.Ordinal)..][2..])).Timeline[0];
        Assert.Equal(
            (900, 7, 900, null),
            (point.ReadLatency!.AverageMs, point.WriteLatency!.MaxMs, point.MaxLatencyMs, point.AverageLatencyMs)
        );
    }

    /// <summary>Thread intervals are kept up to a limit, and a warning states how many are omitted.</summary>
    [Fact]
    public void Number_of_thread_intervals_is_limited()
    {
        var text = ReadSample("v22-multi-si-L-D-xml.out");
        var at = text.IndexOf("<Bucket SampleMillisecond=", text.IndexOf("<Thread>", StringComparison.Ordinal), StringComparison.Ordinal);
        var bucket = "<Bucket SampleMillisecond=\"1000\" Read=\"1\" Write=\"0\" Total=\"1\"/>\n";
        var result = Assert.Single(ReadXml(text[..at] + string.Concat(Enumerable.Repeat(bucket, 250_001)) + text[at..]));
        Assert.Equal((250_000, 0), (result.Threads[0].Timeline.Count, result.Threads[1].Timeline.Count));
        Assert.Contains(
            "IoBench reads at most 250000 intervals of individual threads",
            Assert.Single(result.Warnings),
            StringComparison.Ordinal
        );
        Assert.NotNull(result.Threads[1].Total.IopsStdDev);
    }

    [Fact]
    public void XML_truncated_anywhere_is_incomplete_or_throws()
    {
        var text = ReadSample("v22-mix-r-L-D-xml.out");
        for (var length = 1; length < text.Length - 12; length += 211)
        {
            try
            {
                Assert.Equal(IoResultStatus.Incomplete, Assert.Single(ReadXml(text[..length])).Status);
            }
            catch (IoBenchException error)
            {
                Assert.True(length < 20, error.Message);
            }
        }
    }

    [Fact]
    public void XML_without_a_result_throws()
    {
        Assert.Equal("IoBench.EmptyFile", Assert.Throws<IoBenchException>(() => ReadXml(" \r\n")).ErrorId);
        Assert.Equal("IoBench.NoResults", Assert.Throws<IoBenchException>(() => ReadXml(ReadSample("v21-Rpxml.out"))).ErrorId);
        Assert.Equal("IoBench.UnknownFormat", Assert.Throws<IoBenchException>(() => ReadXml("<a><b/></a>")).ErrorId);
    }

    [Theory]
    [InlineData("<user@host>")]
    [InlineData("</x> done")]
    [InlineData("[admin@sql01 ~]$ diskspd -Rxml <in.txt >out.xml \"x")]
    [InlineData("<system-out><![CDATA[")]
    [InlineData("<br> it's & <b")]
    public void Markup_outside_a_document_is_skipped(string around)
    {
        var text = ReadSample("v21-plain-xml.out");
        var results = ReadXml($"{around}\n{text}\n{around}\n{text}{around}");

        Assert.Equal([23433L, 23433L], results.Select(r => r.IOCount!.Value));
        Assert.All(results, r => Assert.Equal((IoResultStatus.Complete, 0), (r.Status, r.Warnings.Count)));
    }

    [Theory]
    [InlineData("<Thread>")]
    [InlineData("<Thread it's")]
    [InlineData("<Bucket SampleMillisecond=\"50")]
    public void Document_after_a_truncated_one_is_read(string end)
    {
        var text = ReadSample("v21-plain-xml.out");
        var start = text[..text.IndexOf("<Thread>", StringComparison.Ordinal)] + end;
        var results = ReadXml(start + "\n" + text);

        Assert.Equal([IoResultStatus.Incomplete, IoResultStatus.Complete], results.Select(r => r.Status));
        Assert.Equal(23433, results[1].IOCount);
    }

    [Theory]
    [InlineData("<!--", "-->")]
    [InlineData("<ComputerName2><![CDATA[", "]]></ComputerName2>")]
    [InlineData("<ComputerName2>", "&amp;</ComputerName2>")]
    public void Long_text_in_XML_is_truncated(string start, string end)
    {
        var text = ReadSample("v21-plain-xml.out");
        foreach (var length in (int[])[65_530, 65_535, 65_536, 70_000])
        {
            var result = Assert.Single(ReadXml(text.Replace("<System>", "<System>" + start + new string('x', length) + end)));
            Assert.Equal((IoResultStatus.Complete, 23433L), (result.Status, result.IOCount!.Value));
        }
    }

    [Fact]
    public void Malformed_XML_is_not_called_incomplete()
    {
        var text = ReadSample("v21-plain-xml.out").ReplaceLineEndings("\n");
        var at = text.LastIndexOf("<TestTimeSeconds>", StringComparison.Ordinal);
        var line = 2 + text[..at].Count(c => c == '\n');
        var results = ReadXml("C:\\>\n" + text[..at] + "</Wrong>" + text[at..] + text);

        Assert.Equal([IoResultStatus.Incomplete, IoResultStatus.Complete], results.Select(r => r.Status));
        Assert.Contains(
            $"The XML is malformed at line {line} within <TimeSpan>. IoBench ignores the rest of this document.",
            results[0].ErrorMessage + string.Concat(results[0].Warnings),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Comment_with_a_document_is_skipped()
    {
        var text = ReadSample("v21-plain-xml.out");
        Assert.Single(ReadXml($"<!-- {text} -->\n{text}"));
    }

    [Fact]
    public void Wait_statistics_are_tool_details()
    {
        var result = Assert.Single(ReadXml(ReadSample("v22-vs-waitstats-xml.out")));
        Assert.EndsWith(
            "0 |            9110 |             0  -      0 |         0 | 0 0 0 0 0 0 0 0",
            result.ToolDetails["Wait statistics"]
        );
        Assert.True(result.Specification!.GetOrAddOrigin().DiskSpd!.VerboseStatistics);
    }

    [Theory]
    [InlineData("v21-plain-xml.out", true)]
    [InlineData("v21-Rpxml.out", true)]
    [InlineData("v22-mix-r-L.out", false)]
    public void DiskSpd_XML_is_recognized(string name, bool expected) =>
        Assert.Equal(expected, DiskSpdFormat.LooksLikeXml(ReadSample(name)[..Math.Min(4096, ReadSample(name).Length)]));
}
