namespace IoBench.Cli.Tests;

/// <summary>Roles on real small files; what is asserted does not depend on speed.</summary>
public class RoleTests
{
    [Fact]
    public void RolesRunAloneAndThenAtOnce()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Execute(folder.Path, ["run", "--data-path", "./data.dat", "--log-path", "./log.dat", "--size", "8MB", "--duration", "200ms", "--warm-up", "0"]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        string[] names = ["page-read", "checkpoint", "log-commit", "all-roles"];
        // Then what each role lost: a heading and a row a pattern.
        Assert.Equal(names.Length + 5, outcome.OutputLines.Skip(2).Count());
        Assert.Contains(" 3 patterns at once ", outcome.OutputLines[5]);
        Assert.Equal(["data", "data", "log"], outcome.OutputLines.TakeLast(3).Select(line => line.Split(' ')[0]));
        Assert.All(outcome.OutputLines, line => Assert.InRange(line.Length, 1, 120));
        Assert.All(outcome.OutputLines.Skip(2).Zip(names), row => Assert.Contains($" {row.Second} ", row.First));
        Assert.Contains("data (8KB random read) gives ", outcome.Error);
        Assert.Contains("data (16KB random write) gives ", outcome.Error);
        Assert.Contains("A commit (4KB sequential write) waits ", outcome.Error);
    }

    [Theory]
    [InlineData("Only one role has a path", "run", "--log-path", "l.dat")]
    [InlineData("a workload exclude each other", "run", "--log-path", "l.dat", "--data-path", "d.dat", "--workload", "oltp")]
    [InlineData("paths without a role exclude each other", "run", "x.dat", "--log-path", "l.dat", "--data-path", "d.dat")]
    public void WhatMakesNoSenseIsRefused(string message, params string[] args)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Execute(folder.Path, args);
        Assert.Equal(2, outcome.ExitCode);
        Assert.Contains(message, outcome.Error);
        Assert.Empty(folder.Listing());
    }
}
