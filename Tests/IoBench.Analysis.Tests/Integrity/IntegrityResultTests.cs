using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class IntegrityResultTests
{
    [Fact]
    public void Table_shows_the_verdict_and_the_errors_by_kind()
    {
        var run = CreateResult(
            new IoIntegrity
            {
                ReadCount = 12_410_233,
                ErrorCount = 7,
                ErrorsByKind =
                [
                    new() { Kind = IoIntegrityErrorKind.LostWrite, Count = 2 },
                    new() { Kind = IoIntegrityErrorKind.TornWrite, Count = 1 },
                    new() { Kind = IoIntegrityErrorKind.MisdirectedRead, Count = 1 },
                    new() { Kind = IoIntegrityErrorKind.BitFlip, Count = 3 },
                ],
                Evidence = ["/data/t.dat"],
            }
        );
        Assert.Equal(["FAIL", "12,410,233", "7", "2", "1", "0", "1", "3"], FormatRow(run));
        Assert.Equal("/data/t.dat (read-only)", IntegrityResult.DescribeEvidence(run));
        Assert.StartsWith("FAIL: ", IntegrityResult.Find([run])[0].Summary, StringComparison.Ordinal);
        Assert.Contains("/data/t.dat", IntegrityResult.Find([run])[0].Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Check_passes_only_after_the_final_pass()
    {
        var integrity = new IoIntegrity { ReadCount = 5 };
        var run = CreateResult(integrity);
        Assert.Equal("NOT RATED", FormatRow(run)[0]);
        integrity.FinalPass = new IoIntegrityPass { ByteCount = 4096 };
        Assert.Equal("PASS", FormatRow(run)[0]);
        integrity.Unverified.Add(new IoUnverifiedContent { Reason = IoUnverifiedReason.Copy, ByteCount = 4096 });
        Assert.Equal("NOT VERIFIED", FormatRow(run)[0]);
    }

    [Fact]
    public void Run_that_ended_before_its_check_is_not_rated_and_marked()
    {
        var run = CreateResult(null);
        run.Status = IoResultStatus.Cancelled;
        Assert.Equal(["NOT RATED", "", "", "", "", "", "", ""], FormatRow(run));
        Assert.Equal("canceled", IntegrityResult.DescribeEvidence(run));
    }

    private static string[] FormatRow(IoTestResult run) =>
        [.. IntegrityResult.Columns.Select(column => IntegrityResult.Format(column.Header, run))];

    private static IoTestResult CreateResult(IoIntegrity? integrity) =>
        new()
        {
            Path = "/data/t.dat",
            Status = IoResultStatus.Complete,
            Integrity = integrity,
        };
}
