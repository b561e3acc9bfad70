using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>Outputs of fio and SQLIO that only have errors are failed runs.</summary>
public sealed class FailedRunTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private IoTestResult ReadText(string text)
    {
        File.WriteAllText(_file, text);
        return Assert.Single(ResultReader.ReadFile(_file));
    }

    [Theory]
    [InlineData("fio: engine foo not loadable\nfio: failed to load engine\n", "engine foo not loadable")]
    [InlineData("fio: failed parsing rw=writ\n        valid values: read       Sequential read\n", "failed parsing rw=writ")]
    [InlineData("$ fio --name=x\r\nfio: pid=0, err=2/file:filesetup.c:1, func=open, error=No such file or directory\r\n", "No such file")]
    [InlineData("fio: size too small, must not be less than minimum block size: 1024 < 4096\n", "1024 < 4096")]
    [InlineData("fio: unrecognized option '--foo=1'\nDid you mean loops?\n", "--foo=1")]
    public void Errors_of_fio_are_a_failed_run(string text, string expected)
    {
        var result = ReadText(text);

        Assert.Equal((FioFormat.Source, IoResultStatus.Failed, "IoBench.FioFailed"), (result.Source, result.Status, result.ErrorId));
        Assert.Contains(expected, result.ErrorMessage, StringComparison.Ordinal);
    }

    [Fact]
    public void Error_while_SQLIO_expands_its_file_is_a_failed_run()
    {
        var result = ReadText(
            "sqlio v1.5.SG\n8 threads reading for 30 secs from file X:\\t.dat\n\tusing 8KB random IOs\n"
                + "expanding X:\\t.dat ... error: There is not enough space on the disk. (112)\n"
        );

        Assert.Equal((SqlioFormat.Source, IoResultStatus.Failed, 8), (result.Source, result.Status, result.ThreadCount));
        Assert.Contains("112 = not enough space on the disk", result.ErrorMessage, StringComparison.Ordinal);
    }

    [Fact]
    public void Announced_job_of_a_failed_run_has_its_pattern()
    {
        var result = ReadText(
            """
            w: (g=0): rw=write, bs=(R) 64.0KiB-64.0KiB, (W) 64.0KiB-64.0KiB, (T) 64.0KiB-64.0KiB, ioengine=libaio, iodepth=4
            fio-3.33
            Starting 1 process
            w: you need to specify size=
            fio: pid=0, err=22/file:filesetup.c:1155, func=total_file_size, error=Invalid argument


            Run status group 0 (all jobs):
            """
        );

        Assert.Equal((IoResultStatus.Failed, "w", "3.33"), (result.Status, result.Label, result.ToolVersion));
        Assert.Equal((64.0, IoOperation.Write, 4), (result.BlockSizeKB, result.Operation, result.OutstandingIO));
        Assert.Contains("w: you need to specify size=", result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("error=Invalid argument", result.ErrorMessage, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("tools:\nfio: yes\n")]
    [InlineData("The fio: error\n")]
    public void Other_text_is_not_an_output_of_fio(string text) => Assert.Throws<IoBenchException>(() => ReadText(text));

    [Theory]
    [InlineData("open of e:\\test.dat failed: error 112")]
    [InlineData("ERROR: not enough space (error code: 112)")]
    public void Errors_of_SQLIO_are_a_failed_run(string error)
    {
        var result = ReadText(
            "sqlio v1.5.SG\nusing system counter for latency timings, 14318180 counts per second\n"
                + "4 threads writing for 30 secs to file e:\\test.dat\n\tusing 64KB sequential IOs\n"
                + error
                + "\n"
        );

        Assert.Equal((SqlioFormat.Source, IoResultStatus.Failed, "IoBench.SqlioFailed"), (result.Source, result.Status, result.ErrorId));
        Assert.Contains(error, result.ErrorMessage, StringComparison.Ordinal);
        Assert.Contains("112 = not enough space on the disk", result.ErrorMessage, StringComparison.Ordinal);
        Assert.Equal((64.0, 4), (result.BlockSizeKB, result.ThreadCount));
    }

    [Fact]
    public void Error_line_of_a_complete_run_is_a_warning()
    {
        var at = SqlioTestText.Run.IndexOf("initialization done", StringComparison.Ordinal);
        var result = ReadText(SqlioTestText.Run.Insert(at, "error: something\n"));

        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.Contains(result.Warnings, warning => warning.Contains("error: something", StringComparison.Ordinal));
    }
}
