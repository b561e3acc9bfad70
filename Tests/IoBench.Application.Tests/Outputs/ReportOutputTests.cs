using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class ReportOutputTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-report-").FullName;

    private static readonly IoTestResult[] s_few = [.. Enumerable.Range(0, 9).Select(CreateRun)];

    private static readonly IoTestResult[] s_many = [.. Enumerable.Range(0, 6_000).Select(CreateRun)];

    public void Dispose() => Directory.Delete(_folder, true);

    private static IoTestResult CreateRun(int number) =>
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
    public void Existing_report_is_replaced_only_with_force()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "[]");

        var error = Assert.Throws<IoBenchException>(() => ReportFile.Write(path, s_few, new()));
        Assert.Equal("IoBench.FileExists", error.ErrorId);
        Assert.Equal("[]", File.ReadAllText(path));

        ReportFile.Write(path, s_few, new() { Force = true });
        Assert.True(new FileInfo(path).Length > 1000);
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [Theory]
    [InlineData("r.xlsx")]
    [InlineData("r.html")]
    [InlineData("r.svg")]
    public void Own_report_is_recognized_and_replaced_with_force(string name)
    {
        var path = Path.Combine(_folder, name);
        ReportFile.Write(path, s_few, new());
        Assert.Equal("IoBench.FileExists", Assert.Throws<IoBenchException>(() => ReportFile.Write(path, s_few, new())).ErrorId);
        ReportFile.Write(path, s_few, new() { Force = true });
    }

    [Theory]
    [InlineData("budget.xlsx", "PK\u0003\u0004 of another program")]
    [InlineData("page.html", "<html><head><meta name=\"generator\" content=\"Another program\"></head></html>")]
    [InlineData("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\"></svg>")]
    public void File_that_is_no_report_of_IoBench_is_not_replaced_with_force(string name, string content)
    {
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, content);
        foreach (var force in new[] { false, true })
            Assert.Equal(
                "IoBench.OutputNotRecognized",
                Assert.Throws<IoBenchException>(() => ReportFile.Write(path, s_few, new() { Force = force })).ErrorId
            );
        Assert.Equal(content, File.ReadAllText(path));
    }

    [Fact]
    public void Report_file_opened_by_another_program_is_unchanged()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "[]");
        using (new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            var error = Assert.Throws<IoBenchException>(() => ReportFile.Write(path, s_few, new() { Force = true }));
            Assert.Equal("IoBench.FileInUse", error.ErrorId);
        }
        Assert.Equal("[]", File.ReadAllText(path));
    }

    [Fact]
    public void Failure_during_the_write_keeps_the_old_report_without_leftovers()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "[]");

        Assert.Throws<InvalidOperationException>(() =>
            WriteReport(
                path,
                stream =>
                {
                    stream.Write(new byte[100]);
                    throw new InvalidOperationException();
                }
            )
        );
        var full = Assert.Throws<IoBenchException>(() => WriteReport(path, _ => throw new IOException("No space left on device")));

        Assert.Equal("IoBench.CannotWrite", full.ErrorId);
        Assert.Contains("No space left on device", full.Message, StringComparison.Ordinal);
        Assert.Equal("[]", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [Fact]
    public void Report_has_a_temporary_name_until_it_is_complete()
    {
        // As after kill -9 or a power failure during the write.
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "[]");

        WriteReport(
            path,
            stream =>
            {
                stream.Write("half"u8);
                stream.Flush();
                Assert.Equal("[]", File.ReadAllText(path));
                Assert.InRange(Directory.GetFiles(_folder).Length, 1, 2);
            }
        );

        Assert.Equal("half", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [FuseFact]
    public void Full_disk_keeps_the_old_report_without_leftovers()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("r.xlsx");
        ReportFile.Write(path, s_few, new());
        var before = File.ReadAllBytes(path);

        disk.SetRules("full-after 2");
        var error = Assert.Throws<IoBenchException>(() => ReportFile.Write(path, s_few, new() { Force = true }));
        disk.SetRules();

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.Contains("No space left on device", error.Message, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(path));
        Assert.DoesNotContain(Directory.GetFiles(disk.MountFolder), file => file.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [FuseFact]
    public void Full_disk_during_a_long_sheet_throws()
    {
        // Another thread compresses long sheets, and its failure must be reported.
        using var disk = new FaultyDisk();
        disk.SetRules("full-after 3");

        var error = Assert.Throws<IoBenchException>(() => ReportFile.Write(disk.GetPath("r.xlsx"), s_many, new() { NoSummary = true }));

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.False(File.Exists(disk.GetPath("r.xlsx")));
    }

    [FuseFact]
    public void Read_only_file_system_throws()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("r.xlsx");
        ReportFile.Write(path, s_few, new());

        disk.SetRules("read-only 1");
        var error = Assert.Throws<IoBenchException>(() => ReportFile.Write(path, s_few, new() { Force = true }));

        Assert.Equal("IoBench.NotWritable", error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Theory]
    [InlineData("missing/r.xlsx", "IoBench.FolderNotFound")]
    [InlineData("r.pdf", "IoBench.UnknownReportFormat")]
    [InlineData("folder.xlsx", "IoBench.InvalidOutputPath")]
    public void Invalid_report_path_throws_with_one_line(string name, string id)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "folder.xlsx"));

        var error = Assert.Throws<IoBenchException>(() => ReportFile.Write(Path.Combine(_folder, name), s_few, new()));

        Assert.Equal(id, error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [LinuxFact]
    public void Read_only_folder_throws()
    {
        // No user can create files in /proc. Other systems have no folder that is certainly read-only.
        var error = Assert.Throws<IoBenchException>(() => ReportFile.Write("/proc/r.xlsx", s_few, new()));
        Assert.Equal("IoBench.NotWritable", error.ErrorId);
    }

    [Fact]
    public void Report_requires_results()
    {
        var path = Path.Combine(_folder, "r.xlsx");

        Assert.Equal("IoBench.NoResults", Assert.Throws<IoBenchException>(() => ReportFile.Write(path, [], new())).ErrorId);
        Assert.False(File.Exists(path));
    }

    private static void WriteReport(string path, Action<Stream> write)
    {
        using var file = OutputFile.Reserve(path, mayExist: true, failedId: "IoBench.CannotWrite");
        file.Save(write);
    }
}
