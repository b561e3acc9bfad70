using IoBench.Engine;
using IoBench.Formats;
using IoBench.Workloads;

namespace IoBench.Cli.Tests;

public class ResultTableTests
{
    internal static IoTestResult CreateResult() =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Workload = "page-read",
            IOPattern = "8KB random read",
            Path = "/data/iobench.dat",
            ThreadCount = 4,
            OutstandingIO = 8,
            FileSizeMB = 20480,
            BandwidthMBps = 1512.3,
            IOPS = 193574.4,
            AverageLatencyMs = 0.165,
            P99Ms = 0.4521,
            MaxLatencyMs = 8.114,
            CpuPercent = 41.3,
        };

    [InProcessFact]
    public void Row_is_aligned_with_the_header()
    {
        var table = ResultTable.Create([CreateResult()]);
        string[] lines = [.. table.FormatHeader(), table.FormatRow(CreateResult())];
        Assert.Equal(
            [
                "Workload   IOPattern        Thr   QD     Size     MiB/s       IOPS    Avg ms    P99 ms    Max ms  CPU%",
                "--------   ---------        ---   --     ----     -----       ----    ------    ------    ------  ----",
                "page-read  8KB random read    4    8    20 GB   1,512.3    193,574     0.165     0.452     8.114    41",
            ],
            lines
        );
    }

    [InProcessFact]
    public void Unknown_values_are_blank()
    {
        var result = new IoTestResult { IOPattern = "8KB random read", IOPS = 100 };
        Assert.EndsWith("100", ResultTable.Create([result]).FormatRow(result));
        Assert.DoesNotContain("0.0", ResultTable.Create([result]).FormatRow(result));
    }

    [InProcessFact]
    public void SQLIO_latencies_have_no_decimals()
    {
        var result = CreateResult();
        result.Source = SqlioFormat.Source;
        result.AverageLatencyMs = 24;
        result.MaxLatencyMs = 113060;
        var row = ResultTable.Create([result]).FormatRow(result);
        Assert.Contains("    24  ", row);
        Assert.Contains(" 113,060", row);
    }

    [InProcessTheory]
    [InlineData(null, 1)]
    [InlineData("OldSanWithAVeryLongLabel", 2)]
    public void Table_fits_120_columns(string? label, int paths)
    {
        var results = Enumerable
            .Range(1, paths)
            .Select(i =>
            {
                var result = CreateResult();
                result.Workload = "sqlio-11-write-256k-sequential-100";
                result.IOPattern = "256KB interlocked write";
                result.Label = label;
                result.Repeat = 1;
                result.Path = $"/mount/with/a/rather/long/name/{i}/iobench.dat";
                result.IOPS = 1234567;
                return result;
            })
            .ToList();
        var table = ResultTable.Create(results);
        Assert.All(table.FormatHeader().Concat(results.Select(table.FormatRow)), line => Assert.InRange(line.Length, 60, 120));
        Assert.Contains("1,234,567", table.FormatRow(results[0]));
    }

    [InProcessFact]
    public void Table_of_a_suite_fits_a_terminal_of_80_columns()
    {
        var plan = WorkloadCatalog.Resolve("sql-server");
        var wide = ResultTable.Create(plan).FormatHeader().First();
        Assert.Contains("Size", wide, StringComparison.Ordinal);
        Assert.Contains("CPU%", wide, StringComparison.Ordinal);
        var table = ResultTable.Create(plan, CliConsole.GetTableWidth(80));
        var result = CreateResult();
        result.IOPS = 1234567;
        result.MaxLatencyMs = 999.999;
        string[] lines = [.. table.FormatHeader(), table.FormatRow(result)];
        Assert.Equal(
            [
                "Workload       Role    Thr   QD     MiB/s       IOPS   Avg ms   P99 ms   Max ms",
                "--------       ----    ---   --     -----       ----   ------   ------   ------",
                "page-read                4    8   1,512.3  1,234,567    0.165    0.452  999.999",
            ],
            lines
        );
        Assert.All(lines, line => Assert.InRange(line.Length, 60, 79));
    }

    [InProcessTheory]
    [InlineData("page-read", "IOPattern")]
    [InlineData("oltp", "Workload")]
    public void Narrow_table_shows_the_pattern_if_a_workload_has_several_patterns(string other, string first)
    {
        var results = new[] { "8KB random read", "256KB random read", "8KB random write" }
            .Select(pattern =>
            {
                var result = CreateResult();
                (result.IOPattern, result.Repeat) = (pattern, 1);
                return result;
            })
            .ToList();
        results[2].Workload = other;
        var table = ResultTable.Create(results, 79);
        Assert.StartsWith(first, table.FormatHeader().First(), StringComparison.Ordinal);
        Assert.Contains("IOPattern", table.FormatHeader().First(), StringComparison.Ordinal);
        Assert.Contains("256KB random read", table.FormatRow(results[1]), StringComparison.Ordinal);
    }

    [InProcessTheory]
    [InlineData(40, 79)]
    [InlineData(80, 79)]
    [InlineData(100, 99)]
    [InlineData(300, 120)]
    public void Table_is_as_wide_as_the_terminal_within_limits(int terminal, int table) =>
        Assert.Equal(table, CliConsole.GetTableWidth(terminal));

    [InProcessFact]
    public void Table_of_texts_wraps_at_the_width_of_the_console()
    {
        using var output = new StringWriter();
        using var console = new CliConsole(output, TextWriter.Null, errorIsTerminal: false, canAsk: false, tableWidth: 79);
        string text = string.Join(' ', Enumerable.Repeat("words", 40));
        TextTable.WriteTable(
            console.Out,
            [
                ["name", text],
            ],
            "Name",
            "Text"
        );
        var lines = output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        Assert.True(lines.Length > 3);
        Assert.All(lines, line => Assert.InRange(line.Length, 1, 79));
    }

    [InProcessTheory]
    [InlineData(31, "Name           Number  Optional", "page-read-qd1      12     12345")]
    [InlineData(25, "Name           Number", "page-read-qd1      12")]
    public void Narrow_table_omits_optional_columns_and_breaks_no_name(int width, string header, string row)
    {
        using var output = new StringWriter();
        using var console = new CliConsole(output, TextWriter.Null, errorIsTerminal: false, canAsk: false, tableWidth: width);
        TextTable.WriteTable(
            console.Out,
            [
                ["page-read-qd1", "12", "12345"],
            ],
            "Name",
            "#Number",
            "?#Optional"
        );
        var lines = output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal((header, row), (lines[0], lines[^1]));
    }

    [InProcessFact]
    public void Table_has_a_path_column_for_several_paths()
    {
        var first = CreateResult();
        var second = CreateResult();
        second.Path = "/log/iobench.dat";
        var table = ResultTable.Create([first, second]);
        Assert.StartsWith("Path", table.FormatHeader().First());
        Assert.StartsWith("/log/iobench.dat", table.FormatRow(second));
    }

    [InProcessFact]
    public void Incomplete_run_is_marked()
    {
        var result = CreateResult();
        result.Status = IoResultStatus.Incomplete;
        Assert.EndsWith("  incomplete", ResultTable.Create([result]).FormatRow(result));
    }
}
