using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class WarningSummaryTests
{
    private static IoTestResult CreateResult(string file, string? pattern, string warning)
    {
        var result = new IoTestResult { SourceFile = file, IOPattern = pattern };
        result.Warnings.Add(warning);
        return result;
    }

    [Fact]
    public void Line_number_has_its_file_name_for_several_files()
    {
        var digest = WarningSummary.Summarize([
            CreateResult("/old/a.txt", null, "Line 3: a part of a run only."),
            CreateResult("/old/b.txt", "8KB random read", "slow"),
        ]);
        Assert.Equal(["a.txt line 3: a part of a run only.", "8KB random read: slow"], digest.Select(warning => warning.ToString()));
    }

    [Fact]
    public void Line_number_has_no_file_name_for_one_file()
    {
        var digest = WarningSummary.Summarize([
            CreateResult("/old/a.txt", null, "Line 3: a part of a run only."),
            CreateResult("/old/a.txt", "8KB random read", "slow"),
        ]);
        Assert.Equal("Line 3: a part of a run only.", digest[0].ToString());
    }

    [Fact]
    public void Same_warning_of_several_files_is_one_line()
    {
        var digest = WarningSummary.Summarize([
            CreateResult("/old/a.txt", "8KB random read", "line 3: no histogram."),
            CreateResult("/old/b.txt", "4KB random read", "line 7: no histogram."),
        ]);
        Assert.Equal("both tests: a.txt line 3: no histogram.", Assert.Single(digest).ToString());
    }

    [Theory]
    [InlineData(
        "IOPS vary by 0.45 of their mean (more than 0.30 is a lot).",
        "IOPS vary by 0.6 of their mean (more than 0.30 is a lot).",
        "IOPS vary by 0.31 of their mean (more than 0.30 is a lot).",
        "IOPS vary by 0.31 to 0.6 of their mean (more than 0.30 is a lot)."
    )]
    [InlineData("1,900 of 20 MiB/s (9 %)", "900 of 20 MiB/s (10 %)", "901 of 20 MiB/s (11 %)", "900 to 1,900 of 20 MiB/s (9 to 11 %)")]
    [InlineData(
        "processor 3 was busy for 5 s.",
        "processor 7 was busy for 6 s.",
        "processor 5 was busy for 5.5 s.",
        "processor 3 was busy for 5 to 6 s."
    )]
    [InlineData("stalls of 1 to 2 s", "stalls of 2 to 3 s", "stalls of 4 to 5 s", "stalls of 1 to 2 s")]
    [InlineData("/data/io1.dat: slow by 2 %", "/data/io2.dat: slow by 2 %", "/data/io3.dat: slow by 2 %", "/data/io1.dat: slow by 2 %")]
    [InlineData(
        "{Threads=4} is too much: 3 %",
        "{Threads=8} is too much: 4 %",
        "{Threads=2} is too much: 4 %",
        "Threads 4 is too much: 3 to 4 %"
    )]
    public void Different_numbers_in_a_warning_become_a_range(string first, string second, string third, string expected)
    {
        IoTestResult Tested(string warning)
        {
            var result = new IoTestResult();
            result.AddWarning(new IoWarning("x", IoMessage.FromTemplate(warning)));
            return result;
        }

        Assert.Equal(expected, Assert.Single(WarningSummary.Summarize([Tested(first), Tested(second), Tested(third)])).Warning.ToString());
    }

    [Fact]
    public void First_warning_is_shown_when_only_paths_differ()
    {
        IoTestResult In(string path, int percent)
        {
            var result = new IoTestResult { Path = path };
            result.AddWarning(new IoWarning("x", $"{path} is full to {percent} %."));
            return result;
        }

        Assert.Equal("/a is full to 3 %.", Assert.Single(WarningSummary.Summarize([In("/a", 3), In("/other", 5)])).Warning.ToString());
    }
}
