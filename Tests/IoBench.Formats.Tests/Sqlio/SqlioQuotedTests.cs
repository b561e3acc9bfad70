using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class SqlioQuotedTests
{
    private static readonly string s_text = File.ReadAllText(SampleFiles.GetPath("cases", "sqlio-quoted-post.txt"));

    private static IoTestResult ReadRun(string text) => Assert.Single(SqlioFormat.Read(new StringReader(text), "x"));

    private static void AssertRun(IoTestResult result, string path)
    {
        Assert.Equal(
            (IoResultStatus.Complete, IoOperation.Write, IoAccessPattern.Interlocked),
            (result.Status, result.Operation, result.AccessPattern)
        );
        Assert.Equal((64.0, 4, 4, 30.0), (result.BlockSizeKB, result.ThreadCount, result.OutstandingIO, result.DurationSeconds));
        Assert.Equal(
            (1280.0, 80.0, 1.0, 12.0, 96.0),
            (result.IOPS, result.BandwidthMBps, result.MinLatencyMs, result.AverageLatencyMs, result.MaxLatencyMs)
        );
        Assert.Equal((path, 2048.0, (IoHistogram?)null), (result.Path, result.FileSizeMB, result.Histogram));
    }

    [Fact]
    public void Bold_lines_and_code_fences_of_Markdown_are_read()
    {
        var text = s_text.Replace("> IOs/sec: 1280.00", "> **IOs/sec: 1280.00**", StringComparison.Ordinal);
        var result = ReadRun($"> ```\n{text}> ```\n");

        AssertRun(result, @"e:\test_a.dat");
        Assert.DoesNotContain(result.Warnings, warning => warning.ToString()!.Contains("cannot read", StringComparison.Ordinal));
    }

    [Fact]
    public void Quoted_Markdown_is_read()
    {
        var path = SampleFiles.GetPath("cases", "sqlio-quoted-post.txt");

        Assert.Equal("SQLIO", ResultReader.DetectFormat(path)!.Tool);
        AssertRun(Assert.Single(ResultReader.ReadFile(path)), @"e:\test_a.dat");
    }

    [Theory]
    [InlineData(">> ")]
    [InlineData(">")]
    [InlineData("> > ")]
    [InlineData("| ")]
    [InlineData("&gt; ")]
    [InlineData("\t> ")]
    public void Quote_marks_are_removed(string mark) =>
        AssertRun(ReadRun(s_text.Replace("> ", mark, StringComparison.Ordinal).ReplaceLineEndings("\r\n")), @"e:\test_a.dat");

    [Fact]
    public void Blank_quoted_lines_between_lines_are_skipped() =>
        AssertRun(ReadRun(s_text.Replace("\n", "\n> \n", StringComparison.Ordinal)), @"e:\test_a.dat");

    [Fact]
    public void Path_without_escapes_is_kept()
    {
        var text = s_text
            .Replace(@"\_L", "_L", StringComparison.Ordinal)
            .Replace(@"e:\\test\_a.dat", @"e:\_x\test_a.dat", StringComparison.Ordinal);

        AssertRun(ReadRun(text), @"e:\_x\test_a.dat");
    }

    [Fact]
    public void All_runs_of_an_escaped_text_have_plain_paths() =>
        Assert.All(
            SqlioFormat.Read(new StringReader(s_text + "\n" + s_text + "\n" + s_text), "x"),
            result => AssertRun(result, @"e:\test_a.dat")
        );

    [Fact]
    public void Quoted_output_of_DiskSpd_is_read()
    {
        var text = File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v22-mix-r-L.out"));
        var quoted = string.Concat(text.Split('\n').Select(line => "> " + line + "\n"));

        Assert.Equal(
            DiskSpdFormat.ReadText(new StringReader(text), "x").Select(r => (r.IOPS, r.P99Ms, r.Status)),
            DiskSpdFormat.ReadText(new StringReader(quoted), "x").Select(r => (r.IOPS, r.P99Ms, r.Status))
        );
    }
}
