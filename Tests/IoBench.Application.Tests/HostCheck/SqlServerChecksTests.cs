using IoBench.Analysis;

namespace IoBench.Application.Tests;

public class SqlServerChecksTests
{
    [Theory]
    [InlineData(false, "xfs", "PASS")]
    [InlineData(false, "ext4", "PASS")]
    [InlineData(false, "nfs4", "WARNING")]
    [InlineData(false, "btrfs", "FAIL")]
    [InlineData(false, "tmpfs", "FAIL")]
    [InlineData(false, "overlay", "FAIL")]
    [InlineData(false, "9p", "FAIL")]
    [InlineData(false, null, "NOT RATED")]
    [InlineData(true, "NTFS", "PASS")]
    [InlineData(true, "ReFS", "PASS")]
    [InlineData(true, "FAT32", "WARNING")]
    public void File_system_is_rated_by_what_SQL_Server_supports(bool isWindows, string? fileSystem, string word)
    {
        var check = SqlServerChecks.CheckFileSystem(isWindows, fileSystem, isCompressed: false);
        Assert.Equal(word, check.Word);
        Assert.Equal(word is "FAIL" or "WARNING", check.WhatToDo is not null);
    }

    [Theory]
    [InlineData(true, "NTFS")]
    [InlineData(false, "btrfs")]
    public void Compressed_file_system_fails(bool isWindows, string fileSystem) =>
        Assert.Equal(VerdictOutcome.Fail, SqlServerChecks.CheckFileSystem(isWindows, fileSystem, isCompressed: true).Outcome);

    [Theory]
    [InlineData("xfs", "4.18", "yes", true)]
    [InlineData("xfs", "4.17", "yes", false)]
    [InlineData("ext4", "5.6", "yes", true)]
    [InlineData("ext4", "5.5", "yes", false)]
    [InlineData("ext4", "6.1", "no", false)]
    public void Commit_settings_depend_on_FUA_file_system_and_kernel(string fileSystem, string kernel, string fua, bool usesFua)
    {
        var check = SqlServerChecks.CheckCommitSettings(fileSystem, Version.Parse(kernel), fua);
        Assert.Equal(VerdictOutcome.Pass, check.Outcome);
        Assert.Contains(
            usesFua
                ? "control.alternatewritethrough 0, and trace flag 3979"
                : "control.alternatewritethrough 1. Do not set trace flag 3979 (3982 is the default)",
            check.Text,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("btrfs", "yes")]
    [InlineData("ext4", null)]
    public void Commit_settings_are_not_rated_without_the_facts(string fileSystem, string? fua) =>
        Assert.Equal(VerdictOutcome.NotRated, SqlServerChecks.CheckCommitSettings(fileSystem, new Version(6, 1), fua).Outcome);

    [Theory]
    [InlineData(512, 512, "PASS", "If a replica has sectors of 4 KB, use trace flag 1800 on this server.")]
    [InlineData(4096, 4096, "PASS", "If a replica has sectors of 512 bytes, use trace flag 1800 on that server.")]
    [InlineData(512, 4096, "WARNING", "If a replica has physical sectors of 512 bytes, use trace flag 1800 on that server.")]
    [InlineData(512, 8192, "FAIL", "set ForcedPhysicalSectorSizeInBytes of stornvme")]
    [InlineData(512, 16384, "FAIL", "SQL Server 2022 does not start on Windows 11 or Windows Server 2022 with sectors larger than 4 KB.")]
    [InlineData(4096, 16384, "FAIL", "Alternatively, format the device with sectors of 4 KB.")]
    public void Sectors_are_rated_by_what_SQL_Server_supports(int logical, int physical, string word, string text)
    {
        var check = SqlServerChecks.CheckSectors(
            logical,
            physical,
            (sizes, figures) => SqlServerChecks.RateEmulatedSectors(logical, sizes, figures, [2, 2.1, 1.9], [1, 0.9, 1.1])
        );
        Assert.Equal(word, check.Word);
        Assert.Contains(text, check.Text, StringComparison.Ordinal);
        Assert.NotNull(check.Source);
        if (word == "WARNING")
            Assert.Contains(
                "takes 2.000 ms, and a log write of 4 KB takes 1.000 ms, so small log writes are slower.",
                check.Found,
                StringComparison.Ordinal
            );
    }

    [LinuxFact]
    public void Folders_are_checked_one_after_the_other_and_the_computer_once()
    {
        using var first = new TemporarySuiteFolder();
        using var second = new TemporarySuiteFolder();
        var report = HostCheckRunner.Run([first.Path, second.Path], null, CancellationToken.None);
        Assert.Single(report.Checks, check => check.Finding.Code == FindingCodes.CheckPrefix + "Clock" && check.Path is null);
        Assert.Equal(
            [first.Path, second.Path],
            report.Checks.Where(check => check.Finding.Code == FindingCodes.CheckPrefix + "FileSystem").Select(check => check.Path)
        );
        Assert.Equal(2, report.Storage.Count);
        Assert.Empty(Directory.EnumerateFileSystemEntries(first.Path).Concat(Directory.EnumerateFileSystemEntries(second.Path)));
    }
}
