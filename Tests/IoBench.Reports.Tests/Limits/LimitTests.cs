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
    public void Letters_of_a_number_format_are_quoted(string code, bool isFormat) => Assert.Equal(isFormat, ExcelLimits.IsFormat(code));

    private const int LongestName = 31,
        MostSeries = 255,
        LongestText = 32_767;
    private const double HighestRow = 409;
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    private static readonly Dictionary<string, Func<List<IoTestResult>>> s_many = new()
    {
        ["labels"] = () => [.. Enumerable.Range(1, 260).SelectMany(number => Runs.SqlServerSuite($"label {number}")[..1])],
        ["repeats"] = () => [.. Enumerable.Range(1, 260).SelectMany(number => Runs.SqlServerSuite(repeat: number)[..1])],
        ["lines of a sweep"] = () =>
            [
                .. from line in Enumerable.Range(1, 260)
                from depth in new[] { 1, 2, 4 }
                select Runs.Measured(null, 8, IoAccessPattern.Random, 0, 1, depth, 1000 * depth, 1, 2, 9, $@"T:\{line}\iobench.dat"),
            ],
        ["nights of many computers"] = () =>
            [.. from computer in Enumerable.Range(1, 260) from night in Enumerable.Range(0, 8) select Night(computer, night)],
        ["files of one run"] = () => [OnFiles(300)],
        ["rounds of many tests"] = () =>
            [.. from test in Enumerable.Range(1, 260) from round in Enumerable.Range(1, 2) select Round($"test {test}", round)],
    };

    public static TheoryData<string> Many() => new(s_many.Keys);

    [Theory]
    [MemberData(nameof(Many))]
    public void No_chart_has_more_than_255_series(string name)
    {
        using var book = new Workbook(s_many[name]());

        var charts = book.Charts();
        Assert.NotEmpty(charts);
        Assert.All(charts, chart => Assert.InRange(chart.Descendants(Chart.C + "ser").Count(), 1, MostSeries));
    }

    [Fact]
    public void Names_of_sheets_stay_within_31_characters_and_apart_however_many_parts_and_taken_names_there_are()
    {
        var document = ReportDocument.Build([.. AnswerRuns.FourteenNights(), .. AnswerRuns.Roles(), .. Runs.DepthSweep()], new());
        var taken = document
            .Sections.Select(section => section.Name)
            .SelectMany(name => Enumerable.Range(1, 120).Select(number => number == 1 ? name : $"{name.ToUpperInvariant()} {number}"))
            .ToList();
        using var book = new Workbook(document with { TakenSheetNames = taken }, maxRows: 30);

        var names = book.SheetNames();
        Assert.Contains(names, name => name.Contains("(5)", StringComparison.Ordinal) && name.EndsWith(" 121", StringComparison.Ordinal));
        Assert.All(names, name => Assert.InRange(name.Length, 1, LongestName));
        Assert.Equal(names.Count, names.Distinct(StringComparer.OrdinalIgnoreCase).Count());
        Assert.All(names, name => Assert.Equal(-1, name.IndexOfAny(['\\', '/', '?', '*', '[', ']', ':'])));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Texts_of_any_length_fit_their_cells_and_rows_and_say_that_they_were_cut()
    {
        var runs = Runs.SqlServerSuite(label: new string('l', LongestText + 1));
        runs[0].Path = new string('p', 2 * LongestText);
        // Each of these characters takes seven characters in the file.
        runs[1].Workload = string.Concat(Enumerable.Repeat("\u0001", LongestText - 1));
        runs[2].Warnings.AddRange(Enumerable.Range(1, 900).Select(number => $"warning {number}: {new string('w', 60)}"));
        using var book = new Workbook(runs, new() { Title = new string('t', LongestText + 9) });

        Assert.Empty(book.Faults());
        foreach (var texts in book.SheetNames().Select(name => book.Sheet(name).Descendants(s_main + "t").Select(text => text.Value)))
            Assert.All(texts, text => Assert.InRange(text.Length, 0, LongestText));
        foreach (
            var heights in book.SheetNames()
                .Select(name => book.Sheet(name).Descendants(s_main + "row").Select(row => (double?)row.Attribute("ht")).OfType<double>())
        )
            Assert.All(heights, height => Assert.InRange(height, 0, HighestRow));
        Assert.Contains(book.Sheet("Details").Descendants(s_main + "t"), text => text.Value.Length == LongestText && text.Value[^1] == '…');
    }

    private static IoTestResult Night(int computer, int night)
    {
        var run = Runs.Measured("page-read", 8, IoAccessPattern.Random, 0, 1, 1, 9000 - 300 * night, 0.1, 0.2, 3, seconds: 10);
        (run.ComputerName, run.StartTime) = ($"SQL{computer:000}", run.StartTime!.Value.AddDays(night));
        run.Timeline.Clear();
        return run;
    }

    private static IoTestResult OnFiles(int count)
    {
        var run = Runs.SqlServerSuite()[1];
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

    private static IoTestResult Round(string workload, int round)
    {
        var run = Runs.Measured(workload, 8, IoAccessPattern.Random, 100, 1, 8, 1000 + round, 8, 20, 90, seconds: 10, repeat: round);
        (run.Specification!.SteadyStateRounds, run.Specification.Repeat) = (2, round);
        return run;
    }
}
