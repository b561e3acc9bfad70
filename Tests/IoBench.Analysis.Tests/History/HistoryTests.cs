using IoBench.Engine;
using IoBench.Formats;
using static IoBench.Tests.DailyResults;

namespace IoBench.Analysis.Tests;

public sealed class HistoryTests : TemporaryFolderTestBase
{
    [Fact]
    public void History_is_read_from_a_folder_of_result_files()
    {
        Directory.CreateDirectory(Folder);
        using (var writer = new StreamWriter(Path.Combine(Folder, "night.json")))
            ResultWriter.Write(writer, [CreateForDay(0, 1000)], ResultFormat.Json);
        Assert.Single(ResultHistory.Read(Folder));
        Assert.Equal(
            "IoBench.FileNotFound",
            Assert.Throws<IoBenchException>(() => ResultHistory.Read(Path.Combine(Folder, "no.jsonl"))).ErrorId
        );
    }

    [LinuxFact]
    public void History_opens_each_file_once_and_skips_incomplete_lines()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllLines(
            Path.Combine(Folder, "a.jsonl"),
            [
                ResultHistory.FormatLine(CreateForDay(0, 1000)),
                ResultHistory.FormatLine(CreateForDay(1, 1010))[..200],
                "",
                ResultHistory.FormatLine(CreateForDay(2, 1020)),
            ]
        );
        File.WriteAllLines(
            Path.Combine(Folder, "b.jsonl"),
            Enumerable.Range(3, 1500).Select(night => ResultHistory.FormatLine(CreateForDay(night, 1000)))
        );
        Assert.True(new FileInfo(Path.Combine(Folder, "b.jsonl")).Length > 1 << 20);
        using (var writer = new StreamWriter(Path.Combine(Folder, "c.json")))
            ResultWriter.Write(writer, Enumerable.Range(0, 100).Select(night => CreateForDay(night, 900)), ResultFormat.Json);
        using var openings = new FileOpenCounter(Folder);
        List<string> warnings = [];

        Assert.Equal(1602, ResultHistory.Read(Folder, warnings.Add).Count);

        Assert.Equal([$"{Path.Combine(Folder, "a.jsonl")} line 2 is not a complete result, so IoBench ignores it."], warnings);
        Assert.Equal(["a.jsonl 1", "b.jsonl 1", "c.json 1"], openings.GetCounts().Select(file => $"{file.Key} {file.Value}").Order());
    }

    [Fact]
    public void Folder_without_results_throws()
    {
        Directory.CreateDirectory(Folder);
        File.WriteAllText(Path.Combine(Folder, "notes.txt"), "nothing");
        Assert.Equal("IoBench.NoResultFiles", Assert.Throws<IoBenchException>(() => ResultHistory.Read(Folder)).ErrorId);
    }

    [Fact]
    public void Decline_is_worse_and_noise_is_steady()
    {
        var random = new Random(5);
        var nights = Enumerable
            .Range(0, 60)
            .SelectMany(day =>
                new[]
                {
                    CreateForDay(day, 1000 - 2 * day + 20 * (random.NextDouble() - 0.5)),
                    CreateForDay(day, 1000 + 60 * (random.NextDouble() - 0.5), "SQL2"),
                }
            )
            .ToList();
        var trends = HistoryTrend.Analyze(nights);
        Assert.Equal(
            ["SQL1 IOPS Worse", "SQL1 AverageLatencyMs Worse", "SQL2 IOPS Steady", "SQL2 AverageLatencyMs Steady"],
            trends.Select(t => $"{t.ComputerName} {t.Metric} {t.Direction}")
        );
        Assert.Equal(-2, trends[0].SlopePerDay!.Value, 1);
        Assert.InRange(trends[0].ChangePercent!.Value, -13.5, -11.5); // 118 of a mean of 941
        Assert.True(trends[0].PercentPerMonthLow < trends[0].PercentPerMonth && trends[0].PercentPerMonth < trends[0].PercentPerMonthHigh);
        Assert.Null(trends[0].Step);
        Assert.StartsWith(
            "page-read on SQL1: worse. Over 59 days, IOPS changed gradually by -12",
            trends[0].Summary,
            StringComparison.Ordinal
        );
        Assert.Contains("%. The latest value is ", trends[0].Summary);
    }

    [Fact]
    public void Few_runs_or_a_single_time_have_no_trend()
    {
        Assert.Equal(
            TrendDirection.TooFew,
            HistoryTrend.Analyze([CreateForDay(0, 1000), CreateForDay(1, 900)], ["iops"]).Single().Direction
        );
        Assert.Contains(
            "; 1 run is too few for a trend, which requires 8 runs at different times.",
            HistoryTrend.Analyze([CreateForDay(0, 1000)], ["IOPS"]).Single().Summary
        );
        Assert.Contains(
            "; 2 runs are too few for a trend",
            HistoryTrend.Analyze([CreateForDay(0, 1000), CreateForDay(1, 900)], ["IOPS"]).Single().Summary
        );
        Assert.Equal(
            TrendDirection.TooFew,
            HistoryTrend.Analyze(Enumerable.Range(0, 9).Select(i => CreateForDay(0, 1000 - i)), ["IOPS"]).Single().Direction
        );
        Assert.Equal(
            "IoBench.UnknownMetric",
            Assert.Throws<IoBenchException>(() => HistoryTrend.Analyze([CreateForDay(0, 1)], ["Speed"])).ErrorId
        );
        Assert.Equal(
            "IoBench.NoHistory",
            Assert.Throws<IoBenchException>(() => HistoryTrend.Analyze([new IoTestResult { IOPS = 1 }])).ErrorId
        );
    }

    [Fact]
    public void Runs_within_a_day_count_as_one_day()
    {
        var runs = Enumerable
            .Range(0, 9)
            .Select(i =>
            {
                var run = CreateForDay(0, 1000);
                run.StartTime = run.StartTime!.Value.AddHours(3 * i);
                return run;
            });
        Assert.EndsWith("over 9 runs in 1 day.", HistoryTrend.Analyze(runs, ["IOPS"]).Single().Summary);
    }

    // The five repeats of a day share a level. Ten such levels must not be treated as fifty independent runs.
    [Fact]
    public void Repeats_of_a_day_are_one_point_of_the_trend()
    {
        double[] levels = [1000, 1080, 1010, 1090, 1000, 1100, 1020, 1080, 1070, 1095];
        var nights = levels
            .SelectMany(
                (level, day) =>
                    Enumerable
                        .Range(1, 5)
                        .Select(repeat =>
                        {
                            var night = CreateForDay(day, level + repeat);
                            (night.Repeat, night.StartTime) = (repeat, night.StartTime!.Value.AddMinutes(repeat));
                            return night;
                        })
            )
            .ToList();
        var trend = HistoryTrend.Analyze(nights, ["IOPS"]).Single();
        Assert.Equal((50, 10), (trend.Runs, trend.Points.Count));
        Assert.Equal(1003, trend.Points[0].Value);
        Assert.Equal(TrendDirection.Steady, trend.Direction);
        nights.ForEach(n => n.Repeat = null);
        Assert.Equal(50, HistoryTrend.Analyze(nights, ["IOPS"]).Single().Points.Count);
    }

    [Fact]
    public void Trend_line_fits_a_linear_decline()
    {
        var trend = HistoryTrend.Analyze(Enumerable.Range(0, 9).Select(day => CreateForDay(day, 1000 - 20 * day)), ["IOPS"]).Single();
        Assert.Equal(1000, trend.GetLineAt(FirstRun)!.Value, 6);
        Assert.Equal(840, trend.GetLineAt(FirstRun.AddDays(8))!.Value, 6);
    }

    [Fact]
    public void Change_per_month_requires_a_month_of_data()
    {
        var trend = HistoryTrend.Analyze(Enumerable.Range(0, 14).Select(day => CreateForDay(day, 1000 - 25 * day)), ["IOPS"]).Single();
        Assert.Equal(TrendDirection.Worse, trend.Direction);
        Assert.Null(trend.PercentPerMonth);
        Assert.EndsWith("%. The latest value is 675.", trend.Summary);
        Assert.NotNull(
            HistoryTrend
                .Analyze(Enumerable.Range(0, 31).Select(day => CreateForDay(day, 1000 - 10 * day)), ["IOPS"])
                .Single()
                .PercentPerMonth
        );
    }

    [Fact]
    public void Step_has_its_day_and_the_host_changes()
    {
        var nights = Enumerable.Range(0, 30).Select(day => CreateForDay(day, (day < 17 ? 1000 : 850) + day * 7 % 5)).ToList();
        foreach (var (night, day) in nights.Select((night, day) => (night, day)))
            night.Host = new()
            {
                ["Kernel"] = day < 17 ? "6.1.0-18" : "6.1.0-21",
                ["Mount options"] = "rw,noatime",
                ["Volume free"] = $"{day} GB",
            };
        var trend = HistoryTrend.Analyze(nights, ["IOPS"]).Single();
        Assert.Equal((TrendDirection.Worse, FirstRun.AddDays(17)), (trend.Direction, trend.Step!.Time));
        Assert.Equal(-15, trend.ChangePercent!.Value, 0);
        Assert.Null(trend.SlopePerDay);
        Assert.Equal([new HostChange("Kernel", "6.1.0-18", "6.1.0-21")], trend.Step.HostChanges);
        Assert.Contains("worse since 2026-01-27. In one step, IOPS changed from 1,002 to 852 (-15%)", trend.Summary);
        Assert.EndsWith("Changed at the same time: Kernel: 6.1.0-18 -> 6.1.0-21.", trend.Summary);
        Assert.Equal("Check what changed at the same time: Kernel: 6.1.0-18 -> 6.1.0-21", trend.Findings[0].WhatToDo);
        Assert.Equal(
            ("2026-01-27", "Kernel: 6.1.0-18 -> 6.1.0-21"),
            (trend.Findings[0].Values["Step"], trend.Findings[0].Values["ChangedAtTheSameTime"])
        );
        Assert.Equal((trend.Step.Before, trend.Step.After), (trend.GetLineAt(FirstRun.AddDays(16)), trend.GetLineAt(FirstRun.AddDays(17))));
    }

    [Fact]
    public void Single_slow_day_is_neither_a_step_nor_a_slope()
    {
        var random = new Random(6);
        foreach (var bad in new[] { 0, 3, 14, 28, 29 })
        {
            var nights = Enumerable
                .Range(0, 30)
                .Select(day => CreateForDay(day, day == bad ? 200 : 1000 + 30 * (random.NextDouble() - 0.5)));
            Assert.Equal(TrendDirection.Steady, HistoryTrend.Analyze(nights, ["IOPS"]).Single().Direction);
        }
    }

    // NIST Statistical Reference Datasets, Norris (linear regression): slope 1.00211681802045, its standard deviation
    // 0.429796848199937E-03, 36 points.
    [Fact]
    public void Linear_regression_matches_the_NIST_Norris_data_set()
    {
        double[] y =
        [
            0.1,
            338.8,
            118.1,
            888.0,
            9.2,
            228.1,
            668.5,
            998.5,
            449.1,
            778.9,
            559.2,
            0.3,
            0.1,
            778.1,
            668.8,
            339.3,
            448.9,
            10.8,
            557.7,
            228.3,
            998.0,
            888.8,
            119.6,
            0.3,
            0.6,
            557.6,
            339.3,
            888.0,
            998.5,
            778.9,
            10.2,
            117.6,
            228.9,
            668.4,
            449.2,
            0.2,
        ];
        double[] x =
        [
            0.2,
            337.4,
            118.2,
            884.6,
            10.1,
            226.5,
            666.3,
            996.3,
            448.6,
            777.0,
            558.2,
            0.4,
            0.6,
            775.5,
            666.9,
            338.0,
            447.5,
            11.6,
            556.0,
            228.1,
            995.8,
            887.6,
            120.2,
            0.3,
            0.3,
            556.8,
            339.1,
            887.2,
            999.0,
            779.0,
            11.1,
            118.3,
            229.2,
            669.1,
            448.9,
            0.5,
        ];
        Assert.Equal(1.00211681802045, HistoryTrend.FitSlope([.. x.Zip(y)])!.Value, 12);
        Assert.Null(HistoryTrend.FitSlope([(1, 1), (1, 2), (1, 3)]));
    }

    [Fact]
    public void History_table_script_matches_the_result_properties()
    {
        var path = Path.Combine(SampleFiles.RepositoryRoot, "docs", "examples", "history-table.sql");
        var script = File.ReadAllText(path).ReplaceLineEndings("\n");
        var expected = HistoryTableScript.CreateScript();
        if (Snapshot.IsUpdate)
            File.WriteAllText(path, script = expected + script[script.IndexOf("GO\n", StringComparison.Ordinal)..]);
        Assert.StartsWith(expected, script, StringComparison.Ordinal);
        Assert.Contains(("StartTime", "datetimeoffset(3)", true), HistoryTableScript.Columns);
        Assert.Contains(("Source", "varchar(20)", false), HistoryTableScript.Columns);
        Assert.DoesNotContain(HistoryTableScript.Columns, c => c.Name is "Timeline" or "Specification" or "Host");
    }

    [Fact]
    public void Error_for_an_unknown_workload_suggests_the_nearest_name()
    {
        var nights = Enumerable.Range(0, 54).Select(day => CreateForDay(day, 1000)).ToList();
        nights.ForEach(night => night.Workload = "oltp");
        IReadOnlyList<IoTestResult> Of(params string[] names) =>
            HistoryTrend.SelectWorkloads(nights, names, workload => names.Contains(workload));
        Assert.Equal(54, Of().Count);
        Assert.Equal(54, Of("oltp").Count);
        Assert.Equal(
            "No run in the history has the workload 'oltpp'. The history contains 54 runs of other workloads. Did you mean oltp?",
            Assert.Throws<IoBenchException>(() => Of("oltpp")).Message
        );
        Assert.Equal(
            "No run in the history has the workload 'checkpoint'. The history contains 54 runs of other workloads. Its workloads: oltp.",
            Assert.Throws<IoBenchException>(() => Of("checkpoint")).Message
        );
    }
}
