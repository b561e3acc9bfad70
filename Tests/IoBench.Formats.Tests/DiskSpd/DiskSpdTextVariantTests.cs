using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class DiskSpdTextVariantTests
{
    private static string ReadSample(string name) => File.ReadAllText(SampleFiles.GetPath("diskspd-runs", name));

    private static List<IoTestResult> ReadText(string text) => [.. DiskSpdFormat.ReadText(new StringReader(text), "test.txt")];

    private static void AssertSame(IoTestResult expected, IoTestResult actual)
    {
        actual.SourceLine = expected.SourceLine;
        Assert.Equal(ResultDump.Format([expected]), ResultDump.Format([actual]));
    }

    [Fact]
    public void Line_ends_spaces_for_tabs_and_dots_do_not_change_the_result()
    {
        var text = ReadSample("v22-multi-si-L-D.out");
        var expected = Assert.Single(ReadText(text));
        AssertSame(expected, Assert.Single(ReadText(text.Replace("\r\n", "\n"))));
        AssertSame(expected, Assert.Single(ReadText(text.Replace("\r\n", "\r"))));
        AssertSame(expected, Assert.Single(ReadText(text.Replace("\t", "        "))));
        AssertSame(expected, Assert.Single(ReadText("\uFEFF.......................\n" + text)));
        AssertSame(expected, Assert.Single(ReadText("```\n" + text + "\n```\n")));
    }

    /// <summary>A console breaks each line that is longer than its width.</summary>
    [Theory]
    [InlineData(80)]
    [InlineData(120)]
    public void Command_line_wrapped_by_a_console_is_joined(int width)
    {
        foreach (var folder in Enumerable.Range(30, 120).Select(length => @"T:\" + new string('f', length)))
        {
            var text = ReadSample("v22-mix-r-L.out").Replace(@"Z:\tmp\d", folder, StringComparison.Ordinal);
            var lines = text.ReplaceLineEndings("\n").Split('\n').ToList();
            var at = lines.FindIndex(line => line.StartsWith("Command Line:", StringComparison.Ordinal));
            var wrapped = lines[at].Chunk(width).Select(part => new string(part).TrimEnd());
            var copy = string.Join('\n', [.. lines.Take(at), .. wrapped, .. lines.Skip(at + 1)]);
            var (expected, result) = (Assert.Single(ReadText(text)), Assert.Single(ReadText(copy)));
            Assert.Equal(expected.Specification!.GetOrAddOrigin().CommandLine, result.Specification!.GetOrAddOrigin().CommandLine);
            Assert.Equal(expected.Warnings, result.Warnings);
            Assert.Equal(expected.Specification!.Targets[0].Path, result.Specification!.Targets[0].Path);
        }
    }

    [Fact]
    public void PowerShell_transcript_header_and_footer_are_ignored()
    {
        var expected = Assert.Single(ReadText(ReadSample("v22-mix-r-L.out")));
        var result = Assert.Single(
            ReadText(
                "**********************\nWindows PowerShell transcript start\nStart time: 20261121120000\nUsername: X\\y\n**********************\n"
                    + ReadSample("v22-mix-r-L.out")
                    + "\n**********************\nWindows PowerShell transcript end\nEnd time: 20261121120500\n**********************\n"
            )
        );
        AssertSame(expected, result);
    }

    /// <summary>Option -v of old versions prints more lines before the run than the format recognition reads.</summary>
    [Fact]
    public void Verbose_lines_before_the_run_are_skipped()
    {
        var verbose =
            "Generating requests for timespan 1.\r\ncreating thread 0\r\n"
            + string.Concat(Enumerable.Range(0, 5000).Select(i => $"t[0:0] new I/O op at {i * 8192} (starting in block: {i})\r\n"));
        var text = verbose + ReadSample("v21-B-f-T.out");
        Assert.True(verbose.Length > 2 * TextInput.HeadLength);
        Assert.True(DiskSpdFormat.LooksLikeText(text[..TextInput.HeadLength]));
        AssertSame(Assert.Single(ReadText(ReadSample("v21-B-f-T.out"))), Assert.Single(ReadText(text)));
        var file = Path.GetTempFileName();
        File.WriteAllText(file, text);
        Assert.Equal(DiskSpdFormat.Source, Assert.Single(ResultReader.ReadFile(file)).Source);
        File.Delete(file);
    }

    [Fact]
    public void Row_counts_that_overflow_are_not_added_up()
    {
        var text = ReadSample("v22-mix-r-L.out")
            .Replace("        13972 |", "9000000000000000000 |", StringComparison.Ordinal)
            .Replace("        42616 |", "9000000000000000000 |", StringComparison.Ordinal);
        var result = Assert.Single(ReadText(text));

        Assert.Equal([9000000000000000000, 9000000000000000000], result.Threads.Select(t => t.Total.IOCount!.Value));
        Assert.Equal(56588, Assert.Single(result.Targets).Total.IOCount);
    }

    [Fact]
    public void Successive_runs_are_separate_results()
    {
        var text =
            ReadSample("v22-mix-r-L.out")
            + "\r\n"
            + ReadSample("v21-rdpct.out")
            + ReadSample("v22-err-nofile.out")
            + "\n"
            + ReadSample("v22-F-only.out");
        var results = ReadText(text);
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
    public void Prompt_and_console_warnings_before_the_run_are_read()
    {
        var result = Assert.Single(
            ReadText(
                @"C:\test>diskspd -d1 -W0 -t2 T:\a.dat"
                    + "\r\nWARNING: target access pattern will not be sequential, consider -si\r\n"
                    + ReadSample("v22-B-f-T.out")
            )
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Equal("DiskSpd said: WARNING: target access pattern will not be sequential, consider -si", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Error_lines_are_the_error_message_of_a_failed_run()
    {
        var result = Assert.Single(ReadText(ReadSample("v22-err-nofile.err") + ReadSample("v22-err-nofile.out")));
        Assert.Equal((IoResultStatus.Failed, "IoBench.DiskSpdFailed"), (result.Status, result.ErrorId));
        Assert.Equal(
            @"Error opening file: T:\none.dat [2] There has been an error during threads execution Error generating I/O requests (Windows error codes: 2 = file not found.)",
            result.ErrorMessage
        );
        Assert.Empty(result.Warnings);
    }

    [Theory]
    [InlineData("v22-err-badopt", "ERROR: invalid option: '-Q'")]
    [InlineData("v21-err-notarget", "ERROR: need to provide at least one filename")]
    public void Error_lines_without_output_are_a_failed_run(string name, string message)
    {
        var result = Assert.Single(ReadText(ReadSample(name + ".err")));
        Assert.Equal((IoResultStatus.Failed, message), (result.Status, result.ErrorMessage));
    }

    [Fact]
    public void Error_lines_belong_to_their_own_run()
    {
        var results = ReadText(
            ReadSample("v22-F-only.out")
                + "\n"
                + @"C:\>diskspd -d1 -Q T:\a.dat"
                + "\n"
                + ReadSample("v22-err-badopt.err")
                + "\n"
                + @"C:\>diskspd ..."
                + "\n"
                + ReadSample("v22-mix-r-L.out")
        );
        Assert.Equal([IoResultStatus.Complete, IoResultStatus.Failed, IoResultStatus.Complete], results.Select(r => r.Status));
        Assert.Null(results[0].ErrorMessage);
        Assert.Empty(results[2].Warnings);
    }

    [Fact]
    public void Thousands_separators_are_removed()
    {
        var expected = Assert.Single(ReadText(ReadSample("v22-mix-r-L.out")));
        var text = ReadSample("v22-mix-r-L.out")
            .Replace("463568896", "463.568.896")
            .Replace("56588", "56,588")
            .Replace("18862.25", "18.862,25")
            .Replace("147.36", "147,36");
        AssertSame(expected, Assert.Single(ReadText(text)));
    }

    [Fact]
    public void Unknown_line_has_a_warning_with_its_number()
    {
        var text = ReadSample("v22-mix-r-L.out").Replace("\t\tburst size: 0\r\n", "\t\tburst size: 0\r\n\t\tusing a flux capacitor\r\n");
        var result = Assert.Single(ReadText(text));
        Assert.Equal("Line 16: 'using a flux capacitor' could not be read.", Assert.Single(result.Warnings));
        Assert.Equal(56588, result.IOCount);
    }

    [Fact]
    public void Text_truncated_anywhere_is_complete_or_marked_incomplete()
    {
        var text = ReadSample("v22-multi-si-L-D.out");
        var whole = ResultDump.Format(ReadText(text));
        for (var length = text.IndexOf("Command Line", StringComparison.Ordinal) + 14; length < text.Length; length += 29)
        {
            var result = Assert.Single(ReadText(text[..length]));
            if (result.Status == IoResultStatus.Complete)
                Assert.True(length > text.LastIndexOf("max |", StringComparison.Ordinal), $"cut at {length} but Complete");
            else
                Assert.NotEqual(whole, ResultDump.Format([result]));
        }
    }

    [Fact]
    public void Each_timespan_is_a_result()
    {
        var one = ReadSample("v22-mix-r-L.out").Replace("\r\n", "\n");
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
        var read = ReadText(text);
        Assert.Equal([18862.25, 8862.25], read.Select(r => r.IOPS!.Value));
        Assert.Equal([8.0, 64.0], read.Select(r => r.BlockSizeKB!.Value));
        Assert.All(read, r => Assert.Empty(r.Warnings));
        Assert.All(read, r => Assert.Equal(IoResultStatus.Complete, r.Status));
        Assert.True(read[1].SourceLine > read[0].SourceLine);
    }

    [Fact]
    public void ETW_and_wait_statistics_are_tool_details()
    {
        var text =
            ReadSample("v22-mix-r-L.out")
            + "\n\n\nETW:\n----\n\n\tDisk I/O\n\t\tRead: 12\n\t\tWrite: 3\n\nWait Statistics\n"
            + "thread | completion wait | throttle wait  -  sleep | lookaside | 0 - 7+ complete per lookaside\n"
            + new string('-', 95)
            + "\n     0 |            9110 |             0  -      0 |         0 | 0 0 0 0 0 0 0 0\n";
        var result = Assert.Single(ReadText(text));
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
    public void Output_of_version_2_0_11_is_read(string cache, IoBuffering buffering)
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
        var result = Assert.Single(ReadText(text));
        Assert.Equal(buffering, result.Buffering);
        Assert.Equal(
            (30, IoAccessPattern.Random, 64.0, @"c:\t\a b.dat"),
            (result.WritePercent, result.AccessPattern, result.BlockSizeKB, result.Path)
        );
        Assert.StartsWith("2.0.1", result.ToolVersion);
        Assert.Equal([0, 1], result.Specification!.Processors);
        Assert.True(result.Specification!.GetOrAddOrigin().DiskSpd!.GatherIops);
        Assert.Null(result.Specification.Stride);
        Assert.Contains("These sections are missing or incomplete: Total IO", Assert.Single(result.Warnings));
    }

    [Fact]
    public void Text_without_a_result_throws()
    {
        Assert.Equal("IoBench.EmptyFile", Assert.Throws<IoBenchException>(() => ReadText("")).ErrorId);
        Assert.Equal("IoBench.NoResults", Assert.Throws<IoBenchException>(() => ReadText(ReadSample("v22-usage.out"))).ErrorId);
        Assert.Equal("IoBench.UnknownFormat", Assert.Throws<IoBenchException>(() => ReadText("nothing\nof the kind\n")).ErrorId);
    }

    [Theory]
    [InlineData("v22-mix-r-L.out", true)]
    [InlineData("v22-err-nofile.out", true)]
    [InlineData("v22-usage.out", true)]
    [InlineData("v22-mix-r-L-D-xml.out", false)]
    [InlineData("v22-etw.out", false)]
    public void DiskSpd_text_is_recognized(string name, bool expected) =>
        Assert.Equal(expected, DiskSpdFormat.LooksLikeText(ReadSample(name)[..Math.Min(4096, ReadSample(name).Length)]));
}
