using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports.Tests;

/// <summary>
/// Reports of real outputs and typical tests. Each must be valid. With IOBENCH_PICTURES=FOLDER, each is saved there as a workbook and as
/// HTML for visual inspection.
/// </summary>
public class PictureTests
{
    private static readonly Dictionary<string, Func<(List<IoTestResult> Results, ReportOptions Options)>> s_cases = new()
    {
        ["three-runs"] = () => Read(Samples.Path("documents", "reads-8k-random-3-files.txt")),
        ["write-through"] = () =>
            (
                [
                    .. ResultReader.ReadFile(Samples.Path("documents", "write-8k-sequential-BH.txt")),
                    .. ResultReader.ReadFile(Samples.Path("documents", "write-8k-sequential-BN.txt")),
                ],
                new()
            ),
        ["nine-sqlio-runs"] = () => Read(Published!),
        ["diskspd-targets"] = () => Read(Samples.Path("diskspd-runs", "v22-multi-si-L-D.out")),
        ["diskspd-targets-xml"] = () => Read(Samples.Path("diskspd-runs", "v22-multi-si-L-D-xml.out")),
        ["suite"] = () => (Runs.SqlServerSuite(), new()),
        // The images of the documentation.
        ["example"] = () => (Runs.SqlServerSuite(), new() { Title = "SQL01, T: (an example with invented figures)" }),
        ["suite-slow"] = () => (Runs.SqlServerSuite(faster: 0.02), new()),
        ["file-sizes"] = () => (Runs.FileSizeSweep(), new()),
        ["queue-depths"] = () => (Runs.DepthSweep(), new()),
        ["queue-depths-repeated"] = () => ([.. Runs.DepthSweep(writesToo: false), .. Runs.DepthSweep(writesToo: false)], new()),
        ["two-parameters"] = () => (Grid(), new()),
        ["two-labels"] = () => ([.. Runs.SqlServerSuite("OldSan", 0.4), .. Runs.SqlServerSuite("NewSan")], new()),
        ["three-labels"] = () =>
            ([.. Runs.SqlServerSuite("HUS150", 0.3), .. Runs.SqlServerSuite("Nimble", 0.9), .. Runs.SqlServerSuite("Pure")], new()),
        ["three-arrays"] = () => (Runs.ThreeArrays(), new()),
        ["baseline"] = () => (Runs.SqlServerSuite(faster: 0.8), new() { Baseline = Runs.SqlServerSuite() }),
        ["two-hundred-runs"] = () => (Runs.Many(200), new()),
        ["one-run"] = () => (Runs.SqlServerSuite()[..1], new()),
        ["roles"] = () => (AnswerRuns.Roles(), new()),
        ["own-load"] = () => (AnswerRuns.OwnLoad(), new()),
        ["trend"] = () => (AnswerRuns.Nights(), new()),
        ["fourteen-nights"] = () => (AnswerRuns.FourteenNights(), new()),
        ["repeats"] = () =>
            ([.. Enumerable.Range(1, 5).SelectMany(repeat => AnswerRuns.Varied(Runs.SqlServerSuite(repeat: repeat), repeat))], new()),
        ["never-steady"] = () => (AnswerRuns.Rounds(steady: false), new()),
        ["sqlio-folder"] = () => (Runs.Folder(), new()),
        ["rounds"] = () => (AnswerRuns.Rounds(steady: true), new()),
        ["fleet"] = () =>
            ([.. FleetSheetTests.Hosts("g/1", 6, 10_000, slowest: 0.5), .. FleetSheetTests.Hosts("g/2", 6, 4_000, "oltp")], new()),
        ["fleet-ramp"] = () =>
            (
                [
                    .. FleetSheetTests.Hosts("g-1/1", 1, 10_000),
                    .. FleetSheetTests.Hosts("g-2/1", 2, 10_000),
                    .. FleetSheetTests.Hosts("g-4/1", 4, 10_000),
                    .. FleetSheetTests.Hosts("g-8/1", 8, 6_250),
                ],
                new()
            ),
        ["mixed-tools"] = () => ([.. Runs.ThreeFiles(), .. Runs.SqlServerSuite()], new() { NoSummary = true }),
    };

    /// <summary>Published by others, so it is not in the repository; null if it is not available.</summary>
    private static string? Published => Samples.Published("sqlio-published", "15-concatenated-9-runs.txt");

    public static TheoryData<string> Names() => new(s_cases.Keys.Where(name => name != "nine-sqlio-runs" || Published is not null));

    [Theory]
    [MemberData(nameof(Names))]
    public void Is_valid_on_every_sheet(string name)
    {
        var (results, options) = s_cases[name]();
        using var book = new Workbook(results, options);

        Assert.Empty(book.Faults());
        Assert.Empty(ExcelLimits.Faults(book));
        Assert.All(book.Charts(), chart => Assert.Contains(chart.Descendants(Chart.C + "v"), value => value.Value.Length > 0));
        if (Environment.GetEnvironmentVariable("IOBENCH_PICTURES") is { Length: > 0 } folder)
        {
            File.Copy(book.Path, Path.Combine(folder, name + ".xlsx"), overwrite: true);
            using var page = File.Create(Path.Combine(folder, name + ".html"));
            Report.Write(page, page.Name, results, options);
        }
    }

    [Fact]
    public void Cards_and_heat_maps_are_kept_too()
    {
        var cards = new Dictionary<string, ReportContext>
        {
            ["card"] = ReportContext.Of(Runs.SqlServerSuite(), new()),
            ["card-slow"] = ReportContext.Of(Runs.SqlServerSuite(faster: 0.02), new()),
            ["card-stall"] = HeatMapTests.Context(),
        };
        Assert.All(cards.Values, card => Assert.StartsWith("<svg", CardPicture.Draw(card), StringComparison.Ordinal));
        if (Environment.GetEnvironmentVariable("IOBENCH_PICTURES") is not { Length: > 0 } folder)
            return;
        foreach (var (name, card) in cards)
            File.WriteAllText(Path.Combine(folder, name + ".svg"), CardPicture.Draw(card));
        using (var book = File.Create(Path.Combine(folder, "stall.xlsx")))
            WorkbookWriter.Write(book, HeatMapTests.Document());
        using (var page = File.Create(Path.Combine(folder, "stall.html")))
            HtmlWriter.Write(page, HeatMapTests.Document());
        File.WriteAllLines(Path.Combine(folder, "stall.txt"), HeatMapText.Lines(HeatMapTests.Context().HeatMaps[0]));
    }

    private static (List<IoTestResult>, ReportOptions) Read(string path) => ([.. ResultReader.ReadFile(path)], new());

    private static List<IoTestResult> Grid() =>
        [
            .. from depth in new[] { 1, 8, 32 }
            from block in new[] { 4.0, 8, 16, 64, 256, 1024 }
            let iops = Math.Min(12_000 * Math.Pow(depth, 0.8), 3.2e6 / block) / (1 + block / 200)
            select Runs.Measured(
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
