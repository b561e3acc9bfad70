using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class WarningDigestTests
{
    private static IoTestResult Of(string file, string? pattern, string warning)
    {
        var result = new IoTestResult { SourceFile = file, IOPattern = pattern };
        result.Warnings.Add(warning);
        return result;
    }

    [Fact]
    public void A_line_keeps_its_file_where_there_are_several()
    {
        var digest = WarningDigest.Of([
            Of("/old/a.txt", null, "Line 3: a part of a run only."),
            Of("/old/b.txt", "8KB random read", "slow"),
        ]);
        Assert.Equal(["a.txt line 3: a part of a run only.", "8KB random read: slow"], digest.Select(warning => warning.ToString()));
    }

    [Fact]
    public void Of_one_file_a_line_is_enough()
    {
        var digest = WarningDigest.Of([
            Of("/old/a.txt", null, "Line 3: a part of a run only."),
            Of("/old/a.txt", "8KB random read", "slow"),
        ]);
        Assert.Equal("Line 3: a part of a run only.", digest[0].ToString());
    }

    [Fact]
    public void The_same_of_several_files_is_one_line()
    {
        var digest = WarningDigest.Of([
            Of("/old/a.txt", "8KB random read", "line 3: no histogram."),
            Of("/old/b.txt", "4KB random read", "line 7: no histogram."),
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
    public void Figures_that_differ_become_a_range(string first, string second, string third, string expected)
    {
        IoTestResult Tested(string warning)
        {
            var result = new IoTestResult();
            result.AddWarning(new IoWarning("x", IoText.FromTemplate(warning)));
            return result;
        }

        Assert.Equal(expected, Assert.Single(WarningDigest.Of([Tested(first), Tested(second), Tested(third)])).Warning.ToString());
    }

    [Fact]
    public void Where_paths_differ_the_first_sentence_stays()
    {
        IoTestResult In(string path, int percent)
        {
            var result = new IoTestResult { Path = path };
            result.AddWarning(new IoWarning("x", $"{path} is full to {percent} %."));
            return result;
        }

        Assert.Equal("/a is full to 3 %.", Assert.Single(WarningDigest.Of([In("/a", 3), In("/other", 5)])).Warning.ToString());
    }
}
