using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports.Tests;

/// <summary>
/// Reports of real outputs and typical tests. Each must be valid. With IOBENCH_PICTURES=FOLDER, each is saved there as a workbook and as
/// HTML for visual inspection.
/// </summary>
public class SampleReportTests
{
    private static readonly Dictionary<string, Func<(List<IoTestResult> Results, ReportOptions Options)>> s_cases = new()
    {
        ["three-runs"] = () => ReadSample(SampleFiles.GetPath("documents", "reads-8k-random-3-files.txt")),
        ["write-through"] = () =>
            (
                [
                    .. ResultReader.ReadFile(SampleFiles.GetPath("documents", "write-8k-sequential-BH.txt")),
                    .. ResultReader.ReadFile(SampleFiles.GetPath("documents", "write-8k-sequential-BN.txt")),
                ],
                new()
            ),
        ["nine-sqlio-runs"] = () => ReadSample(PublishedSamplePath!),
        ["diskspd-targets"] = () => ReadSample(SampleFiles.GetPath("diskspd-runs", "v22-multi-si-L-D.out")),
        ["diskspd-targets-xml"] = () => ReadSample(SampleFiles.GetPath("diskspd-runs", "v22-multi-si-L-D-xml.out")),
        ["suite"] = () => (ReportSamples.CreateSqlServerSuite(), new()),
        // The images of the documentation.
        ["example"] = () => (ReportSamples.CreateSqlServerSuite(), new() { Title = "SQL01, T: (example with invented numbers)" }),
        ["suite-slow"] = () => (ReportSamples.CreateSqlServerSuite(faster: 0.02), new()),
        ["file-sizes"] = () => (ReportSamples.CreateFileSizeSweep(), new()),
        ["queue-depths"] = () => (ReportSamples.CreateDepthSweep(), new()),
        ["queue-depths-repeated"] = () =>
            ([.. ReportSamples.CreateDepthSweep(writesToo: false), .. ReportSamples.CreateDepthSweep(writesToo: false)], new()),
        ["two-parameters"] = () => (CreateGrid(), new()),
        ["two-labels"] = () =>
            ([.. ReportSamples.CreateSqlServerSuite("OldSan", 0.4), .. ReportSamples.CreateSqlServerSuite("NewSan")], new()),
        ["three-labels"] = () =>
            (
                [
                    .. ReportSamples.CreateSqlServerSuite("HUS150", 0.3),
                    .. ReportSamples.CreateSqlServerSuite("Nimble", 0.9),
                    .. ReportSamples.CreateSqlServerSuite("Pure"),
                ],
                new()
            ),
        ["three-arrays"] = () => (ReportSamples.CreateThreeArrays(), new()),
        ["baseline"] = () => (ReportSamples.CreateSqlServerSuite(faster: 0.8), new() { Baseline = ReportSamples.CreateSqlServerSuite() }),
        ["two-hundred-runs"] = () => (ReportSamples.CreateMany(200), new()),
        ["one-run"] = () => (ReportSamples.CreateSqlServerSuite()[..1], new()),
        ["roles"] = () => (ScenarioResults.CreateRoles(), new()),
        ["captured-workload"] = () => (ScenarioResults.CreateCapturedWorkload(), new()),
        ["trend"] = () => (ScenarioResults.CreateFortyDays(), new()),
        ["fourteen-nights"] = () => (ScenarioResults.CreateFourteenDays(), new()),
        ["repeats"] = () =>
            (
                [
                    .. Enumerable
                        .Range(1, 5)
                        .SelectMany(repeat => ScenarioResults.AddVariation(ReportSamples.CreateSqlServerSuite(repeat: repeat), repeat)),
                ],
                new()
            ),
        ["never-steady"] = () => (ScenarioResults.CreateRounds(steady: false), new()),
        ["sqlio-folder"] = () => (ReportSamples.CreateSqlioFolder(), new()),
        ["rounds"] = () => (ScenarioResults.CreateRounds(steady: true), new()),
        ["fleet"] = () =>
            (
                [.. FleetSheetTests.CreateHosts("g/1", 6, 10_000, slowest: 0.5), .. FleetSheetTests.CreateHosts("g/2", 6, 4_000, "oltp")],
                new()
            ),
        ["fleet-ramp"] = () =>
            (
                [
                    .. FleetSheetTests.CreateHosts("g-1/1", 1, 10_000),
                    .. FleetSheetTests.CreateHosts("g-2/1", 2, 10_000),
                    .. FleetSheetTests.CreateHosts("g-4/1", 4, 10_000),
                    .. FleetSheetTests.CreateHosts("g-8/1", 8, 6_250),
                ],
                new()
            ),
        ["mixed-tools"] = () =>
            ([.. ReportSamples.CreateThreeFiles(), .. ReportSamples.CreateSqlServerSuite()], new() { NoSummary = true }),
    };

    /// <summary>Published by others, so it is not in the repository; null if it is not available.</summary>
    private static string? PublishedSamplePath => SampleFiles.FindPublished("sqlio-published", "15-concatenated-9-runs.txt");

    public static TheoryData<string> GetCaseNames() =>
        new(s_cases.Keys.Where(name => name != "nine-sqlio-runs" || PublishedSamplePath is not null));

    [Theory]
    [MemberData(nameof(GetCaseNames))]
    public void Workbook_is_valid_on_every_sheet(string name)
    {
        var (results, options) = s_cases[name]();
        using var book = new Workbook(results, options);

        Assert.Empty(book.FindFaults());
        Assert.Empty(ExcelLimitChecker.FindFaults(book));
        Assert.All(
            book.GetCharts(),
            chart => Assert.Contains(chart.Descendants(ChartReader.ChartNs + "v"), value => value.Value.Length > 0)
        );
        if (Environment.GetEnvironmentVariable("IOBENCH_PICTURES") is { Length: > 0 } folder)
        {
            File.Copy(book.Path, Path.Combine(folder, name + ".xlsx"), overwrite: true);
            using var page = File.Create(Path.Combine(folder, name + ".html"));
            Report.Write(page, page.Name, results, options);
        }
    }

    [Fact]
    public void Summary_images_and_heat_maps_can_be_written()
    {
        var cards = new Dictionary<string, ReportContext>
        {
            ["card"] = ReportContext.Create(ReportSamples.CreateSqlServerSuite(), new()),
            ["card-slow"] = ReportContext.Create(ReportSamples.CreateSqlServerSuite(faster: 0.02), new()),
            ["card-stall"] = HeatMapTests.CreateContext(),
        };
        Assert.All(cards.Values, card => Assert.StartsWith("<svg", SummaryImage.Draw(card), StringComparison.Ordinal));
        if (Environment.GetEnvironmentVariable("IOBENCH_PICTURES") is not { Length: > 0 } folder)
            return;
        foreach (var (name, card) in cards)
            File.WriteAllText(Path.Combine(folder, name + ".svg"), SummaryImage.Draw(card));
        using (var book = File.Create(Path.Combine(folder, "stall.xlsx")))
            WorkbookWriter.WriteWorkbook(book, HeatMapTests.CreateDocument());
        using (var page = File.Create(Path.Combine(folder, "stall.html")))
            HtmlReportWriter.WriteDocument(page, HeatMapTests.CreateDocument());
        File.WriteAllLines(Path.Combine(folder, "stall.txt"), HeatMapTests.CreateContext().HeatMaps[0].FormatLines());
    }

    private static (List<IoTestResult>, ReportOptions) ReadSample(string path) => ([.. ResultReader.ReadFile(path)], new());

    private static List<IoTestResult> CreateGrid() =>
        [
            .. from depth in new[] { 1, 8, 32 }
            from block in new[] { 4.0, 8, 16, 64, 256, 1024 }
            let iops = Math.Min(12_000 * Math.Pow(depth, 0.8), 3.2e6 / block) / (1 + block / 200)
            select ReportSamples.CreateMeasured(
                null,
                block,
                IoAccessPattern.Random,
                0,
                1,
                depth,
                iops,
                depth / iops * 1000,
                depth / iops * 3000,
                depth / iops * 9000
            ),
        ];
}
