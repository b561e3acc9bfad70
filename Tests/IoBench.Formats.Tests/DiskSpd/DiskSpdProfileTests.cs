using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class DiskSpdProfileTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private const string TwoSpans = """
        <?xml version="1.0" encoding="utf-8"?>
        <!-- two workloads -->
        <Profile>
          <ResultFormat>xml</ResultFormat>
          <TimeSpans>
            <TimeSpan>
              <Duration>60</Duration><Warmup>10</Warmup><Cooldown>2</Cooldown><RandSeed>7</RandSeed>
              <MeasureLatency>true</MeasureLatency><CalculateIopsStdDev>true</CalculateIopsStdDev><IoBucketDuration>500</IoBucketDuration>
              <Affinity><AffinityGroupAssignment Group="1" Processor="3"/></Affinity>
              <Targets>
                <Target>
                  <Path>*1</Path><BlockSize>8192</BlockSize><Random>8192</Random><RequestCount>16</RequestCount><ThreadsPerFile>4</ThreadsPerFile>
                  <WriteRatio>30</WriteRatio><DisableOSCache>true</DisableOSCache><WriteThrough>true</WriteThrough><FileSize>1073741824</FileSize>
                  <Throughput unit="IOPS">200</Throughput>
                </Target>
                <Target>
                  <Path>D:\log &amp; more.ldf2</Path><BlockSize>61440</BlockSize><StrideSize>61440</StrideSize><InterlockedSequential>true</InterlockedSequential>
                  <RequestCount>1</RequestCount><ThreadsPerFile>1</ThreadsPerFile><WriteRatio>100</WriteRatio><FileSize>1073741824</FileSize>
                  <WriteBufferContent><Pattern>random</Pattern><RandomDataSource><SizeInBytes>1048576</SizeInBytes></RandomDataSource></WriteBufferContent>
                </Target>
              </Targets>
            </TimeSpan>
            <TimeSpan>
              <ThreadCount>3</ThreadCount><RequestCount>8</RequestCount>
              <Targets><Target><Path>*2</Path><Random>4096</Random><RandomRatio>40</RandomRatio>
                <Distribution><Percent><Range IO="90">10</Range><Range IO="10">90</Range></Percent></Distribution><Weight>5</Weight></Target></Targets>
            </TimeSpan>
          </TimeSpans>
        </Profile>
        """;

    private static IReadOnlyList<IoTestSpecification> ReadProfile(string text, params string[] targets) =>
        DiskSpdProfile.Read(new StringReader(text), "p.xml", targets);

    [Fact]
    public void Timespans_are_converted_to_specifications()
    {
        var all = ReadProfile(TwoSpans, "X:\\1.dat", "X:\\2.dat");
        Assert.Equal(2, all.Count);
        var (one, two) = (all[0], all[1]);
        Assert.Equal(
            (60.0, 10.0, 2.0, 7UL, 500.0),
            (
                one.Duration.TotalSeconds,
                one.WarmUp.TotalSeconds,
                one.CoolDown.TotalSeconds,
                one.Seed,
                one.TimelineInterval.TotalMilliseconds
            )
        );
        Assert.Equal([67], one.Processors);
        Assert.Equal(["X:\\1.dat", "D:\\log & more.ldf2"], one.Targets.Select(t => t.Path));
        Assert.Null(one.Targets[0].Pattern);
        Assert.Equal(
            (8192L, 16, 4, 30, IoAccessPattern.Random, IoBuffering.None, 200.0),
            (one.BlockSize, one.OutstandingIO, one.ThreadCount, one.WritePercent, one.AccessPattern, one.Buffering, one.MaxIopsPerThread)
        );
        var log = one.Targets[1].Pattern!;
        Assert.Equal(
            (61440L, 1, 100, IoAccessPattern.Interlocked, IoBuffering.Both, IoWriteContentKind.Random, 1048576L),
            (log.BlockSize, log.OutstandingIO, log.WritePercent, log.AccessPattern, log.Buffering, log.WriteContent, log.WriteContentSize)
        );
        Assert.Equal(1L << 30, one.Targets[1].FileSize);
        Assert.Equal(
            (true, 3, 8, 10.0, 5.0),
            (two.SharedThreadPool, two.ThreadCount, two.PoolOutstandingIO, two.Duration.TotalSeconds, two.WarmUp.TotalSeconds)
        );
        Assert.Equal(
            (IoAccessPattern.PartRandom, 40, 65536L, 4096L, 5),
            (two.AccessPattern, two.RandomPercent, two.BlockSize, two.Alignment, two.Weight)
        );
        Assert.Equal([new(90, 10), new IoDistributionRange(10, 90)], two.Distribution);
    }

    [Fact]
    public void Command_line_overrides_times_and_targets_of_a_profile()
    {
        File.WriteAllText(_file, TwoSpans);
        var call = DiskSpdCommandLine.ParseCall(["-d5", "-W0", "-z9", "-X" + _file, "a.dat", "b.dat"]);
        Assert.Equal(ResultFormat.DiskSpdXml, call.ResultFormat);
        Assert.All(call.Specifications, s => Assert.Equal((5.0, 0.0, 9UL), (s.Duration.TotalSeconds, s.WarmUp.TotalSeconds, s.Seed)));
        Assert.Equal("b.dat", call.Specifications[1].Targets[0].Path);
        var error = Assert.Throws<IoBenchException>(() => DiskSpdCommandLine.ParseCall(["-X" + _file, "a.dat"]));
        Assert.Contains("'*2' has no path", error.Message);
        Assert.Equal(2, CommandLineReader.ReadFile(_file).Specifications.Count);
    }

    [Fact]
    public void Profile_printed_by_DiskSpd_equals_its_command_line()
    {
        var read = Assert.Single(ReadProfile(File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v21-Rpxml.out"))));
        var given = DiskSpdCommandLine.Parse(["-b8K", "-r", "-w30", "-o8", "-t4", "-L", "-D", @"T:\a.dat"]);
        (given.GetOrAddOrigin().CommandLine, read.GetOrAddOrigin().SourceFile, read.GetOrAddOrigin().SourceLine) = (null, null, null);
        Assert.Equal(
            ResultDump.Format([new IoTestResult { Specification = given }]),
            ResultDump.Format([new IoTestResult { Specification = read }])
        );
    }

    [Theory]
    [InlineData("<Path>*1</Path>", "<Path>*1</Path><Frobnicate>1</Frobnicate>", "<Frobnicate> is unknown", "IoBench.InvalidProfile")]
    [InlineData("<BlockSize>8192</BlockSize>", "<BlockSize>8K</BlockSize>", "which is not a size", "IoBench.InvalidProfile")]
    [InlineData(
        "<Weight>5</Weight>",
        "<SequentialScan>abc</SequentialScan>",
        "<SequentialScan> is 'abc', which is neither true nor false",
        "IoBench.InvalidProfile"
    )]
    [InlineData("<WriteRatio>30</WriteRatio>", "<WriteRatio>130</WriteRatio>", "is not a percentage", "IoBench.InvalidProfile")]
    [InlineData("<Path>*1</Path>", "", "has no <Path>", "IoBench.InvalidProfile")]
    [InlineData("<Weight>5</Weight>", "<ThreadTargets/>", "does not support", "IoBench.NotSupported")]
    [InlineData(
        "<Weight>5</Weight>",
        "<MemoryMappedIo>true</MemoryMappedIo>",
        "does not support memory-mapped I/O",
        "IoBench.NotSupported"
    )]
    [InlineData("</Profile>", "", "<Profile> is incomplete or malformed", "IoBench.InvalidProfile")]
    [InlineData("<?xml version=\"1.0\" encoding=\"utf-8\"?>", "<!DOCTYPE x>", "document type", "IoBench.InvalidXml")]
    [InlineData("Profile>", "Other>", "no <Profile>", "IoBench.InvalidProfile")]
    public void Unsupported_profile_element_throws_with_the_file_name(string old, string replacement, string part, string id)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadProfile(TwoSpans.Replace(old, replacement), "a", "b"));
        Assert.Contains(part, error.Message);
        Assert.Contains("p.xml", error.Message);
        Assert.Equal(id, error.ErrorId);
    }
}
