using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class DiskSpdFailedRunTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private List<IoTestResult> ReadText(string text)
    {
        File.WriteAllText(_file, text);
        return [.. ResultReader.ReadFile(_file)];
    }

    [Theory]
    [InlineData("\n")]
    [InlineData("\r\n")]
    public void Output_with_a_call_and_errors_is_a_failed_run(string lineEnd)
    {
        var result = Assert.Single(
            ReadText(File.ReadAllText(SampleFiles.GetPath("cases", "diskspd-failed-share.txt")).ReplaceLineEndings(lineEnd))
        );

        Assert.Equal((DiskSpdFormat.Source, IoResultStatus.Failed, 1), (result.Source, result.Status, result.SourceLine));
        Assert.Equal("IoBench.DiskSpdFailed", result.ErrorId);
        Assert.Equal((64.0, IoAccessPattern.Random, 30), (result.BlockSizeKB, result.AccessPattern, result.WritePercent));
        Assert.Equal((4, 8, 32), (result.ThreadCount, result.OutstandingIO, result.TotalOutstanding));
        Assert.Equal((@"\\fileserver\bench\t.dat", (double?)null), (result.Path, result.IOPS));
        Assert.Equal(60, result.Specification!.Duration.TotalSeconds);
        Assert.Contains("error during overlapped IO operation (error code: 64)", result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("64 = the network name is no longer available", result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("1236 = the network connection was aborted", result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("Could not set privileges", Assert.Single(result.Warnings).ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Error_record_of_Windows_PowerShell_is_read()
    {
        var result = Assert.Single(
            ReadText(
                """
                .\diskspd.exe : error during overlapped IO operation (error code: 64)
                At line:1 char:1
                + .\diskspd.exe -b64K -d60 -o8 -t4 -r \\fs\b\t.dat > s ...
                + ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                    + CategoryInfo          : NotSpecified: (error during ov...(error code: 64):String) [], RemoteException
                    + FullyQualifiedErrorId : NativeCommandError

                There has been an error during threads execution
                Error generating I/O requests
                """
            )
        );

        Assert.StartsWith("error during overlapped IO operation (error code: 64)", result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("64 = the network name is no longer available", result.ErrorMessage, StringComparison.Ordinal);
    }

    [Fact]
    public void Equal_errors_of_many_threads_are_reported_once()
    {
        var thread = "t[0] error during write error code: 1117)\n";
        var run =
            string.Concat(Enumerable.Repeat(thread, 100))
            + string.Concat(Enumerable.Range(1, 100).Select(i => thread.Replace("t[0]", $"t[{i}]", StringComparison.Ordinal)))
            + "Error generating I/O requests\n";

        var results = ReadText(run + run);

        Assert.Equal(2, results.Count);
        Assert.All(results, result => Assert.True(result.ErrorMessage!.Length < 600, result.ErrorMessage));
    }

    [Fact]
    public void Conflict_of_options_is_a_failed_run() =>
        Assert.Equal(
            "ERROR: -F and -t parameters cannot be used together",
            Assert.Single(ResultReader.ReadFile(SampleFiles.GetPath("diskspd-runs", "v21-err-conflict.err"))).ErrorMessage
        );

    [Fact]
    public void Output_with_errors_only_is_a_failed_run()
    {
        var result = Assert.Single(ResultReader.ReadFile(SampleFiles.GetPath("cases", "diskspd-failed-disk-full.txt")));

        Assert.Equal((DiskSpdFormat.Source, IoResultStatus.Failed), (result.Source, result.Status));
        Assert.Contains("112 = not enough space on the disk", result.ErrorMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("t[0] error during write error code: 5)\nThere has been an error during threads execution\n", "5 = access denied")]
    [InlineData("Error opening file: T:\\none.dat [3]\n", "3 = path not found")]
    [InlineData("ERROR: Could not allocate a buffer for target 'x'. Error code: 0x8\n", "8 = not enough memory")]
    [InlineData("Error while writng during file creation (error code: 0x80070070)\n", "112 = not enough space")]
    [InlineData("PS C:\\> & .\\diskspd.exe -b8K -d1 x.dat\nERROR: Failed to create event (error code: 1450)\n", "1450 = not enough system")]
    [InlineData("\uFEFF\r\n  Error generating I/O requests  \r\n", "Error generating I/O requests")]
    [InlineData("diskspd -q x.dat\nERROR: invalid option: '-q'\n", "invalid option: '-q'")]
    public void Error_lines_are_recognized(string text, string expected)
    {
        var result = Assert.Single(ReadText(text));

        Assert.Equal(IoResultStatus.Failed, result.Status);
        Assert.Contains(expected, result.ErrorMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("C:\\t>diskspd -b8K -d5 T:\\a.dat\n{0}C:\\t>diskspd -b64K -d5 T:\\b.dat\n{0}", 8.0, 64.0)]
    [InlineData("diskspd.exe -b8K -d5 T:\\a.dat\n{0}..\\diskspd.exe -b64K -d5 T:\\b.dat\n{0}", 8.0, 64.0)]
    [InlineData("{0}{0}", null, null)]
    public void Each_failed_run_is_a_result(string format, double? first, double? second)
    {
        var results = ReadText(
            format.Replace("{0}", "Error setting end of file (error code: 112)\nError generating I/O requests\n", StringComparison.Ordinal)
        );

        Assert.All(results, result => Assert.Equal(IoResultStatus.Failed, result.Status));
        Assert.Equal([first, second], results.Select(result => result.BlockSizeKB));
    }

    [Fact]
    public void Failed_run_before_a_complete_one_is_its_own_result()
    {
        var results = ReadText(
            "diskspd -b8K -d1 T:\\a.dat\nError setting end of file (error code: 112)\nError generating I/O requests\n"
                + "diskspd -b8K -d1 T:\\a.dat\n"
                + File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v22-F-only.out"))
        );

        Assert.Equal([IoResultStatus.Failed, IoResultStatus.Complete], results.Select(result => result.Status));
        Assert.Empty(results[1].Warnings);
    }

    [Theory]
    [InlineData("diskspd -b8K -d1 a.dat\ndiskspd -b64K -d1 a.dat\n")]
    [InlineData("ERROR: the backup failed\n")]
    [InlineData("The disk is full (error code: 112)\n")]
    public void Other_text_is_not_a_failed_run(string text) => Assert.Throws<IoBenchException>(() => ReadText(text));
}
