namespace IoBench.Cli.Tests.Commands;

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
        Assert.Equal(names.Length, outcome.OutputLines.Skip(2).Count());
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
