using System.Text.RegularExpressions;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>
/// DiskSpd 2.3 text and XML. SYNTHETIC: no output of 2.3 was available, so the samples were created from its format strings
/// (Tests/samples/diskspd-2.3-synthetic/README.md). Replace them with real outputs, which can differ.
/// </summary>
public class DiskSpd23OutputTests
{
    private const string Folder = "diskspd-2.3-synthetic";

    public static TheoryData<string> GetOutputs() => ["01-plain", "02-ioring-latency", "03-affinity-targets"];

    private static IoTestResult ReadSample(string name) =>
        Assert.Single(ReadText(File.ReadAllText(SampleFiles.GetPath(Folder, name + ".txt"))));

    private static List<IoTestResult> ReadText(string text) => [.. DiskSpdFormat.ReadText(new StringReader(text), null)];

    private static List<IoTestResult> ReadXml(string text) => [.. DiskSpdFormat.ReadXml(new StringReader(text), null)];

    private static string WriteText(IoTestResult result)
    {
        var writer = new StringWriter();
        DiskSpdFormat.WriteTextRun(writer, [result], form: DiskSpdOutputVersion.Version23);
        return writer.ToString();
    }

    private static string WriteXml(IoTestResult result)
    {
        var writer = new StringWriter();
        DiskSpdFormat.WriteXml(writer, [result], form: DiskSpdOutputVersion.Version23);
        return writer.ToString();
    }

    [Theory]
    [MemberData(nameof(GetOutputs))]
    public void Synthetic_sample_matches_its_approved_values(string name)
    {
        var result = ReadSample(name);
        result.SourceFile = null;
        var dump = ResultDump.Format([result]);
        var approved = Path.Combine(
            SampleFiles.RepositoryRoot,
            "Tests",
            "IoBench.Formats.Tests",
            "DiskSpd",
            "Approved",
            "synthetic23-" + name + ".txt"
        );
        if (Environment.GetEnvironmentVariable("IOBENCH_APPROVE") == "1")
            File.WriteAllText(approved, dump);
        Assert.Equal(File.ReadAllText(approved).ReplaceLineEndings("\n"), dump);
    }

    [Theory]
    [MemberData(nameof(GetOutputs))]
    public void Synthetic_sample_has_no_unknown_line(string name) =>
        Assert.DoesNotContain(ReadSample(name).Warnings, w => w.Contains("Line ", StringComparison.Ordinal));

    [Theory]
    [MemberData(nameof(GetOutputs))]
    public void Written_text_equals_the_synthetic_sample(string name)
    {
        var original = File.ReadAllText(SampleFiles.GetPath(Folder, name + ".txt"));
        // Caches and the core type of threads are read but not written.
        original = Regex.Replace(original, @"\r\n  cache information:\r\n\r\n(    .*\r\n)+", "");
        original = Regex.Replace(original, @"NOTE: .*\r\n(      .*\r\n)+\r\n", "");
        Assert.Equal(original.Split("\r\n"), WriteText(ReadSample(name)).Split("\r\n"));
    }

    [Theory]
    [MemberData(nameof(GetOutputs))]
    public void Written_XML_preserves_the_synthetic_text(string name)
    {
        var text = ReadSample(name);
        var xml = WriteXml(text);
        Assert.Equal("2.3.0", XDocument.Parse(xml).Root!.Element("System")!.Element("Tool")!.Element("Version")!.Value);
        var again = Assert.Single(ReadXml(xml));
        Assert.Empty(again.Warnings.Except(text.Warnings));
        Assert.Equal(text.Specification!.GetOrAddOrigin().DiskSpd!.Version23, again.Specification!.GetOrAddOrigin().DiskSpd!.Version23);
        Assert.Equal(text.Specification!.Processors, again.Specification!.Processors);
        Assert.Equal(text.ToolDetails.GetValueOrDefault("Effective affinity"), again.ToolDetails.GetValueOrDefault("Effective affinity"));
        Assert.Equal(GetRows(text, "Wait statistics, lookaside"), GetRows(again, "Wait statistics, lookaside"));
        Assert.Equal(
            GetRows(text, "IoRing statistics").Where(r => !r.StartsWith("total", StringComparison.Ordinal)),
            GetRows(again, "IoRing statistics")
        );
        Assert.Equal((text.Host["processor name"], text.Host["page size"]), (again.Host["processor name"], again.Host["page size"]));
        Assert.Equal((text.IOCount, text.IOPS, text.P99Ms), (again.IOCount, Math.Round(again.IOPS!.Value, 2), again.P99Ms));
    }

    private static string[] GetRows(IoTestResult result, string table) => result.ToolDetails.GetValueOrDefault(table)?.Split('\n') ?? [];

    [Fact]
    public void XML_of_DiskSpd_2_3_is_read()
    {
        const string xml = """
            <Results>
              <System>
                <ComputerName>C</ComputerName>
                <ProcessorName>P 1</ProcessorName>
                <Tool><Version>2.3.0</Version><VersionDate>2026/09/04</VersionDate></Tool>
                <RunTime>2026/09/10 08:00:00 UTC</RunTime>
                <PageSize>4096</PageSize>
                <ProcessorTopology Heterogeneous="true">
                  <Group Group="0" MaximumProcessors="4" ActiveProcessors="4" ActiveProcessorMask="0xf"/>
                  <Core Group="0" Core="0" Mask="0x1" EfficiencyClass="0"/>
                  <Cache Level="1" Associativity="8" LineSize="64" CacheSize="32768" Type="Data"><Group Group="0" Mask="0x1"/></Cache>
                  <Cache Level="3" Associativity="16" LineSize="64" CacheSize="8388608" Type="Unified"><Group Group="0" Mask="0xf"/></Cache>
                </ProcessorTopology>
              </System>
              <Profile>
                <Progress>0</Progress><ResultFormat>xml</ResultFormat><Verbose>false</Verbose>
                <TimeSpans><TimeSpan>
                  <CompletionRoutines>false</CompletionRoutines><MeasureLatency>false</MeasureLatency><CalculateIopsStdDev>false</CalculateIopsStdDev>
                  <Duration>5</Duration><Warmup>1</Warmup><Cooldown>0</Cooldown><ThreadCount>0</ThreadCount><RequestCount>0</RequestCount>
                  <IoBucketDuration>1000</IoBucketDuration><RandSeed>0</RandSeed>
                  <IoRing><IoRingBatchSize Percent="true">50</IoRingBatchSize><UseRegBuffer>false</UseRegBuffer></IoRing>
                  <DisableAffinity>false</DisableAffinity>
                  <AffinityTraversal Group="Span" Efficiency="FillEFirst">CoreAware</AffinityTraversal>
                  <Affinity><Group Group="0" Mask="0x5"/><Group Group="1" Mask="0x0"/></Affinity>
                  <BufferSeparation>PDECacheLine</BufferSeparation>
                  <CompletionDepth>3</CompletionDepth>
                  <Targets><Target><Path>a.dat</Path><BlockSize>4096</BlockSize><DisableOSCache>true</DisableOSCache><BypassIO>Full</BypassIO><Random>4096</Random></Target></Targets>
                </TimeSpan></TimeSpans>
              </Profile>
              <TimeSpan>
                <TestTimeSeconds>5.00</TestTimeSeconds><ThreadCount>1</ThreadCount><RequestCount>0</RequestCount><ProcCount>4</ProcCount>
                <EffectiveBufferSeparation>16777216</EffectiveBufferSeparation>
                <EffectiveAffinity><Group Group="0" Mask="0x4"/></EffectiveAffinity>
                <HeterogeneousAffinityWarning>true</HeterogeneousAffinityWarning>
                <Thread><Id>0</Id><SubmitCount>50</SubmitCount>
                  <Target><Path>a.dat</Path><BytesCount>409600</BytesCount><FileSize>1048576</FileSize><IOCount>100</IOCount><ReadBytes>409600</ReadBytes><ReadCount>100</ReadCount><WriteBytes>0</WriteBytes><WriteCount>0</WriteCount></Target>
                  <WaitStatistics><CompletionWait>10</CompletionWait><ThrottleWait>0</ThrottleWait><ThrottleSleep>0</ThrottleSleep><Lookaside>7</Lookaside><WaitCompletion>1 2 3 4 5 6 7 8</WaitCompletion><LookasideCompletion>8 7 6 5 4 3 2 1</LookasideCompletion></WaitStatistics>
                </Thread>
              </TimeSpan>
            </Results>
            """;
        var result = Assert.Single(ReadXml(xml));
        Assert.Equal(["DiskSpd reported that threads ran on P-cores and on E-cores, so the results include both."], result.Warnings);
        Assert.Equal(("2.3.0", "P 1", "4KiB"), (result.ToolVersion, result.Host["processor name"], result.Host["page size"]));
        Assert.Equal(
            ("32KiB, lines of 64B, 8-way, CPU 0", "8MiB, lines of 64B, 16-way, CPU 0-3"),
            (result.Host["cache L1d"], result.Host["cache L3"])
        );
        Assert.Equal(
            new DiskSpd23Options
            {
                IoRingBatch = 50,
                IoRingBatchIsPercent = true,
                RegistersBuffers = false,
                BufferBoundary = 16777216,
                CompletionDepth = 3,
                IsCoreAware = true,
                SpansGroups = true,
                CoreOrder = DiskSpdCoreOrder.FillEFirst,
                WholeGroups = 2,
                BypassIO = DiskSpdBypass.Full,
            },
            result.Specification!.GetOrAddOrigin().DiskSpd!.Version23
        );
        Assert.Equal([0, 2], result.Specification!.Processors);
        Assert.Equal("(cpu): 2", result.ToolDetails["Effective affinity"]);
        Assert.Equal(100L, result.IOCount);
        var written = WriteXml(result);
        Assert.Equal(written, WriteXml(Assert.Single(ReadXml(written))));
        Assert.Equal(
            ["BufferSeparation", "CompletionDepth", "Targets"],
            XDocument.Parse(written).Descendants("TimeSpans").Elements("TimeSpan").Elements().Select(e => e.Name.LocalName).TakeLast(3)
        );
        foreach (
            var element in (string[])
                [
                    "<SubmitCount>50</SubmitCount>",
                    "<WaitCompletion>1 2 3 4 5 6 7 8</WaitCompletion>",
                    "<LookasideCompletion>8 7 6 5 4 3 2 1</LookasideCompletion>",
                    "<Group Group=\"1\" Mask=\"0x0\"/>",
                    "<BypassIO>Full</BypassIO>",
                ]
        )
            Assert.Contains(element, written, StringComparison.Ordinal);
    }

    [Fact]
    public void Rounded_whole_size_is_restored_from_the_command_line()
    {
        var text = File.ReadAllText(SampleFiles.GetPath(Folder, "01-plain.txt"))
            .Replace("block size: 4KiB", "block size: 2MiB")
            .Replace("-b4K", "-b2097151");
        Assert.Equal(2097151, Assert.Single(ReadText(text)).Specification!.BlockSize);
    }

    [Fact]
    public void Truncated_command_line_does_not_change_the_parameters()
    {
        var text = File.ReadAllText(SampleFiles.GetPath(Folder, "01-plain.txt"))
            .Replace("block size: 4KiB", "block size: 64KiB")
            .Replace("-b4K", "-b64");
        Assert.Equal(65536, Assert.Single(ReadText(text)).Specification!.BlockSize);
    }

    [Fact]
    public void Wait_statistics_are_converted_between_2_3_and_2_2_tables()
    {
        var result = ReadSample("03-affinity-targets");
        var writer = new StringWriter();
        DiskSpdFormat.WriteTextRun(writer, [result]);
        Assert.Contains(
            "     0 |           11810 |             0  -      0 |     12410 | 12370 38 2 0 0 0 0 0\r\n",
            writer.ToString(),
            StringComparison.Ordinal
        );
        var old = Assert.Single(ReadText(writer.ToString()));
        Assert.Equal("2.2", old.ToolVersion);
        Assert.Contains(
            "Wait Statistics - Completion Wait\r\nthread |         wait | 0 - 7+ complete per wait\r\n",
            WriteText(old),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Throttle_column_has_a_dash_for_threads_without_a_limit()
    {
        var result = ReadSample("03-affinity-targets");
        var waits = result.ToolDetails["Wait statistics, completion"].Split('\n');
        waits[0] = "thread |         wait | throttle wait  -  sleep | 0 - 7+ complete per wait";
        waits[1] = "0 |          100 |            50  -      5 | 0 90 0 0 0 0 0 0";
        for (var i = 2; i < waits.Length; i++)
            waits[i] = waits[i].Replace(" | 0 ", " |               ---       | 0 ", StringComparison.Ordinal);
        result.ToolDetails["Wait statistics, completion"] = string.Join('\n', waits);
        var text = WriteText(result);
        Assert.Contains(
            "     0 |          100 |            50  -      5 | 0 90 0 0 0 0 0 0\r\n     1 |        11795 |               ---       | 0 11195 600",
            text,
            StringComparison.Ordinal
        );
        Assert.Equal(waits, Assert.Single(ReadText(text)).ToolDetails["Wait statistics, completion"].Split('\n'));
    }

    [Theory]
    [InlineData(512, "512B")]
    [InlineData(4096, "4KiB")]
    [InlineData(12341234, "11.77MiB")]
    [InlineData(1L << 50, "1PiB")]
    [InlineData(2048000, "1.95MiB")]
    [InlineData(1572864, "1.5MiB")]
    [InlineData(2097151, "2MiB")]
    [InlineData(0, "0B")]
    public void Size_is_formatted_and_parsed_like_DiskSpd_2_3(long bytes, string text)
    {
        Assert.Equal(text, DiskSpdValueFormat.FormatSize23(bytes));
        Assert.True(DiskSpdValueFormat.TryParseSize(text, out var read, out _));
        Assert.InRange(read, bytes - (bytes / 200), bytes + (bytes / 200) + 1);
    }
}
