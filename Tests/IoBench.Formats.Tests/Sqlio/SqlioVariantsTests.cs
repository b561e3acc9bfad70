using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioVariantsTests
{
    private const string Threads = "4 threads reading for 60 secs from file O:\\test.dat";
    private const string PoolLine = "\tfile O:\\test.dat with 4 threads (0-3) using mask 0x0 (0)";
    private const string FileLine = "parameter file used: paramMT.txt\n" + PoolLine + "\n";
    private const string PatternLine = "\tusing 8KB random IOs";
    private const string SizeLine = "using specified size: 92160 MB for file: O:\\test.dat";
    private const string BufferingLine = "\tbuffering set to not use file nor disk caches (as is SQL Server)\n";
    private const string Columns = "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+";
    private const string Percents = "%: 13 21  7  4  3  3  2  2  2  1  1  1  1  1  1  1  1  1  1  0  0  0  0  0 32";
    private static readonly double[] s_percents = [13, 21, 7, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 32];

    private static IoTestResult ReadComplete(string text)
    {
        var result = SqlioTestText.ReadSingle(text);
        Assert.Empty(result.Warnings);
        Assert.Equal(IoResultStatus.Complete, result.Status);
        return result;
    }

    [Fact]
    public void Singular_thread_line_is_read() =>
        Assert.Equal(
            1,
            ReadComplete(SqlioTestText.ReplaceLine(Threads, "1 thread reading for 60 secs from file O:\\test.dat")).ThreadCount
        );

    [Fact]
    public void Threads_over_several_files_are_read()
    {
        var result = ReadComplete(
            SqlioTestText
                .Run.Replace(FileLine, "", StringComparison.Ordinal)
                .Replace("from file O:\\test.dat", "from files E:t.dat, F:t.dat and G:t.dat", StringComparison.Ordinal)
                .Replace(
                    SizeLine,
                    "using current size: 100 MB for file: E:t.dat\nusing current size: 100 MB for file: F:t.dat\nusing current size: 50 MB for file: G:t.dat",
                    StringComparison.Ordinal
                )
        );

        Assert.Equal("E:t.dat; F:t.dat; G:t.dat", result.Path);
        Assert.Equal(3, result.TargetCount);
        Assert.Equal(250, result.FileSizeMB);
        Assert.Equal([100.0, 100, 50], result.Targets.Select(t => t.FileSizeMB!.Value));
        // 4 threads, 8 outstanding on each of 3 files.
        Assert.Equal(96, result.TotalOutstanding);
        Assert.True(result.Specification!.SharedThreadPool);
        Assert.Null(result.Specification.PoolOutstandingIO);
    }

    [Fact]
    public void Several_files_without_outstanding_option_are_read()
    {
        var result = ReadComplete(
            SqlioTestText
                .Run.Replace(FileLine, "", StringComparison.Ordinal)
                .Replace("from file O:\\test.dat", "from files E:t.dat and F:t.dat", StringComparison.Ordinal)
                .Replace("\tenabling multiple I/Os per thread with 8 outstanding\n", "", StringComparison.Ordinal)
                .Replace(SizeLine + "\n", "", StringComparison.Ordinal)
        );

        Assert.Equal(1, result.OutstandingIO);
        Assert.Equal(4, result.TotalOutstanding);
        Assert.Equal(1, result.Specification!.PoolOutstandingIO);
        Assert.Null(result.FileSizeMB);
    }

    [Fact]
    public void File_names_with_separators_are_split_by_the_size_lines()
    {
        var result = ReadComplete(
            SqlioTestText
                .Run.Replace(FileLine, "", StringComparison.Ordinal)
                .Replace("from file O:\\test.dat", "from files E:\\salt and pepper.dat and F:\\a, b.dat", StringComparison.Ordinal)
                .Replace(
                    SizeLine,
                    "using current size: 1 MB for file: E:\\salt and pepper.dat\nusing current size: 2 MB for file: F:\\a, b.dat",
                    StringComparison.Ordinal
                )
        );

        Assert.Equal(["E:\\salt and pepper.dat", "F:\\a, b.dat"], result.Targets.Select(t => t.Path));
    }

    [Fact]
    public void Parameter_file_lines_are_separate_thread_pools()
    {
        var result = ReadComplete(
            SqlioTestText
                .Run.Replace(
                    PoolLine,
                    "\tfile O:\\a b.dat with 3 threads (0-2) using mask 0x5 (5)\n\tfile P:\\c.dat with 1 threads (3-3) using mask 0x0 (0)",
                    StringComparison.Ordinal
                )
                .Replace("from file O:\\test.dat", "from files O:\\a b.dat and P:\\c.dat", StringComparison.Ordinal)
                .Replace(
                    SizeLine,
                    "using specified size: 100 MB for file: O:\\a b.dat\nusing specified size: 200 MB for file: P:\\c.dat",
                    StringComparison.Ordinal
                )
        );

        Assert.Equal(["O:\\a b.dat", "P:\\c.dat"], result.Targets.Select(t => t.Path));
        Assert.Equal([3, 1], result.Targets.Select(t => t.ThreadCount!.Value));
        Assert.Equal(300, result.FileSizeMB);
        // Each thread works on the file of its own line: 4 x 8.
        Assert.Equal(32, result.TotalOutstanding);
        var targets = result.Specification!.Targets;
        Assert.Equal([3, 1], targets.Select(t => t.Pattern!.ThreadCount));
        Assert.Equal([0, 2], targets[0].Pattern!.Processors);
        Assert.Equal(IoAffinityMode.Mask, targets[0].Pattern!.AffinityMode);
        Assert.Equal(200L << 20, targets[1].FileSize);
    }

    [Fact]
    public void Drive_letters_and_raw_drives_keep_their_names()
    {
        var run = SqlioTestText.Run.Replace(FileLine, "", StringComparison.Ordinal);
        Assert.Equal("E:Testfile.dat", ReadComplete(run.Replace("O:\\test.dat", "E:Testfile.dat", StringComparison.Ordinal)).Path);
        Assert.Equal("9:", ReadComplete(run.Replace("O:\\test.dat", "9:", StringComparison.Ordinal)).Path);
    }

    [Fact]
    public void Path_with_spaces_is_read_completely() =>
        Assert.Equal(
            "O:\\my test files\\a  b.dat",
            ReadComplete(SqlioTestText.Run.Replace("O:\\test.dat", "O:\\my test files\\a  b.dat", StringComparison.Ordinal)).Path
        );

    [Fact]
    public void Stripe_pattern_is_read()
    {
        var result = ReadComplete(SqlioTestText.ReplaceLine(PatternLine, "\tusing 8KB IOs over 128KB stripes with 64 IOs per run"));

        Assert.Equal(IoAccessPattern.Stride, result.AccessPattern);
        Assert.Equal(8, result.BlockSizeKB);
        Assert.Equal((16, 64), (result.Specification!.StripeColumns, result.Specification.StripeRows));
    }

    [Theory]
    [InlineData("not use file nor disk caches (as is SQL Server)", IoBuffering.None)]
    [InlineData("use hardware disk cache (but not file cache)", IoBuffering.Hardware)]
    [InlineData("use software file cache (but not disk cache)", IoBuffering.Software)]
    [InlineData("use file cache (but not hardware disk cache)", IoBuffering.Software)]
    [InlineData("use both file and disk caches", IoBuffering.Both)]
    [InlineData("use both hardware disk cache and software file cache", IoBuffering.Both)]
    public void Buffering_text_is_read(string words, IoBuffering buffering) =>
        Assert.Equal(
            buffering,
            ReadComplete(SqlioTestText.ReplaceLine("not use file nor disk caches (as is SQL Server)", words)).Buffering
        );

    [Fact]
    public void Unknown_buffering_text_has_a_warning()
    {
        var result = SqlioTestText.ReadSingle(
            SqlioTestText.ReplaceLine("not use file nor disk caches (as is SQL Server)", "something new")
        );

        Assert.Null(result.Buffering);
        Assert.Equal(["line 8: this type of buffering is unknown: something new"], result.Warnings);
    }

    [Theory]
    [InlineData("system", 'S')]
    [InlineData("processor", 'P')]
    public void Latency_timer_is_read(string word, char letter)
    {
        var result = ReadComplete(SqlioTestText.ReplaceLine("using system counter", $"using {word} counter"));

        Assert.Equal(word, result.ToolDetails["Latency timer"]);
        Assert.Equal(letter, result.Specification!.GetOrAddOrigin().Sqlio!.LatencyTimer);
    }

    [Fact]
    public void Initiation_latency_is_read()
    {
        var result = ReadComplete(
            SqlioTestText.ReplaceLine(
                "latency metrics:\n",
                "latency metrics:\nMin_Init_Latency(us): 51\nAvg_Init_Latency(us): 296\nMax_Init_Latency(us): 20169\n"
            )
        );

        Assert.Equal("296", result.ToolDetails["Avg_Init_Latency(us)"]);
        Assert.Equal(24, result.AverageLatencyMs);
        Assert.True(result.Specification!.GetOrAddOrigin().Sqlio!.InitiationLatency);
    }

    [Fact]
    public void Processor_table_is_read()
    {
        var result = ReadComplete(
            SqlioTestText.ReplaceLine(
                "latency metrics:\n",
                """
                ProcessorNumber:         ALL        0        1
                DPCTime(%):             22.30    24.06    21.87
                InterruptTime(%):       30.19    28.64    30.78
                PrivilegedTime(%):      95.35    95.05    94.94
                ProcessorTime(%):       98.99    98.90    98.64
                UserTime(%):             3.64     3.85     3.69
                Interrupts/sec:      11608.76  2898.03  2917.36
                latency metrics:

                """
            )
        );

        Assert.Equal(98.99, result.CpuPercent);
        Assert.Equal([98.90, 98.64], result.Processors.Select(p => p.UsagePercent!.Value));
        Assert.Equal([95.05, 94.94], result.Processors.Select(p => p.KernelPercent!.Value));
        Assert.Equal(4887, result.MaxLatencyMs);
    }

    [Fact]
    public void File_creation_and_extension_lines_are_read()
    {
        var result = ReadComplete(
            SqlioTestText.ReplaceLine(
                SizeLine,
                "size of file O:\\test.dat needs to be: 96636764160 bytes\ncurrent file size:\t0 bytes\nneed to expand by:\t96636764160 bytes\nexpanding O:\\test.dat … done.\n"
                    + SizeLine
            )
        );

        Assert.Equal(92160, result.FileSizeMB);
    }

    [Fact]
    public void Run_that_ended_during_file_creation_has_the_requested_size()
    {
        var text = SqlioTestText.ReplaceLine(
            SizeLine,
            "size of file O:\\test.dat needs to be: 96636764160 bytes\ncurrent file size:\t0 bytes\n"
        );
        var result = SqlioTestText.ReadSingle(text[..text.IndexOf("initialization", StringComparison.Ordinal)]);

        Assert.Equal(92160, result.FileSizeMB);
        Assert.Equal(IoResultStatus.Incomplete, result.Status);
    }

    [Theory]
    [InlineData("Waiting for 60 seconds, press a key to continue ...\b\b\b")]
    [InlineData("Waiting for 59 seconds, press CTRL+C to quit ...")]
    [InlineData("ERROR: Input redirection is not supported, exiting the process immediately.")]
    [InlineData("Pinging 127.0.0.1 with 32 bytes of data:")]
    [InlineData("D:\\SQLIO>timeout /T 60 ")]
    [InlineData("PS C:\\> Start-Sleep 60")]
    [InlineData("rem next run")]
    [InlineData("--------------------------------")]
    public void Console_lines_between_runs_have_no_warning(string line)
    {
        var results = SqlioTestText.ReadAll(SqlioTestText.Run + line + "\n" + SqlioTestText.Run);

        Assert.Equal(2, results.Count);
        Assert.All(results, r => Assert.Empty(r.Warnings));
        Assert.All(results, r => Assert.Equal(IoResultStatus.Complete, r.Status));
    }

    [Theory]
    [InlineData("D:\\SQLIO>sqlio -kR -s60 -frandom -b8 -o8 -LS -Fparam.txt ")]
    [InlineData("sqlio.exe -kR -s60 -frandom -b8 -o8 -LS -Fparam.txt")]
    [InlineData("\"C:\\Program Files (x86)\\SQLIO\\sqlio.exe\" -kR -s60 -frandom -b8 -o8 -LS -Fparam.txt")]
    [InlineData("PS C:\\SQLIO> .\\sqlio.exe -kR -s60 -frandom -b8 -o8 -LS -Fparam.txt")]
    [InlineData("Command Line: sqlio -kR -s60 -frandom -b8 -o8 -LS -Fparam.txt")]
    [InlineData("C:\\t>call sqlio –kR –s60 –frandom –b8 –o8 –LS –F“param.txt”")]
    public void Command_line_without_B_means_no_buffering(string line)
    {
        var result = ReadComplete(line + "\n" + SqlioTestText.ReplaceLine(BufferingLine, ""));

        Assert.Equal(IoBuffering.None, result.Buffering);
        Assert.Equal(1, result.SourceLine);
        Assert.Equal(1, result.Specification!.GetOrAddOrigin().SourceLine);
        Assert.Contains("-LS", result.Specification!.GetOrAddOrigin().CommandLine!.Replace('–', '-'), StringComparison.Ordinal);
        Assert.Equal("param.txt", result.Specification!.GetOrAddOrigin().Sqlio!.ParameterFile);
    }

    [Theory]
    [InlineData("-BS", IoBuffering.Software)]
    [InlineData("-BY", IoBuffering.Both)]
    [InlineData("-BH", IoBuffering.Hardware)]
    public void Command_line_determines_the_buffering(string option, IoBuffering buffering) =>
        Assert.Equal(
            buffering,
            ReadComplete(
                $"D:\\>sqlio -kR -s60 -frandom -b8 -o8 {option} -LS -Fparam.txt\n" + SqlioTestText.ReplaceLine(BufferingLine, "")
            ).Buffering
        );

    [Fact]
    public void Command_line_with_unknown_options_has_a_warning()
    {
        var result = SqlioTestText.ReadSingle("D:\\SQLIO>sqlio -kR -T50 -Fparam.txt\n" + SqlioTestText.Run);

        Assert.Equal(15504.09, result.IOPS);
        Assert.StartsWith(
            "line 1: the command line is not a valid SQLIO command line:",
            Assert.Single(result.Warnings),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Command_line_without_output_is_an_incomplete_run()
    {
        var results = SqlioTestText.ReadAll(
            "D:\\>sqlio -kR -s60 -frandom -b8 -LS O:\\x.dat\nD:\\>sqlio -kW -frandom -b8 -LS -Fparam.txt\n" + SqlioTestText.Run
        );

        Assert.Equal(2, results.Count);
        Assert.Equal(IoResultStatus.Incomplete, results[0].Status);
        Assert.Equal("line 1: the output of the run ends before its results.", Assert.Single(results[0].Warnings));
        Assert.Equal("O:\\x.dat", results[0].Specification!.Targets[0].Path);
        Assert.Equal(2, results[1].SourceLine);
    }

    [Fact]
    public void Script_lines_around_runs_are_read_as_details()
    {
        var results = SqlioTestText.ReadAll(
            "ComputerName: SQL01\nDate: 11/02/2014 10:04\nCommand Line: sqlio -kR -frandom -b8 -LS -Fparam.txt\n"
                + SqlioTestText.Run
                + "Date: 11/02/2014 10:06\n"
                + SqlioTestText.Run
        );

        Assert.Equal(["SQL01", "SQL01"], results.Select(r => r.ComputerName));
        Assert.Equal(["11/02/2014 10:04", "11/02/2014 10:06"], results.Select(r => r.ToolDetails["Date"]));
        Assert.All(results, r => Assert.Null(r.StartTime));
        Assert.All(results, r => Assert.Empty(r.Warnings));
        Assert.Equal([1, 25], results.Select(r => r.SourceLine!.Value));
    }

    [Fact]
    public void Text_copied_from_web_pages_is_read()
    {
        var text = string.Join(
                "\r\n",
                SqlioTestText
                    .Run.Split('\n')
                    .Select(l => string.Join(' ', l.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries)) + "  ")
            )
            .Replace("IOs/sec: 15504.09", "IOs/sec: 15,504.09", StringComparison.Ordinal)
            .Replace("Avg_Latency(ms)", "Avg_Latency (ms)", StringComparison.Ordinal)
            .Replace("Max_Latency(ms): 4887", "Max_Latency\u00A0(ms):\u00A04,887", StringComparison.Ordinal);
        var result = ReadComplete(text);

        Assert.Equal((15504.09, 24.0, 4887.0), (result.IOPS, result.AverageLatencyMs, result.MaxLatencyMs));
        Assert.Equal(s_percents, result.Histogram!.Buckets.Select(b => b.Percent));
    }

    [Fact]
    public void Non_breaking_spaces_are_read_as_spaces() =>
        Assert.Equal("O:\\test.dat", ReadComplete(SqlioTestText.Run.Replace(' ', '\u00A0')).Path);

    [Theory]
    [InlineData(Columns + "\n" + Percents)]
    [InlineData(
        "ms: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+\n%: 13 21 7 4 3 3 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 32"
    )]
    [InlineData(
        "ms:0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+\n%:13 21 7 4 3 3 2 2 2 1 1 1 1 1 1 1 1 1 1 0 0 0 0 0 32"
    )]
    [InlineData(
        "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19\n 20 21 22 23 24+\n%: 13 21  7  4  3  3  2  2  2  1  1  1  1  1  1  1  1  1  1  0\n  0  0  0  0 32"
    )]
    [InlineData(
        "ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19\r\n20 21 22 23 24+\r\n%:\r\n13 21  7  4  3  3  2  2  2  1  1  1  1  1  1  1  1  1  1  0\r\n  0  0  0\r\n  0 32"
    )]
    public void Wrapped_histogram_is_read(string histogram) =>
        Assert.Equal(
            s_percents,
            ReadComplete(SqlioTestText.ReplaceLine(Columns + "\n" + Percents, histogram)).Histogram!.Buckets.Select(b => b.Percent)
        );

    [Theory]
    [InlineData("%:100  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0", 0)]
    [InlineData("%:  0100  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0", 1)]
    [InlineData("%: 0100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", 1)]
    [InlineData("%:  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0100", 24)]
    public void Percentage_of_100_without_a_space_is_read(string line, int bucket)
    {
        var histogram = ReadComplete(SqlioTestText.ReplaceLine(Percents, line)).Histogram!;

        Assert.Equal(100, histogram.Buckets[bucket].Percent);
        Assert.Equal(100, histogram.Buckets.Sum(b => b.Percent));
    }

    [Theory]
    [InlineData("%:132174332221111111111000000", "line 21: IoBench cannot read the histogram: %:132174332221111111111000000")]
    [InlineData("%: 13 21 7 4 3", "line 21: the histogram has only 5 of 25 percentages, so IoBench ignores the histogram.")]
    [InlineData("%: 13 21 7 4 3 3 2 2 2 … 32", "line 21: IoBench cannot read the histogram: %: 13 21 7 4 3 3 2 2 2 … 32")]
    public void Unreadable_histogram_is_omitted_with_a_warning(string line, string warning)
    {
        var result = SqlioTestText.ReadSingle(SqlioTestText.ReplaceLine(Percents, line));

        Assert.Null(result.Histogram);
        Assert.Equal([warning], result.Warnings);
        Assert.Equal(15504.09, result.IOPS);
    }

    [Fact]
    public void Invalid_histogram_percentages_give_no_percentiles()
    {
        var result = SqlioTestText.ReadSingle(
            SqlioTestText.ReplaceLine(Percents, "%: 13 21  7  4  3  3  2  2  2  1  1  1  1  1  1  1  1  1  1  0  0  0  0  0  3")
        );

        Assert.Equal(["line 21: the percentages of the histogram do not add up to 100."], result.Warnings);
        Assert.Null(result.P50Ms);
    }

    [Fact]
    public void Unknown_lines_have_a_limited_number_of_warnings()
    {
        var result = SqlioTestText.ReadSingle(
            SqlioTestText.ReplaceLine("initialization done\n", "SQLIO says something new\ninitialization done\n")
        );
        Assert.Equal(["line 10: IoBench cannot read this line: SQLIO says something new"], result.Warnings);
        Assert.Equal(IoResultStatus.Complete, result.Status);

        var many = SqlioTestText.ReadSingle(
            SqlioTestText.ReplaceLine("initialization done\n", string.Concat(Enumerable.Repeat("noise\n", 1000)) + "initialization done\n")
        );
        Assert.Equal(26, many.Warnings.Count);
        Assert.Equal("IoBench could not read 975 more lines.", many.Warnings[^1]);
        var oneMore = SqlioTestText.ReadSingle(
            SqlioTestText.ReplaceLine("initialization done\n", string.Concat(Enumerable.Repeat("noise\n", 26)) + "initialization done\n")
        );
        Assert.Equal("IoBench could not read 1 more line.", oneMore.Warnings[^1]);
    }

    [Fact]
    public void Unknown_lines_before_a_redirected_command_are_warnings_of_the_next_run()
    {
        var result = SqlioTestText.ReadSingle(
            "disk not ready\nD:\\>sqlio -kR -frandom -b8 -LS > x.txt\nD:\\>sqlio -kR -frandom -b8 -LS -Fparam.txt\n" + SqlioTestText.Run
        );

        Assert.Equal(["line 1: IoBench cannot read this line: disk not ready"], result.Warnings);
        Assert.Equal(3, result.SourceLine);
    }

    [Fact]
    public void Invalid_number_has_a_warning()
    {
        var result = SqlioTestText.ReadSingle(SqlioTestText.ReplaceLine("IOs/sec: 15504.09", "IOs/sec: 1.#INF"));

        Assert.Null(result.IOPS);
        Assert.Equal(IoResultStatus.Incomplete, result.Status);
        Assert.Equal(["line 13: not a number in SQLIO format: 1.#INF", "line 21: IOs/sec or MBs/sec is missing."], result.Warnings);
    }

    [Fact]
    public void Very_long_line_is_skipped()
    {
        var result = SqlioTestText.ReadSingle(
            SqlioTestText.ReplaceLine("initialization done\n", new string('x', 3_000_000) + "\ninitialization done\n")
        );

        Assert.Equal(15504.09, result.IOPS);
        Assert.Equal(2, result.Warnings.Count);
        Assert.All(result.Warnings, w => Assert.True(w.StartsWith("line 10: ", StringComparison.Ordinal) && w.Length < 200, w));
    }

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    [InlineData("\r")]
    public void Any_line_end_is_read(string end)
    {
        var results = SqlioTestText.ReadAll((SqlioTestText.Run + SqlioTestText.Run).Replace("\n", end, StringComparison.Ordinal));

        Assert.Equal([1, 22], results.Select(r => r.SourceLine!.Value));
        Assert.All(results, r => Assert.Equal(IoResultStatus.Complete, r.Status));
    }
}
