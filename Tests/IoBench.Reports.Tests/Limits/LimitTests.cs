using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>Limits of Excel: sheet names of 31 characters, charts of 255 series, and cells of 32,767 characters.</summary>
public class LimitTests
{
    [Theory]
    [InlineData("[>=100]#,##0_._0_0_0;[>=10]0.0_0_0;0.000", true)]
    [InlineData("[>=0.005]0.00;[>0]\"< 0.01\";0.00", true)]
    [InlineData("0.0 ms", false)]
    [InlineData("0;0;0;0;0", false)]
    public void Number_format_with_unquoted_letters_is_invalid(string code, bool isFormat) =>
        Assert.Equal(isFormat, ExcelLimitChecker.IsValidNumberFormat(code));

    private const int MaxSheetNameLength = 31,
        MaxSeries = 255,
        MaxTextLength = 32_767;
    private const double MaxRowHeight = 409;
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    private static readonly Dictionary<string, Func<List<IoTestResult>>> s_manySeries = new()
    {
        ["labels"] = () => [.. Enumerable.Range(1, 260).SelectMany(number => ReportSamples.CreateSqlServerSuite($"label {number}")[..1])],
        ["repeats"] = () => [.. Enumerable.Range(1, 260).SelectMany(number => ReportSamples.CreateSqlServerSuite(repeat: number)[..1])],
        ["lines of a sweep"] = () =>
            [
                .. from line in Enumerable.Range(1, 260)
                from depth in new[] { 1, 2, 4 }
                select ReportSamples.CreateMeasured(
                    null,
                    8,
                    IoAccessPattern.Random,
                    0,
                    1,
                    depth,
                    1000 * depth,
                    1,
                    2,
                    9,
                    $@"T:\{line}\iobench.dat"
                ),
            ],
        ["nights of many computers"] = () =>
            [.. from computer in Enumerable.Range(1, 260) from night in Enumerable.Range(0, 8) select CreateDailyRun(computer, night)],
        ["files of one run"] = () => [CreateRunOnFiles(300)],
        ["rounds of many tests"] = () =>
            [.. from test in Enumerable.Range(1, 260) from round in Enumerable.Range(1, 2) select CreateRound($"test {test}", round)],
    };

    public static TheoryData<string> GetManySeriesNames() => new(s_manySeries.Keys);

    [Theory]
    [MemberData(nameof(GetManySeriesNames))]
    public void Chart_has_at_most_255_series(string name)
    {
        using var book = new Workbook(s_manySeries[name]());

        var charts = book.GetCharts();
        Assert.NotEmpty(charts);
        Assert.All(charts, chart => Assert.InRange(chart.Descendants(ChartReader.ChartNs + "ser").Count(), 1, MaxSeries));
    }

    [Fact]
    public void Sheet_names_are_unique_and_have_at_most_31_characters()
    {
        var document = ReportDocument.Build(
            [.. ScenarioResults.CreateFourteenDays(), .. ScenarioResults.CreateRoles(), .. ReportSamples.CreateDepthSweep()],
            new()
        );
        var taken = document
            .Sections.Select(section => section.Name)
            .SelectMany(name => Enumerable.Range(1, 120).Select(number => number == 1 ? name : $"{name.ToUpperInvariant()} {number}"))
            .ToList();
        using var book = new Workbook(document with { TakenSheetNames = taken }, maxRows: 30);

        var names = book.GetSheetNames();
        Assert.Contains(names, name => name.Contains("(5)", StringComparison.Ordinal) && name.EndsWith(" 121", StringComparison.Ordinal));
        Assert.All(names, name => Assert.InRange(name.Length, 1, MaxSheetNameLength));
        Assert.Equal(names.Count, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.All(names, name => Assert.Equal(-1, name.IndexOfAny(['\\', '/', '?', '*', '[', ']', ':'])));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Long_texts_are_truncated_to_the_limits_of_cells_and_rows()
    {
        var runs = ReportSamples.CreateSqlServerSuite(label: new string('l', MaxTextLength + 1));
        runs[0].Path = new string('p', 2 * MaxTextLength);
        // Each of these characters takes seven characters in the file.
        runs[1].Workload = string.Concat(Enumerable.Repeat("\u0001", MaxTextLength - 1));
        runs[2].Warnings.AddRange(Enumerable.Range(1, 900).Select(number => $"warning {number}: {new string('w', 60)}"));
        using var book = new Workbook(runs, new() { Title = new string('t', MaxTextLength + 9) });

        Assert.Empty(book.FindFaults());
        foreach (var texts in book.GetSheetNames().Select(name => book.GetSheet(name).Descendants(s_main + "t").Select(text => text.Value)))
            Assert.All(texts, text => Assert.InRange(text.Length, 0, MaxTextLength));
        foreach (
            var heights in book.GetSheetNames()
                .Select(name =>
                    book.GetSheet(name).Descendants(s_main + "row").Select(row => (double?)row.Attribute("ht")).OfType<double>()
                )
        )
            Assert.All(heights, height => Assert.InRange(height, 0, MaxRowHeight));
        Assert.Contains(
            book.GetSheet("Details").Descendants(s_main + "t"),
            text => text.Value.Length == MaxTextLength && text.Value[^1] == '…'
        );
    }

    private static IoTestResult CreateDailyRun(int computer, int night)
    {
        var run = ReportSamples.CreateMeasured(
            "page-read",
            8,
            IoAccessPattern.Random,
            0,
            1,
            1,
            9000 - 300 * night,
            0.1,
            0.2,
            3,
            seconds: 10
        );
        (run.ComputerName, run.StartTime) = ($"SQL{computer:000}", run.StartTime!.Value.AddDays(night));
        run.Timeline.Clear();
        return run;
    }

    private static IoTestResult CreateRunOnFiles(int count)
    {
        var run = ReportSamples.CreateSqlServerSuite()[1];
        run.Targets =
        [
            .. Enumerable
                .Range(1, count)
                .Select(number => new IoTargetResult
                {
                    Path = $@"T:\{number}.dat",
                    Total = new() { IOPS = number, AverageLatencyMs = 1 },
                }),
        ];
        run.TargetCount = count;
        return run;
    }

    private static IoTestResult CreateRound(string workload, int round)
    {
        var run = ReportSamples.CreateMeasured(
            workload,
            8,
            IoAccessPattern.Random,
            100,
            1,
            8,
            1000 + round,
            8,
            20,
            90,
            seconds: 10,
            repeat: round
        );
        (run.Specification!.SteadyStateRounds, run.Specification.Repeat) = (2, round);
        return run;
    }
}
