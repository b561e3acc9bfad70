using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>A fact that needs Python with openpyxl, and is skipped otherwise.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresOpenpyxlFactAttribute : FactAttribute
{
    public RequiresOpenpyxlFactAttribute()
    {
        if (Python is null)
            Skip = "needs python3 with openpyxl";
    }

    // The Python of the system has the packages of the distribution. The first Python in PATH can be another one.
    internal static string? Python { get; } =
        new[] { "/usr/bin/python3", ProgramFinder.FindOnPath("python3") }
            .OfType<string>()
            .Where(File.Exists)
            .FirstOrDefault(python => RunPython(python, "import openpyxl").Code == 0);

    internal static (int Code, string Output, string Error) RunPython(string python, params string[] code)
    {
        var start = new ProcessStartInfo(python) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add("-c");
        foreach (var argument in code)
            start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output, error.Result);
    }
}

public class OpenpyxlTests
{
    private const string Script = """
        import json, sys, openpyxl
        book = openpyxl.load_workbook(sys.argv[1])
        sheets = {s.title: [[(c.isoformat() if hasattr(c, 'isoformat') else c) for c in row] for row in s.iter_rows(values_only=True)] for s in book.worksheets}
        charts = {s.title: len(s._charts) for s in book.worksheets}
        tables = {s.title: list(s.tables.keys()) for s in book.worksheets}
        print(json.dumps({"sheets": sheets, "charts": charts, "tables": tables}))
        """;

    [RequiresOpenpyxlFact]
    public void Openpyxl_reads_the_same_numbers_tables_and_charts()
    {
        var results = ReportSamples.CreateSqlServerSuite();
        using var book = new Workbook(results);
        var read = ReadWorkbook(book.Path);

        var rows = read.GetProperty("sheets").GetProperty("Results");
        for (var index = 0; index < results.Count; index++)
        {
            var row = rows[index + 3];
            Assert.Equal(results[index].BandwidthMBps, row[8].GetDouble());
            Assert.Equal(results[index].IOPS, row[9].GetDouble());
            Assert.Equal(results[index].AverageLatencyMs, row[10].GetDouble());
            Assert.Equal("20480 MB", row[6].GetString());
        }
        Assert.Equal(3, read.GetProperty("charts").GetProperty("Results").GetInt32());
        Assert.Equal("Results", read.GetProperty("tables").GetProperty("Results")[0].GetString());
        var details = read.GetProperty("sheets").GetProperty("Details");
        var started = Enumerable
            .Range(0, 61)
            .Single(column => details[2][column].GetString()!.StartsWith("StartTime", StringComparison.Ordinal));
        Assert.Equal(new DateTime(2026, 11, 21, 9, 30, 0), DateTime.Parse(details[3][started].GetString()!, CultureInfo.InvariantCulture));
    }

    [RequiresOpenpyxlFact]
    public void Openpyxl_reads_every_property_of_every_run()
    {
        List<IoTestResult> results =
        [
            .. ReportSamples.CreateSqlServerSuite("=1+1"),
            .. ReportSamples.CreateThreeFiles(),
            .. ScenarioResults.CreateCapturedWorkload(),
        ];
        using var book = new Workbook(results);
        var details = ReadWorkbook(book.Path).GetProperty("sheets").GetProperty("Details");

        var columns = ResultsSection.DetailColumns;
        Assert.Equal(
            columns.Select(item => item.Column.Header),
            details[2].EnumerateArray().Take(columns.Count).Select(cell => cell.GetString())
        );
        for (var row = 0; row < results.Count; row++)
        {
            for (var column = 0; column < columns.Count; column++)
            {
                var (wanted, read) = (columns[column].Cell(results[row]), details[row + 3][column]);
                if (wanted is { NumberValue: { } time, Style: CellStyle.DateTime })
                    Assert.Equal(DateTime.FromOADate(time), DateTime.Parse(read.GetString()!, CultureInfo.InvariantCulture));
                else if (wanted.NumberValue is { } number)
                    Assert.Equal(number, read.GetDouble());
                else
                    Assert.Equal(wanted.TextValue, read.GetString());
            }
        }
    }

    [RequiresOpenpyxlFact]
    public void Openpyxl_reads_every_kind_of_report()
    {
        using var sweep = new Workbook(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });
        using var old = new Workbook(ReportSamples.CreateThreeFiles());

        Assert.Equal(4, ReadWorkbook(sweep.Path).GetProperty("charts").GetProperty("Sweep").GetInt32());
        Assert.Equal(2, ReadWorkbook(old.Path).GetProperty("charts").GetProperty("Latency").GetInt32());
    }

    private static JsonElement ReadWorkbook(string path)
    {
        var (code, output, error) = RequiresOpenpyxlFactAttribute.RunPython(RequiresOpenpyxlFactAttribute.Python!, Script, path);
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement;
    }
}
