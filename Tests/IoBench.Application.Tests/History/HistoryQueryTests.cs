using IoBench.Engine;

namespace IoBench.Application.Tests;

public class HistoryQueryTests
{
    private static IoTestResult CreateRun(string workload, string computer, int day) =>
        new()
        {
            Workload = workload,
            ComputerName = computer,
            StartTime = new DateTimeOffset(new DateTime(2026, 1, day)),
        };

    private static IEnumerable<string?> SelectWorkloads(params (string Name, object Value)[] given)
    {
        var values = new OptionValues(OptionTables.History);
        foreach (var (name, value) in given)
            values.Set(name, value);
        return new HistoryQuery(values)
            .SelectResults([CreateRun("page-read", "SQL2", 3), CreateRun("log-commit", "SQL1", 2), CreateRun("page-write", "SQL1", 1)])
            .Select(run => run.Workload);
    }

    [Fact]
    public void Results_are_filtered_by_workload_computer_and_day_in_time_order()
    {
        Assert.Equal(["page-write", "log-commit", "page-read"], SelectWorkloads());
        Assert.Equal(["page-write", "page-read"], SelectWorkloads(("Workload", "PAGE*")));
        Assert.Equal(["page-write", "log-commit"], SelectWorkloads(("Workload", "log-*,page-*"), ("ComputerName", new[] { "sql1" })));
        Assert.Equal(["log-commit", "page-read"], SelectWorkloads(("Since", "2026-01-02")));
        Assert.Equal(["page-read"], SelectWorkloads(("Since", new DateTime(2026, 1, 3))));
    }

    [Fact]
    public void Invalid_date_throws_with_the_option_name()
    {
        var error = Assert.Throws<IoBenchException>(() => SelectWorkloads(("Since", "yesterday")));
        Assert.Equal("IoBench.InvalidDate", error.ErrorId);
        Assert.StartsWith("--since: 'yesterday' is not a date", error.Text.Render(CliSpelling.Default), StringComparison.Ordinal);
    }

    [Fact]
    public void Metric_help_names_the_metrics_of_open_loops() =>
        Assert.EndsWith(
            "Default: IOPS,AverageLatencyMs; for open loops, ResponseAverageMs instead of AverageLatencyMs.",
            OptionTables.History.Single(row => row.Name == "Metric").FullHelp,
            StringComparison.Ordinal
        );
}
