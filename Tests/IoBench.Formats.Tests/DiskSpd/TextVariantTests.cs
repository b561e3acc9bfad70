using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class TextVariantTests
{
    private static string Sample(string name) => File.ReadAllText(Samples.Path("diskspd-runs", name));

    private static List<IoTestResult> Read(string text) => [.. DiskSpdTextReader.Read(new StringReader(text), "test.txt")];

    private static void AssertSame(IoTestResult expected, IoTestResult actual)
    {
        actual.SourceLine = expected.SourceLine;
        Assert.Equal(ResultDump.Of([expected]), ResultDump.Of([actual]));
    }

    [Fact]
    public void Line_ends_blanks_for_tabs_and_dots_make_no_difference()
    {
        var text = Sample("v22-multi-si-L-D.out");
        var expected = Assert.Single(Read(text));
        AssertSame(expected, Assert.Single(Read(text.Replace("\r\n", "\n"))));
        AssertSame(expected, Assert.Single(Read(text.Replace("\r\n", "\r"))));
        AssertSame(expected, Assert.Single(Read(text.Replace("\t", "        "))));
        AssertSame(expected, Assert.Single(Read("\uFEFF.......................\n" + text)));
        AssertSame(expected, Assert.Single(Read("```\n" + text + "\n```\n")));
    }

    /// <summary>A console breaks each line that is longer than its width.</summary>
    [Theory]
    [InlineData(80)]
    [InlineData(120)]
    public void A_command_line_that_a_console_wrapped_is_whole(int width)
    {
        foreach (var folder in Enumerable.Range(30, 120).Select(length => @"T:\" + new string('f', length)))
        {
            var text = Sample("v22-mix-r-L.out").Replace(@"Z:\tmp\d", folder, StringComparison.Ordinal);
            var lines = text.ReplaceLineEndings("\n").Split('\n').ToList();
            var at = lines.FindIndex(line => line.StartsWith("Command Line:", StringComparison.Ordinal));
            var wrapped = lines[at].Chunk(width).Select(part => new string(part).TrimEnd());
            var copy = string.Join('\n', [.. lines.Take(at), .. wrapped, .. lines.Skip(at + 1)]);
            var (expected, result) = (Assert.Single(Read(text)), Assert.Single(Read(copy)));
            Assert.Equal(expected.Specification!.Origin().CommandLine, result.Specification!.Origin().CommandLine);
            Assert.Equal(expected.Warnings, result.Warnings);
            Assert.Equal(expected.Specification!.Targets[0].Path, result.Specification!.Targets[0].Path);
        }
    }

    [Fact]
    public void The_frame_of_a_transcript_is_no_part_of_a_run()
    {
        var expected = Assert.Single(Read(Sample("v22-mix-r-L.out")));
        var result = Assert.Single(
            Read(
                "**********************\nWindows PowerShell transcript start\nStart time: 20261121120000\nUsername: X\\y\n**********************\n"
                    + Sample("v22-mix-r-L.out")
                    + "\n**********************\nWindows PowerShell transcript end\nEnd time: 20261121120500\n**********************\n"
            )
        );
        AssertSame(expected, result);
    }

    /// <summary>Option -v of old versions prints more lines before the run than the format recognition reads.</summary>
    [Fact]
    public void A_line_for_each_IO_before_the_run_is_passed_over()
    {
        var verbose =
            "Generating requests for timespan 1.\r\ncreating thread 0\r\n"
            + string.Concat(Enumerable.Range(0, 5000).Select(i => $"t[0:0] new I/O op at {i * 8192} (starting in block: {i})\r\n"));
        var text = verbose + Sample("v21-B-f-T.out");
        Assert.True(verbose.Length > 2 * TextInput.HeadLength);
        Assert.True(DiskSpdTextReader.LooksLike(text[..TextInput.HeadLength]));
        AssertSame(Assert.Single(Read(Sample("v21-B-f-T.out"))), Assert.Single(Read(text)));
        var file = Path.GetTempFileName();
        File.WriteAllText(file, text);
        Assert.Equal(DiskSpdFormat.Source, Assert.Single(ResultReader.ReadFile(file)).Source);
        File.Delete(file);
    }

    [Fact]
    public void Rows_that_claim_more_than_a_count_holds_have_no_sum()
    {
        var text = Sample("v22-mix-r-L.out")
            .Replace("        13972 |", "9000000000000000000 |", StringComparison.Ordinal)
            .Replace("        42616 |", "9000000000000000000 |", StringComparison.Ordinal);
        var result = Assert.Single(Read(text));

        Assert.Equal([9000000000000000000, 9000000000000000000], result.Threads.Select(t => t.Total.IOCount!.Value));
        Assert.Equal(56588, Assert.Single(result.Targets).Total.IOCount);
    }

    [Fact]
    public void Runs_one_after_the_other_are_told_apart()
    {
        var text =
            Sample("v22-mix-r-L.out") + "\r\n" + Sample("v21-rdpct.out") + Sample("v22-err-nofile.out") + "\n" + Sample("v22-F-only.out");
        var results = Read(text);
        Assert.Equal([56588L, 33652L, null, 36064L], results.Select(r => r.IOCount));
        Assert.Equal(["2.2", "2.1", "2.2", "2.2"], results.Select(r => r.ToolVersion));
        Assert.Equal(
            [IoResultStatus.Complete, IoResultStatus.Complete, IoResultStatus.Incomplete, IoResultStatus.Complete],
            results.Select(r => r.Status)
        );
        var lines = text.Replace("\r\n", "\n").Split('\n');
        Assert.All(results, r => Assert.StartsWith("Command Line:", lines[r.SourceLine!.Value - 1]));
    }

    [Fact]
    public void A_prompt_and_warnings_of_the_console_stand_before_the_run()
    {
        var result = Assert.Single(
            Read(
                @"C:\test>diskspd -d1 -W0 -t2 T:\a.dat"
                    + "\r\nWARNING: target access pattern will not be sequential, consider -si\r\n"
                    + Sample("v22-B-f-T.out")
            )
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal("DiskSpd said: WARNING: target access pattern will not be sequential, consider -si", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Error_lines_explain_a_run_without_results()
    {
        var result = Assert.Single(Read(Sample("v22-err-nofile.err") + Sample("v22-err-nofile.out")));
        Assert.Equal((IoResultStatus.Failed, "IoBench.DiskSpdFailed"), (result.Status, result.ErrorId));
        Assert.Equal(
            @"Error opening file: T:\none.dat [2] There has been an error during threads execution Error generating I/O requests",
            result.ErrorMessage
        );
        Assert.Empty(result.Warnings);
    }

    [Theory]
    [InlineData("v22-err-badopt", "ERROR: invalid option: '-Q'")]
    [InlineData("v21-err-notarget", "ERROR: need to provide at least one filename")]
    public void Error_lines_alone_are_a_failed_run(string name, string message)
    {
        var result = Assert.Single(Read(Sample(name + ".err")));
        Assert.Equal((IoResultStatus.Failed, message), (result.Status, result.ErrorMessage));
    }

    [Fact]
    public void Errors_belong_to_their_own_run()
    {
        var results = Read(
            Sample("v22-F-only.out")
                + "\n"
                + @"C:\>diskspd -d1 -Q T:\a.dat"
                + "\n"
                + Sample("v22-err-badopt.err")
                + "\n"
                + @"C:\>diskspd ..."
                + "\n"
                + Sample("v22-mix-r-L.out")
        );
        Assert.Equal([IoResultStatus.Complete, IoResultStatus.Failed, IoResultStatus.Complete], results.Select(r => r.Status));
        Assert.Null(results[0].ErrorMessage);
        Assert.Empty(results[2].Warnings);
    }

    [Fact]
    public void Thousands_separators_are_undone()
    {
        var expected = Assert.Single(Read(Sample("v22-mix-r-L.out")));
        var text = Sample("v22-mix-r-L.out")
            .Replace("463568896", "463.568.896")
            .Replace("56588", "56,588")
            .Replace("18862.25", "18.862,25")
            .Replace("147.36", "147,36");
        AssertSame(expected, Assert.Single(Read(text)));
    }

    [Fact]
    public void A_line_that_is_not_understood_is_a_warning_with_its_number()
    {
        var text = Sample("v22-mix-r-L.out").Replace("\t\tburst size: 0\r\n", "\t\tburst size: 0\r\n\t\tusing a flux capacitor\r\n");
        var result = Assert.Single(Read(text));
        Assert.Equal("Line 16: 'using a flux capacitor' was not understood.", Assert.Single(result.Warnings));
        Assert.Equal(56588, result.IOCount);
    }

    [Fact]
    public void Every_cut_gives_one_result_that_is_whole_or_says_that_it_is_not()
    {
        var text = Sample("v22-multi-si-L-D.out");
        var whole = ResultDump.Of(Read(text));
        for (var length = text.IndexOf("Command Line", StringComparison.Ordinal) + 14; length < text.Length; length += 29)
        {
            var result = Assert.Single(Read(text[..length]));
            if (result.Status == IoResultStatus.Complete)
                Assert.True(length > text.LastIndexOf("max |", StringComparison.Ordinal), $"cut at {length} but Complete");
            else
                Assert.NotEqual(whole, ResultDump.Of([result]));
        }
    }

    [Fact]
    public void Timespans_are_results_of_their_own()
    {
        var one = Sample("v22-mix-r-L.out").Replace("\r\n", "\n");
        var parameters = one[
            (one.IndexOf("\ttimespan:", StringComparison.Ordinal))..one.IndexOf("System information", StringComparison.Ordinal)
        ];
        var results = one[one.IndexOf("Results for timespan 1", StringComparison.Ordinal)..];
        var text =
            one[..one.IndexOf("System information", StringComparison.Ordinal)]
            + parameters.Replace("timespan:   1", "timespan:   2").Replace("8KiB", "64KiB")
            + one[one.IndexOf("System information", StringComparison.Ordinal)..]
            + "\n"
            + results.Replace("timespan 1:", "timespan 2:").Replace("18862.25", "8862.25")
            + "\n\nTotals:\n"
            + new string('*', 79)
            + "\n\ntype   |       bytes     |     I/Os     |    MiB/s   |  I/O per s\n"
            + new string('-', 79)
            + "\nwrite  |       277970944 |        33932 |      44.18 |    5655.21\nread   |       649166848 |        79244 |     103.18 |   13207.04\n"
            + "total  |       927137792 |       113176 |     147.36 |   18862.25\n\ntotal test time:\t6.00s\n";
        var read = Read(text);
        Assert.Equal([18862.25, 8862.25], read.Select(r => r.IOPS!.Value));
        Assert.Equal([8.0, 64.0], read.Select(r => r.BlockSizeKB!.Value));
        Assert.All(read, r => Assert.Empty(r.Warnings));
        Assert.All(read, r => Assert.Equal(IoResultStatus.Complete, r.Status));
        Assert.True(read[1].SourceLine > read[0].SourceLine);
    }

    [Fact]
    public void Etw_and_wait_statistics_are_kept()
    {
        var text =
            Sample("v22-mix-r-L.out")
            + "\n\n\nETW:\n----\n\n\tDisk I/O\n\t\tRead: 12\n\t\tWrite: 3\n\nWait Statistics\n"
            + "thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside\n"
            + new string('-', 95)
            + "\n     0 |            9110 |             0  -      0 |         0 | 0 0 0 0 0 0 0 0\n";
        var result = Assert.Single(Read(text));
        Assert.Equal("Disk I/O\nRead: 12\nWrite: 3", result.ToolDetails["ETW"]);
        Assert.EndsWith(
            "0 |            9110 |             0  -      0 |         0 | 0 0 0 0 0 0 0 0",
            result.ToolDetails["Wait statistics"]
        );
        Assert.Empty(result.Warnings);
    }

    [Theory]
    [InlineData("using software and hardware cache", IoBuffering.Both)]
    [InlineData("software and hardware cache disabled", IoBuffering.None)]
    [InlineData("software cache disabled", IoBuffering.Hardware)]
    public void Version_2_0_11(string cache, IoBuffering buffering)
    {
        var text = $"""

            Command Line: diskspd -b64K -d10 -r -w30 -D c:\t\a b.dat

            Input parameters:

            	timespan:   1
            	-------------
            	duration: 10s
            	warm up time: 5s
            	cool down time: 0s
            	calculating IOPS stddev with bucket duration = 1000 milliseconds
            	random seed: 0
            	advanced affinity: 0, 1
            	path: 'c:\t\a b.dat'
            		think time: 0ms
            		burst size: 0
            		{cache}
            		performing mix test (write/read ratio: 30/100)
            		block size: 65536
            		using random I/O (alignment: 65536)
            		number of outstanding I/O operations: 2
            		stride size: 65536
            		thread stride size: 0
            		threads per file: 1
            		using I/O Completion Ports
            		IO priority: normal



            Results for timespan 1:
            *******************************************************************************

            actual test time:	10.00s
            thread count:		1
            proc count:		2

            """;
        var result = Assert.Single(Read(text));
        Assert.Equal(buffering, result.Buffering);
        Assert.Equal(
            (30, IoAccessPattern.Random, 64.0, @"c:\t\a b.dat"),
            (result.WritePercent, result.AccessPattern, result.BlockSizeKB, result.Path)
        );
        Assert.StartsWith("2.0.1", result.ToolVersion);
        Assert.Equal([0, 1], result.Specification!.Processors);
        Assert.True(result.Specification!.Origin().DiskSpd!.GatherIops);
        Assert.Null(result.Specification.Stride);
        Assert.Contains("no end of Total IO", Assert.Single(result.Warnings));
    }

    [Fact]
    public void What_is_not_a_result_says_so()
    {
        Assert.Equal("IoBench.EmptyFile", Assert.Throws<IoBenchException>(() => Read("")).ErrorId);
        Assert.Equal("IoBench.NoResults", Assert.Throws<IoBenchException>(() => Read(Sample("v22-usage.out"))).ErrorId);
        Assert.Equal("IoBench.UnknownFormat", Assert.Throws<IoBenchException>(() => Read("nothing\nof the kind\n")).ErrorId);
    }

    [Theory]
    [InlineData("v22-mix-r-L.out", true)]
    [InlineData("v22-err-nofile.out", true)]
    [InlineData("v22-usage.out", true)]
    [InlineData("v22-mix-r-L-D-xml.out", false)]
    [InlineData("v22-etw.out", false)]
    public void Texts_are_recognised(string name, bool expected) =>
        Assert.Equal(expected, DiskSpdTextReader.LooksLike(Sample(name)[..Math.Min(4096, Sample(name).Length)]));
}
