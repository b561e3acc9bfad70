using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>The warnings of a set, each kind once.</summary>
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
        var digest = WarningDigest.Of([Of("/old/a.txt", null, "Line 3: a part of a run only."), Of("/old/b.txt", "8KB random read", "slow")]);
        Assert.Equal(["a.txt line 3: a part of a run only.", "8KB random read: slow"], digest.Select(warning => warning.ToString()));
    }

    [Fact]
    public void Of_one_file_a_line_is_enough()
    {
        var digest = WarningDigest.Of([Of("/old/a.txt", null, "Line 3: a part of a run only."), Of("/old/a.txt", "8KB random read", "slow")]);
        Assert.Equal("Line 3: a part of a run only.", digest[0].ToString());
    }

    [Fact]
    public void The_same_of_several_files_is_one_line()
    {
        var digest = WarningDigest.Of([Of("/old/a.txt", "8KB random read", "line 3: no histogram."), Of("/old/b.txt", "4KB random read", "line 7: no histogram.")]);
        Assert.Equal("all 2 tests: a.txt line 3: no histogram.", Assert.Single(digest).ToString());
    }
}
