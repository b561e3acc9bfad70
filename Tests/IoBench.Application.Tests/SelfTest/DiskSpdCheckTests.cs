using IoBench.Engine;

namespace IoBench.Application.Tests;

public sealed class DiskSpdCheckTests : IDisposable
{
    private readonly TemporaryDiskFolder _folder = new();

    private const string Load = "8 KB random reads, 1 outstanding";

    [Fact]
    public void Equal_tools_pass_with_difference_and_confidence_interval()
    {
        var check = DiskSpdCheck.CreateCheck(Load, [(1000, 1002), (1010, 1005), (990, 992), (1000, 999)]);
        Assert.Equal(SelfTestOutcome.Pass, check.Outcome);
        Assert.Matches(
            @"^8 KB random reads, 1 outstanding: 1,000 IOPS, DiskSpd 1,000: [+-]?0\.\d % \(-0\.\d to \+0\.\d %, 95 % of 4 pairs of 2 s in turns\)\.$",
            check.Found
        );
    }

    [Fact]
    public void Different_tools_fail_whichever_is_faster()
    {
        Assert.Equal(SelfTestOutcome.Fail, DiskSpdCheck.CreateCheck(Load, [(1000, 1200), (1010, 1205), (990, 1192), (1000, 1199)]).Outcome);
        Assert.Equal(SelfTestOutcome.Fail, DiskSpdCheck.CreateCheck(Load, [(1200, 1000), (1205, 1010), (1192, 990), (1199, 1000)]).Outcome);
    }

    [Fact]
    public void Difference_on_a_busy_computer_is_inconclusive()
    {
        var check = DiskSpdCheck.CreateCheck(Load, [(1000, 1200), (1010, 1205), (990, 1192), (1000, 1199)], isBusy: true);
        Assert.Equal(SelfTestOutcome.CannotTell, check.Outcome);
        Assert.EndsWith("All processors were busy.", check.Found, StringComparison.Ordinal);
    }

    [Fact]
    public void Varying_storage_is_inconclusive()
    {
        var check = DiskSpdCheck.CreateCheck(Load, [(1000, 1500), (1400, 900), (1200, 1250), (800, 1000)]);
        Assert.Equal(SelfTestOutcome.CannotTell, check.Outcome);
        Assert.Contains("varies too much", check.WhatToDo!, StringComparison.Ordinal);
    }

    /// <summary>Uses a script that prints an output of DiskSpd 2.1 with 26,482 IOPS.</summary>
    [RequiresFact("sh")]
    public void DiskSpd_output_is_read_and_its_file_is_removed()
    {
        var sample = Path.Combine(SampleFiles.RepositoryRoot, "Tests", "samples", "diskspd-runs", "v21-Sh.out");
        var checks = RunComparison(
            $"""echo "$*" >> '{_folder.GetPath("calls")}'; for word do last=$word; done; test -s "$last" && cat '{sample}'"""
        );
        Assert.Equal(4, checks.Count);
        Assert.All(checks, check => Assert.Contains("DiskSpd 26,482:", check.Found, StringComparison.Ordinal));
        Assert.All(
            checks,
            check => Assert.Equal(26481.82, check.Finding.Evidence.Single(figure => figure.Name == "DiskSpd").Value!.Value, 0.01)
        );
        Assert.Equal(
            ["8 KB random reads, 1", "8 KB random reads, 32", "8 KB random writes, 1", "8 KB random writes, 32"],
            checks.Select(check => check.Found.Split(" outstanding")[0])
        );
        var calls = File.ReadAllLines(_folder.GetPath("calls"));
        Assert.Equal(8, calls.Length);
        Assert.StartsWith("-b8K -d2 -W0 -C0 -t1 -o32 -r -w100 -Sh -L -Z1M ", calls[^1], StringComparison.Ordinal);
        Assert.Equal(["calls", "diskspd"], _folder.Names);
    }

    [RequiresFact("sh")]
    public void Failed_DiskSpd_is_inconclusive()
    {
        var checks = RunComparison("echo 'no such file' >&2; exit 1");
        Assert.All(checks, check => Assert.Equal(SelfTestOutcome.CannotTell, check.Outcome));
        Assert.All(
            checks,
            check =>
                Assert.EndsWith("DiskSpd ended with exit code 1 and without a result: no such file.", check.Found, StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Missing_DiskSpd_throws_before_any_check()
    {
        var request = new SelfTestRequest { Folder = _folder.Path, DiskSpdPath = _folder.GetPath("none.exe") };
        Assert.Equal(
            "IoBench.FileNotFound",
            Assert
                .Throws<IoBenchException>(() => SelfTestRunner.Run(request, _ => Assert.Fail("nothing is checked"), CancellationToken.None))
                .ErrorId
        );
        Assert.Empty(_folder.Names);
    }

    [Fact]
    public void Comparison_is_skipped_without_DiskSpd()
    {
        var context = SelfTestContext.Open(new SelfTestRequest { Folder = _folder.Path }, CancellationToken.None);
        Assert.Empty(DiskSpdCheck.CompareWithDiskSpd(context));
        Assert.Null(context.Close());
    }

    public void Dispose() => _folder.Dispose();

    private List<SelfTestCheck> RunComparison(string script)
    {
        var path = _folder.GetPath("diskspd");
        File.WriteAllText(path, "#!/bin/sh\n" + script + "\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        var context = SelfTestContext.Open(
            new SelfTestRequest
            {
                Folder = _folder.Path,
                DiskSpdPath = path,
                DiskSpdPairs = 2,
            },
            CancellationToken.None
        );
        try
        {
            return [.. DiskSpdCheck.CompareWithDiskSpd(context)];
        }
        finally
        {
            Assert.Null(context.Close());
        }
    }
}
