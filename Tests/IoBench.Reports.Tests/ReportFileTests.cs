using IoBench.Engine;
using IoBench.Tests;

namespace IoBench.Reports.Tests;

public sealed class ReportFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-report-").FullName;

    public void Dispose() => Directory.Delete(_folder, true);

    [Fact]
    public void An_existing_file_is_replaced_only_by_force()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");

        var error = Assert.Throws<IoBenchException>(() => Report.Write(path, Runs.ThreeFiles(), new()));
        Assert.Equal("IoBench.FileExists", error.ErrorId);
        Assert.Equal("precious", File.ReadAllText(path));

        Report.Write(path, Runs.ThreeFiles(), new() { Force = true });
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
            var error = Assert.Throws<IoBenchException>(() => Report.Write(path, Runs.ThreeFiles(), new() { Force = true }));
            Assert.Equal("IoBench.FileInUse", error.ErrorId);
        }
        Assert.Equal("precious", File.ReadAllText(path));
    }

    [Fact]
    public void A_failure_in_the_middle_leaves_the_old_file_and_no_rest()
    {
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");

        Assert.Throws<InvalidOperationException>(() => ReportFile.Write(path, true, stream =>
        {
            stream.Write(new byte[100]);
            throw new InvalidOperationException();
        }));
        var full = Assert.Throws<IoBenchException>(() => ReportFile.Write(path, true, _ => throw new IOException("No space left on device")));

        Assert.Equal("IoBench.CannotWrite", full.ErrorId);
        Assert.Contains("No space left on device", full.Message, StringComparison.Ordinal);
        Assert.Equal("precious", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [Fact]
    public void Until_it_is_whole_the_new_file_has_another_name()
    {
        // What kill -9 or a power failure would leave in the middle.
        var path = Path.Combine(_folder, "r.xlsx");
        File.WriteAllText(path, "precious");

        ReportFile.Write(path, true, stream =>
        {
            stream.Write("half"u8);
            stream.Flush();
            Assert.Equal("precious", File.ReadAllText(path));
            Assert.Equal(2, Directory.GetFiles(_folder).Length);
        });

        Assert.Equal("half", File.ReadAllText(path));
        Assert.Equal([path], Directory.GetFiles(_folder));
    }

    [FuseFact]
    public void A_full_disk_leaves_the_old_file_and_no_rest()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("r.xlsx");
        Report.Write(path, Runs.ThreeFiles(), new());
        var before = File.ReadAllBytes(path);

        disk.Rules("full-after 2");
        var error = Assert.Throws<IoBenchException>(() => Report.Write(path, Runs.SqlServerSuite(), new() { Force = true }));
        disk.Rules();

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.Contains("No space left on device", error.Message, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(path));
        Assert.DoesNotContain(Directory.GetFiles(disk.Mount), file => file.EndsWith(".tmp", StringComparison.Ordinal));
    }

    [FuseFact]
    public void A_disk_that_is_full_in_the_midst_of_a_long_sheet_is_said_too()
    {
        // Long sheets are compressed by another thread, whose failure must arrive.
        using var disk = new FaultyDisk();
        disk.Rules("full-after 3");

        var error = Assert.Throws<IoBenchException>(() => Report.Write(disk.Path("r.xlsx"), Runs.Many(6_000), new() { NoSummary = true }));

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.False(File.Exists(disk.Path("r.xlsx")));
    }

    [FuseFact]
    public void A_file_system_that_may_only_be_read_is_said()
    {
        using var disk = new FaultyDisk();
        var path = disk.Path("r.xlsx");
        Report.Write(path, Runs.ThreeFiles(), new());

        disk.Rules("read-only 1");
        var error = Assert.Throws<IoBenchException>(() => Report.Write(path, Runs.SqlServerSuite(), new() { Force = true }));

        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Theory]
    [InlineData("missing/r.xlsx", "IoBench.FolderNotFound")]
    [InlineData("r.pdf", "IoBench.UnknownReportFormat")]
    [InlineData("folder.xlsx", "IoBench.CannotWrite")]
    public void A_wrong_path_is_one_line_that_says_what_to_do(string name, string id)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "folder.xlsx"));

        var error = Assert.Throws<IoBenchException>(() => Report.Write(Path.Combine(_folder, name), Runs.ThreeFiles(), new()));

        Assert.Equal(id, error.ErrorId);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void A_folder_that_cannot_be_written_is_said()
    {
        // Nobody may create files in /proc; elsewhere there is no such folder to be sure of.
        if (!OperatingSystem.IsLinux())
            return;
        var error = Assert.Throws<IoBenchException>(() => Report.Write("/proc/r.xlsx", Runs.ThreeFiles(), new()));
        Assert.Equal("IoBench.CannotWrite", error.ErrorId);
    }

    [Fact]
    public void No_results_make_no_report()
    {
        var path = Path.Combine(_folder, "r.xlsx");

        Assert.Equal("IoBench.NoResults", Assert.Throws<IoBenchException>(() => Report.Write(path, [], new())).ErrorId);
        Assert.False(File.Exists(path));
    }
}
