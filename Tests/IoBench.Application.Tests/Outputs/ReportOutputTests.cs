using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class ReportOutputTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-report-").FullName;

    private static readonly IoTestResult[] s_few = [.. Enumerable.Range(0, 9).Select(Run)];

    private static readonly IoTestResult[] s_many = [.. Enumerable.Range(0, 6_000).Select(Run)];

    public void Dispose() => Directory.Delete(_folder, true);

    private static IoTestResult Run(int number) =>
        new()
        {
            Status = IoResultStatus.Complete,
            RunId = $"{number}",
            Path = $@"E:\mount\array-{number}\testfile.dat",
            IOPattern = "8KB random read",
            ThreadCount = 2,
            OutstandingIO = 8,
            IOPS = 1000 + number,
            BandwidthMBps = 8 + number * 0.37,
            AverageLatencyMs = 1 + number * 0.001,
        };

    [Fact]
    public void An_existing_file_is_replaced_only_by_force()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");

        var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write(path, s_few, new()));
        Assert.Equal("IoBench.FileExists", error.ErrorId);
        Assert.Equal("precious", File.ReadAllText(path));

        ReportOutput.Write(path, s_few, new() { Force = true });
        Assert.True(new FileInfo(path).Length > 1000);
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [Fact]
    public void A_file_that_another_program_holds_open_is_left_as_it_is()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");
        using (new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write(path, s_few, new() { Force = true }));
            Assert.Equal("IoBench.FileInUse", error.ErrorId);
        }
        Assert.Equal("precious", File.ReadAllText(path));
    }

    [Fact]
    public void A_failure_in_the_middle_leaves_the_old_file_and_no_rest()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");

        Assert.Throws<InvalidOperationException>(() =>
            Write(
                path,
                stream =>
                {
                    stream.Write(new byte[100]);
                    throw new InvalidOperationException();
                }
            )
        );
        var full = Assert.Throws<IoBenchException>(() => Write(path, _ => throw new IOException("No space left on device")));

        Assert.Equal("IoBench.CannotWrite", full.ErrorId);
        Assert.Contains("No space left on device", full.Message, StringComparison.Ordinal);
        Assert.Equal("precious", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [Fact]
    public void Until_it_is_whole_the_new_file_has_another_name()
    {
        // As after kill -9 or a power failure during the write.
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");

        Write(
            path,
            stream =>
            {
                stream.Write("half"u8);
                stream.Flush();
                Assert.Equal("precious", File.ReadAllText(path));
                Assert.InRange(Directory.GetFiles(_folder).Length, 1, 2);
            }
        );

        Assert.Equal("half", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [FuseFact]
    public void A_full_disk_leaves_the_old_file_and_no_rest()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("r.xlsx");
        ReportOutput.Write(path, s_few, new());
        var before = File.ReadAllBytes(path);

        disk.Rules("full-after 2");
        var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write(path, s_few, new() { Force = true }));
        disk.Rules();

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.Contains("No space left on device", error.Message, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(path));
        Assert.DoesNotContain(Directory.GetFiles(disk.Mount), file => file.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [FuseFact]
    public void A_disk_that_is_full_in_the_midst_of_a_long_sheet_is_said_too()
    {
        // Another thread compresses long sheets, and its failure must be reported.
        using var disk = new FaultyDisk();
        disk.Rules("full-after 3");

        var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write(disk.Path("r.xlsx"), s_many, new() { NoSummary = true }));

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.False(File.Exists(disk.Path("r.xlsx")));
    }

    [FuseFact]
    public void A_file_system_that_may_only_be_read_is_said()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("r.xlsx");
        ReportOutput.Write(path, s_few, new());

        disk.Rules("read-only 1");
        var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write(path, s_few, new() { Force = true }));

        Assert.Equal("IoBench.NotWritable", error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Theory]
    [InlineData("missing/r.xlsx", "IoBench.FolderNotFound")]
    [InlineData("r.pdf", "IoBench.UnknownReportFormat")]
    [InlineData("folder.xlsx", "IoBench.InvalidOutputPath")]
    public void A_wrong_path_is_one_line_that_says_what_to_do(string name, string id)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "folder.xlsx"));

        var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write(Path.Combine(_folder, name), s_few, new()));

        Assert.Equal(id, error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [LinuxFact]
    public void A_folder_that_cannot_be_written_is_said()
    {
        // No user can create files in /proc. Other systems have no folder that is certainly read-only.
        var error = Assert.Throws<IoBenchException>(() => ReportOutput.Write("/proc/r.xlsx", s_few, new()));
        Assert.Equal("IoBench.NotWritable", error.ErrorId);
    }

    [Fact]
    public void No_results_make_no_report()
    {
        var path = Path.Combine(_folder, "r.xlsx");

        Assert.Equal("IoBench.NoResults", Assert.Throws<IoBenchException>(() => ReportOutput.Write(path, [], new())).ErrorId);
        Assert.False(File.Exists(path));
    }

    private static void Write(string path, Action<Stream> write)
    {
        using var file = OutputFile.Claim(new OutputRequest(path) { MayExist = true, FailedId = "IoBench.CannotWrite" });
        file.Save(write);
    }
}
