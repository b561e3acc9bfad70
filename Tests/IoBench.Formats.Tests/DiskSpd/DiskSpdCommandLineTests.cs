using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class DiskSpdCommandLineTests
{
    private static IoTestSpecification ParseLine(string line) => DiskSpdCommandLine.Parse(line.Split(' '), slashOptions: true);

    private static IoBenchException GetError(string line) => Assert.Throws<IoBenchException>(() => ParseLine(line));

    [Fact]
    public void Defaults_match_DiskSpd()
    {
        var s = ParseLine("a.dat");
        Assert.Equal((65536L, 1, 2, 0), (s.BlockSize, s.ThreadCount, s.OutstandingIO, s.WritePercent));
        Assert.Equal((IoAccessPattern.Sequential, 0L, null, null), (s.AccessPattern, s.ThreadStride, s.Stride, s.Alignment));
        Assert.Equal((10.0, 5.0, 0.0), (s.Duration.TotalSeconds, s.WarmUp.TotalSeconds, s.CoolDown.TotalSeconds));
        Assert.Equal((IoBuffering.Both, IoWriteContentKind.Pattern, 0UL), (s.Buffering, s.WriteContent, s.Seed));
        Assert.Equal((IoAffinityMode.RoundRobin, IoPriority.Normal), (s.AffinityMode, s.Priority));
        Assert.Null(s.FileSize);
        Assert.False(s.SharedThreadPool);
        Assert.Equal(
            (false, false, false),
            (s.GetOrAddOrigin().DiskSpd!.MeasureLatency, s.GetOrAddOrigin().DiskSpd!.GatherIops, s.GetOrAddOrigin().DiskSpd!.CreateFiles)
        );
        Assert.Equal("diskspd a.dat", s.GetOrAddOrigin().CommandLine);
        Assert.Equal("a.dat", Assert.Single(s.Targets).Path);
    }

    [Theory]
    [InlineData("-b8K", "BlockSize", 8192L)]
    [InlineData("/b1m", "BlockSize", 1L << 20)]
    [InlineData("-b5000", "BlockSize", 5000L)]
    [InlineData("-t16", "ThreadCount", 16)]
    [InlineData("-o32", "OutstandingIO", 32)]
    [InlineData("-w30", "WritePercent", 30)]
    [InlineData("-w0", "WritePercent", 0)]
    [InlineData("-r", "AccessPattern", IoAccessPattern.Random)]
    [InlineData("-r4K", "Alignment", 4096L)]
    [InlineData("-rs60", "AccessPattern", IoAccessPattern.PartRandom)]
    [InlineData("-rs60", "RandomPercent", 60)]
    [InlineData("-rs100", "AccessPattern", IoAccessPattern.Random)]
    [InlineData("-s", "AccessPattern", IoAccessPattern.Sequential)]
    [InlineData("-s2b", "Stride", 131072L)]
    [InlineData("-s0", "Stride", 0L)]
    [InlineData("-si", "AccessPattern", IoAccessPattern.Interlocked)]
    [InlineData("-si128K", "Stride", 131072L)]
    [InlineData("-Sh", "Buffering", IoBuffering.None)]
    [InlineData("-Suw", "Buffering", IoBuffering.None)]
    [InlineData("-h", "Buffering", IoBuffering.None)]
    [InlineData("-S", "Buffering", IoBuffering.Hardware)]
    [InlineData("-Su", "Buffering", IoBuffering.Hardware)]
    [InlineData("-Sw", "Buffering", IoBuffering.Software)]
    [InlineData("-Sbw", "Buffering", IoBuffering.Software)]
    [InlineData("-Sb", "Buffering", IoBuffering.Both)]
    [InlineData("-z42", "Seed", 42UL)]
    [InlineData("-c10G", "FileSize", 10L << 30)]
    [InlineData("-c3b", "FileSize", 3L * 65536)]
    [InlineData("-I1", "Priority", IoPriority.VeryLow)]
    [InlineData("-I2", "Priority", IoPriority.Low)]
    [InlineData("-l", "LargePages", true)]
    [InlineData("-p", "ParallelSameOffset", true)]
    [InlineData("-g100i", "MaxIopsPerThread", 100.0)]
    [InlineData("-g1000", "MaxBytesPerSecondPerThread", 1000000.0)]
    [InlineData("-fr", "RandomAccessHint", true)]
    [InlineData("-fst", "SequentialScanHint", true)]
    [InlineData("-fst", "TemporaryHint", true)]
    [InlineData("-n", "AffinityMode", IoAffinityMode.Off)]
    [InlineData("-ag", "AffinityMode", IoAffinityMode.RoundRobin)]
    [InlineData("-Z", "WriteContent", IoWriteContentKind.Zero)]
    [InlineData("-Zr", "WriteContent", IoWriteContentKind.Random)]
    [InlineData("-Z1M", "WriteContentSize", 1L << 20)]
    [InlineData("-Z1M", "WriteContent", IoWriteContentKind.Random)]
    [InlineData("-Z1M,c:\\x.bin", "WriteContentFile", "c:\\x.bin")]
    [InlineData("-Z1M,c:\\x.bin", "WriteContent", IoWriteContentKind.File)]
    [InlineData("-F4", "SharedThreadPool", true)]
    [InlineData("-F4", "ThreadCount", 4)]
    public void Option_sets_its_specification_property(string option, string property, object expected) =>
        Assert.Equal(expected, typeof(IoTestSpecification).GetProperty(property)!.GetValue(ParseLine(option + " a.dat")));

    [Fact]
    public void Time_interval_and_output_options_are_parsed()
    {
        var s = ParseLine("-d60 -W10 -C3 -D250 -L -x -v -vs -P -:1 a.dat");
        Assert.Equal(
            (60.0, 10.0, 3.0, 250.0),
            (s.Duration.TotalSeconds, s.WarmUp.TotalSeconds, s.CoolDown.TotalSeconds, s.TimelineInterval.TotalMilliseconds)
        );
        var d = s.GetOrAddOrigin().DiskSpd!;
        Assert.True(d.MeasureLatency && d.GatherIops && d.CompletionRoutines && d.Verbose && d.VerboseStatistics);
        Assert.Equal((65536, 1), (d.ProgressEvery, d.ExperimentFlags));
        Assert.Equal(1000, ParseLine("-D a.dat").TimelineInterval.TotalMilliseconds);
        Assert.Equal(500, ParseLine("-P500 a.dat").GetOrAddOrigin().DiskSpd!.ProgressEvery);
    }

    [Fact]
    public void Range_burst_pool_and_thread_stride_options_are_parsed()
    {
        var target = ParseLine("-B1G:2G a.dat").Targets[0];
        Assert.Equal((1L << 30, 3L << 30), (target.BaseOffset, target.MaxOffset));
        target = ParseLine("-b8K -B4b -f1M a.dat").Targets[0];
        Assert.Equal((32768L, 1L << 20), (target.BaseOffset, target.MaxOffset));
        var s = ParseLine("-i8 -j10 a.dat");
        Assert.Equal((8, 10), (s.BurstSize, s.ThinkTimeMs));
        s = ParseLine("-F3 -O8 a.dat b.dat");
        Assert.Equal((3, 8, 2), (s.ThreadCount, s.PoolOutstandingIO, s.Targets.Count));
        s = ParseLine("-t2 -T1M a.dat");
        Assert.Equal(1L << 20, s.ThreadStride);
        Assert.Null(ParseLine("-t2 -si a.dat").ThreadStride);
    }

    [Fact]
    public void Distribution_options_are_parsed()
    {
        var s = ParseLine("-r -rdpct90/10:0/10:5/20 a.dat");
        Assert.Equal([new(90, 10), new(0, 10), new(5, 20), new(5, 60)], s.Distribution);
        Assert.False(s.DistributionIsAbsolute);
        s = ParseLine("-b4K -r -rdabs90/10G:5/20G a.dat");
        Assert.Equal([new IoDistributionRange(90, 10L << 30), new IoDistributionRange(5, 20L << 30)], s.Distribution);
        Assert.True(s.DistributionIsAbsolute);
        Assert.Contains("-rs30", ParseLine("-rs30 -r4K -b4K a.dat").GetOrAddOrigin().CommandLine);
    }

    [Fact]
    public void Processors_are_numbered_across_groups()
    {
        Assert.Equal([0, 2], ParseLine("-a0,2 a.dat").Processors);
        Assert.Equal([0, 1, 64, 65], ParseLine("-ag0,0,1,g1,0,1 a.dat").Processors);
        Assert.Equal([0, 1, 66], ParseLine("-a0,1 -ag1,2 a.dat").Processors);
        Assert.Empty(ParseLine("-a a.dat").Processors);
    }

    [Fact]
    public void Drives_and_volumes_are_converted_to_device_names()
    {
        var s = ParseLine("-d1 #2 E: c:\\a.dat");
        Assert.Equal([@"\\.\PhysicalDrive2", @"\\.\E:", @"c:\a.dat"], s.Targets.Select(t => t.Path));
        Assert.Contains("-c creates files, and '", GetError("-c1G #2").Message);
    }

    [Theory]
    [InlineData("-F2 -t2 a.dat", "-F and -t")]
    [InlineData("-g100 -x a.dat", "completion routines")]
    [InlineData("-i8 a.dat", "-i (I/Os per burst) and -j (milliseconds between bursts) must be specified together")]
    [InlineData("-j8 a.dat", "-i (I/Os per burst) and -j (milliseconds between bursts) must be specified together")]
    [InlineData("-F2 -O4 -g100 a.dat", "-g cannot be used with -O")]
    [InlineData("-F2 -O4 -i1 -j1 a.dat", "-j cannot be used with -O")]
    [InlineData("-F2 -O4 -p a.dat", "-p cannot be used with -O")]
    [InlineData("-r -t2 -T1M a.dat", "-T conflicts with -r")]
    [InlineData("-si -T1M -t2 a.dat", "-si conflicts with -T")]
    [InlineData("-si -p a.dat", "-si conflicts with -p")]
    [InlineData("-r -p a.dat", "-p conflicts with -r")]
    [InlineData("-T1M a.dat", "-T has no effect")]
    [InlineData("-n -a0 a.dat", "-n and -a")]
    [InlineData("-s -r a.dat", "conflicts with random")]
    [InlineData("-r -s a.dat", "conflicts with random")]
    [InlineData("-s -rs50 a.dat", "alignment of mixed")]
    [InlineData("-r -r4K a.dat", "only once")]
    [InlineData("-rs0 a.dat", "1 to 100")]
    [InlineData("-rs a.dat", "1 to 100")]
    [InlineData("-w101 a.dat", "0 to 100")]
    [InlineData("-w a.dat", "requires the percentage")]
    [InlineData("-Sb -Su a.dat", "conflicts with an earlier option")]
    [InlineData("-h -Su a.dat", "conflicts with an earlier option")]
    [InlineData("-Sq a.dat", "use b, h, m, r, u, w, y, or Y after -S.")]
    [InlineData("-rdpct90/10 a.dat", "-rd requires random I/O")]
    [InlineData("-r -rdpct50/100 a.dat", "the parts cover the whole target, but")]
    [InlineData("-r -rdpct90/10:20/20 a.dat", "add up to 110")]
    [InlineData("-r -rdabs90/1K a.dat", "smaller than a block")]
    [InlineData("-r -rdfoo a.dat", "pct or abs")]
    [InlineData("-Z1K a.dat", "smaller than a block")]
    [InlineData("-B2G -f1G a.dat", "the end of the range (-f) must be after the start of the range (-B)")]
    [InlineData("-B1G:1G -f4G a.dat", "only once")]
    [InlineData("-d10", "at least one file")]
    [InlineData("-Q a.dat", "is not an option of DiskSpd")]
    [InlineData("a.dat -d10", "before the targets")]
    [InlineData("-bx a.dat", "the block size is invalid. Use bytes or a number with K or M, for example -b8K.")]
    [InlineData("-b8Q a.dat", "the block size is invalid. Use bytes or a number with K or M, for example -b8K.")]
    [InlineData("-o0 a.dat", "1 or more")]
    [InlineData("-t0 a.dat", "1 or more")]
    [InlineData("-I4 a.dat", "1 (very low)")]
    [InlineData("-R a.dat", "text, xml")]
    [InlineData("-Rcsv a.dat", "text, xml")]
    [InlineData("-zx a.dat", "0 to 4294967295")]
    [InlineData(
        "-a0,x a.dat",
        "specify CPUs as numbers or ranges, separated by commas, and groups with g: -a0,1, -a0-3, or -ag0,0,1,g1,0,1."
    )]
    [InlineData("-a64 a.dat", "0 to 63")]
    [InlineData("-g10x a.dat", "bytes per millisecond")]
    [InlineData("-T0 -t2 a.dat", "more than 0")]
    [InlineData("-r0 a.dat", "more than 0")]
    [InlineData("*1", "template")]
    [InlineData("-Xa.xml -b8K a.dat", "cannot be combined with a profile (-X). Only -v, -z, -R, -W, -d, -C, and targets can.")]
    public void Options_that_DiskSpd_rejects_throw(string line, string part)
    {
        var error = GetError(line);
        Assert.Equal(("IoBench.InvalidCommandLine", IoErrorKind.Usage), (error.ErrorId, error.Kind));
        Assert.Contains(part, error.Message);
        Assert.StartsWith("diskspd: ", error.Message);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Theory]
    [InlineData("-ePROCESS a.dat", "-ePROCESS")]
    [InlineData("-ysEvent a.dat", "-ysEvent")]
    [InlineData("-yeEvent", "-yeEvent")]
    [InlineData("-Sm a.dat", "-Sm")]
    [InlineData("-Nv a.dat", "-Nv")]
    [InlineData("-Sr a.dat", "-Sr")]
    public void Unsupported_options_throw_with_the_option_name(string line, string option)
    {
        var error = GetError(line);
        Assert.Equal("IoBench.NotSupported", error.ErrorId);
        Assert.Contains(option, error.Message);
    }

    [Fact]
    public void Options_without_effect_have_a_note()
    {
        Assert.Contains("-si has no effect", ParseLine("-si a.dat").GetOrAddOrigin().DiskSpd!.Note);
        Assert.Contains("same blocks", ParseLine("-t2 a.dat").GetOrAddOrigin().DiskSpd!.Note);
        Assert.Contains("-O has no effect", ParseLine("-O4 a.dat").GetOrAddOrigin().DiskSpd!.Note);
        Assert.Equal(
            (10.0, "-W10s: IoBench uses 10, as DiskSpd does."),
            (ParseLine("-W10s a.dat").WarmUp.TotalSeconds, ParseLine("-W10s a.dat").GetOrAddOrigin().DiskSpd!.Note)
        );
        Assert.Equal(0, ParseLine("-dabc a.dat").Duration.TotalSeconds);
        Assert.Null(ParseLine("-t2 -si a.dat").GetOrAddOrigin().DiskSpd!.Note);
    }

    [Fact]
    public void Usage_result_format_and_redirection_are_parsed()
    {
        Assert.True(DiskSpdCommandLine.ParseCall([]).ShowsUsage);
        Assert.True(DiskSpdCommandLine.ParseCall(["-?"]).ShowsUsage);
        Assert.Equal(ResultFormat.DiskSpdXml, DiskSpdCommandLine.ParseCall(["-Rxml", "a.dat"]).ResultFormat);
        var call = DiskSpdCommandLine.ParseCall(["-Rptext", "a.dat"]);
        Assert.Equal((ResultFormat.DiskSpd, true), (call.ResultFormat, call.ProfileOnly));
        var s = DiskSpdCommandLine.ParseLine(@"""C:\Program Files\diskspd.exe"" -b8K ""d:\my dir\a.dat"" >> out.txt 2>&1").Specifications[
            0
        ];
        Assert.Equal((8192L, @"d:\my dir\a.dat", "out.txt"), (s.BlockSize, s.Targets[0].Path, s.GetOrAddOrigin().OutputFile));
    }

    [Fact]
    public void Slash_starts_a_path_or_an_option_depending_on_the_system()
    {
        Assert.Equal("/data/t.dat", DiskSpdCommandLine.Parse(["-b8K", "/data/t.dat"], slashOptions: false).Targets[0].Path);
        Assert.Equal(8192, DiskSpdCommandLine.Parse(["/b8K", "a.dat"], slashOptions: true).BlockSize);
    }

    [Fact]
    public void Line_with_a_rooted_path_and_a_slash_option_is_parsed()
    {
        var given = Assert.Single(DiskSpdCommandLine.ParseLine("diskspd -d1 /b8K /data/t.dat").Specifications);
        Assert.Equal("/data/t.dat", Assert.Single(given.Targets).Path);
        Assert.Equal(8192, given.BlockSize);
        Assert.Equal(TimeSpan.FromSeconds(1), given.Duration);
    }

    [Fact]
    public void Sample_command_lines_match_their_outputs()
    {
        foreach (var file in Directory.GetFiles(SampleFiles.GetPath("diskspd-runs"), "*.out").Where(f => !f.Contains("xml")))
        {
            var text = File.ReadAllText(file);
            if (!text.Contains("Command Line:"))
                continue;
            var result = DiskSpdSampleTests.ReadSample(Path.GetFileNameWithoutExtension(file))[0];
            var given = ParseLine(result.Specification!.GetOrAddOrigin().CommandLine!["diskspd.exe ".Length..]);
            var read = result.Specification!;
            given.GetOrAddOrigin().CommandLine = read.GetOrAddOrigin().CommandLine;
            given.ThreadTimelines = read.ThreadTimelines;
            given.GetOrAddOrigin().DiskSpd!.Note = null;
            // A seed from the clock differs between calls.
            if (read.GetOrAddOrigin().CommandLine!.Contains("-z "))
                given.Seed = read.Seed;
            // The text contains the remainder of a distribution, but not the thread stride of a random run.
            Assert.Equal(
                ResultDump.Format([new IoTestResult { Specification = read }]),
                ResultDump.Format([new IoTestResult { Specification = given }])
            );
        }
    }

    [Fact]
    public void Documented_DiskSpd_commands_are_parsed()
    {
        var lines = File.ReadAllLines(SampleFiles.GetPath("documents", "diskspd-commands.txt")).Where(l => l.Length > 0).ToList();
        Assert.Equal(8, lines.Count);
        var all = lines.ConvertAll(l => DiskSpdCommandLine.ParseLine(l).Specifications[0]);
        Assert.All(
            all,
            s =>
                Assert.Equal(
                    (15.0, IoBuffering.None, true),
                    (s.Duration.TotalSeconds, s.Buffering, s.GetOrAddOrigin().DiskSpd!.MeasureLatency)
                )
        );
        Assert.Equal(
            (1, 1, 61440L, 100, @"C:\TEST\iotest.dat"),
            (all[0].OutstandingIO, all[0].ThreadCount, all[0].BlockSize, all[0].WritePercent, all[0].Targets[0].Path)
        );
        Assert.Equal((IoAccessPattern.Interlocked, 524288L), (all[5].AccessPattern, all[5].BlockSize));
    }

    [Theory]
    [InlineData("diskspd -d1 /x.dat", "/x.dat")]
    [InlineData("diskspd /d1 /data/x", "/data/x")]
    [InlineData("diskspd /d1 /b8K x.dat", "x.dat")]
    public void Path_below_the_root_is_not_an_option(string line, string path) =>
        Assert.Equal(path, Assert.Single(DiskSpdCommandLine.ParseLine(line).Specifications[0].Targets).Path);
}
