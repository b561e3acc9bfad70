using IoBench.Engine;

namespace IoBench.Application.Tests;

public class HistoryQueryTests
{
    private static IoTestResult Run(string workload, string computer, int day) =>
        new()
        {
            Workload = workload,
            ComputerName = computer,
            StartTime = new DateTimeOffset(new DateTime(2026, 1, day)),
        };

    private static IEnumerable<string?> Wanted(params (string Name, object Value)[] given)
    {
        var values = new OptionValues(OptionTables.History);
        foreach (var (name, value) in given)
            values.Set(name, value);
        return new HistoryQuery(values)
            .Wanted([Run("page-read", "SQL2", 3), Run("log-commit", "SQL1", 2), Run("page-write", "SQL1", 1)])
            .Select(run => run.Workload);
    }

    [Fact]
    public void Results_are_chosen_by_workload_computer_and_day_in_order_of_time()
    {
        Assert.Equal(["page-write", "log-commit", "page-read"], Wanted());
        Assert.Equal(["page-write", "page-read"], Wanted(("Workload", "PAGE*")));
        Assert.Equal(["page-write", "log-commit"], Wanted(("Workload", "log-*,page-*"), ("ComputerName", new[] { "sql1" })));
        Assert.Equal(["log-commit", "page-read"], Wanted(("Since", "2026-01-02")));
        Assert.Equal(["page-read"], Wanted(("Since", new DateTime(2026, 1, 3))));
    }

    [Fact]
    public void What_is_no_day_is_refused_by_the_option()
    {
        var error = Assert.Throws<IoBenchException>(() => Wanted(("Since", "yesterday")));
        Assert.Equal("IoBench.InvalidDate", error.ErrorId);
        Assert.StartsWith("--since: 'yesterday' is not a day", error.Text.Render(ProgramSpelling.Default), StringComparison.Ordinal);
    }

    [Fact]
    public void The_help_names_the_figures_of_open_loops() =>
        Assert.EndsWith(
            "Default IOPS,AverageLatencyMs; of open loops ResponseAverageMs in place of AverageLatencyMs.",
            OptionTables.History.Single(row => row.Name == "Metric").FullHelp,
            StringComparison.Ordinal
        );
}
