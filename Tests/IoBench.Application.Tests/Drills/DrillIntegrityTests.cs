using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class DrillIntegrityTests : IDisposable
{
    private const int Block = 8192;
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-drill-").FullName;

    public void Dispose()
    {
        foreach (var file in Directory.GetFiles(_folder))
            File.SetAttributes(file, FileAttributes.Normal);
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void Reverted_file_has_lost_writes_and_is_kept_as_evidence()
    {
        var path = Path.Combine(_folder, "d.dat");
        byte[]? before = null;
        var (result, events) = RunDrill(
            path,
            writes: record =>
            {
                // As after a failover to a replica that lags.
                if (before is null && record > 100)
                    before = ReadFile(path);
                else if (before is not null && record > 400)
                    return WriteFile(path, before);
                return false;
            }
        );
        var integrity = result.Integrity!;
        Assert.Contains(integrity.ErrorsByKind, count => count is { Kind: IoIntegrityErrorKind.LostWrite, Count: > 20 });
        Assert.Equal([path], integrity.Evidence);
        Assert.NotNull(TestFiles.ReadEvidence(path));
        Assert.Contains(result.Findings, finding => finding.Code == "Integrity.LostWrite" && finding.Severity == FindingSeverity.Critical);
        var told = events.FindAll(happened => happened.Event == DrillEventKind.Mismatch);
        Assert.Equal(Math.Min(100, integrity.ErrorCount), told.Count);
        Assert.All(told, happened => Assert.NotNull(happened.Error));
        Assert.StartsWith(
            "lost write: ",
            told.First(happened => happened.Error!.Kind == IoIntegrityErrorKind.LostWrite).Text,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Zeroed_blocks_are_reported_as_zeros()
    {
        var path = Path.Combine(_folder, "d.dat");
        var (result, _) = RunDrill(
            path,
            writes: record =>
            {
                if (record < 50)
                    return false;
                var bytes = ReadFile(path);
                for (var at = 0; at < bytes.Length; at += 4 * Block)
                    bytes.AsSpan(at, Block).Clear();
                return WriteFile(path, bytes);
            }
        );
        Assert.Contains(result.Integrity!.ErrorsByKind, count => count is { Kind: IoIntegrityErrorKind.Zeros, Count: > 10 });
    }

    [Fact]
    public void Intact_file_is_read_completely_before_and_after_and_passes()
    {
        var path = Path.Combine(_folder, "d.dat");
        var (result, events) = RunDrill(path, writes: done => done > 200);
        var integrity = result.Integrity!;
        Assert.Equal((0, 8 << 20, 8 << 20), (integrity.ErrorCount, integrity.FirstPass!.ByteCount, integrity.FinalPass!.ByteCount));
        Assert.Equal((result.ReadCount, result.WriteCount), (integrity.ReadCount, integrity.WriteCount));
        Assert.Contains(result.Findings, finding => finding is { Code: FindingCodes.IntegrityVerified, Outcome: VerdictOutcome.Pass });
        Assert.DoesNotContain(events, happened => happened.Event == DrillEventKind.Mismatch);
        Assert.Null(TestFiles.ReadEvidence(path));
        // IoBench still owns the file, so another drill can use it.
        Assert.Equal(0, RunDrill(path, writes: done => done > 50).Result.Integrity!.ErrorCount);
    }

    /// <summary>Runs a drill until 0.5 s after <paramref name="writes"/>, which gets the number of completed I/Os, returns true.</summary>
    private static (DrillResult Result, List<DrillEvent> Events) RunDrill(string path, Func<long, bool> writes)
    {
        var events = new List<DrillEvent>();
        var seconds = 0.0;
        var plan = DrillPlan.Create(path, new OptionValues(OptionTables.Drill));
        plan = plan with { Test = plan.Test.Clone() };
        (plan.Test.FileSize, plan.Test.TargetIops, plan.Test.Duration) = (8 << 20, 500, TimeSpan.FromMinutes(2));
        double? since = null;
        var result = DrillRunner.Run(
            plan,
            new TestRunOptions(),
            (_, remaining) => seconds = plan.Test.Duration.TotalSeconds - remaining ?? seconds,
            events.Add,
            () =>
            {
                if (since is null && writes((long)(seconds * 500)))
                    since = seconds;
                return since is { } moment && seconds > moment + 0.5;
            },
            default
        );
        return (result, events);
    }

    private static byte[] ReadFile(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        var bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        return bytes;
    }

    private static bool WriteFile(string path, byte[] bytes)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
        file.Write(bytes);
        return true;
    }
}
