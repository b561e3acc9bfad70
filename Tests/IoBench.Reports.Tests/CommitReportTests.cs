using System.IO.Compression;
using System.Text;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class CommitReportTests
{
    [Fact]
    public void Workbook_has_a_Commit_sheet_with_methods_and_advice()
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "r.xlsx", CreateResult());
        stream.Position = 0;
        using var package = new ZipArchive(stream);
        var workbook = ReadText(package, "xl/workbook.xml");
        Assert.Contains("name=\"Commit\"", workbook, StringComparison.Ordinal);
        var sheet = ReadText(package, "xl/worksheets/sheet1.xml");
        Assert.Contains("write + grouped flush", sheet, StringComparison.Ordinal);
        Assert.Contains("control.alternatewritethrough 1", sheet, StringComparison.Ordinal);
        Assert.Contains("not counted", sheet, StringComparison.Ordinal);
    }

    [Fact]
    public void Html_report_has_methods_and_advice()
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "r.html", CreateResult());
        var html = Encoding.UTF8.GetString(stream.ToArray());
        Assert.Contains("Commit methods tested on L:\\iobench.dat", html, StringComparison.Ordinal);
        Assert.Contains("write + grouped flush", html, StringComparison.Ordinal);
        Assert.Contains("Do not set trace flag 3979 (3982 is the default)", html, StringComparison.Ordinal);
        Assert.Contains("Misaligned commits were not measured.", html, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("r.xlsx")]
    [InlineData("r.html")]
    public void Report_has_the_parts_of_commits_with_a_replica(string name)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, name, CreateResult() with { Replica = CreateReplica() });
        string text;
        if (name == "r.html")
            text = Encoding.UTF8.GetString(stream.ToArray());
        else
        {
            stream.Position = 0;
            using var package = new ZipArchive(stream);
            text = ReadText(package, "xl/worksheets/sheet1.xml");
        }
        foreach (var part in new[] { "Local disk", "Network", "Remote disk" })
            Assert.Contains($"{part} longest at p99 (%)", text, StringComparison.Ordinal);
        Assert.Contains("Synchronous replica sql2:8434", text, StringComparison.Ordinal);
        Assert.Contains("write + grouped flush, redo", text, StringComparison.Ordinal);
        Assert.Contains("remote disk", text, StringComparison.Ordinal);
        Assert.Contains("The prediction does not include the effects of log compression", text, StringComparison.Ordinal);
        Assert.Contains("Predicted commit latency", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Image_is_not_a_commit_report() =>
        Assert.Equal(
            "IoBench.UnknownReportFormat",
            Assert.Throws<IoBenchException>(() => Report.Write(Stream.Null, "r.svg", CreateResult())).ErrorId
        );

    private static string ReadText(ZipArchive package, string name)
    {
        using var reader = new StreamReader(package.GetEntry(name)!.Open());
        return reader.ReadToEnd();
    }

    private static ReplicaResult CreateReplica() =>
        new()
        {
            Address = "sql2:8434",
            Replica = new ReplicaFacts
            {
                Host = "sql2",
                Path = "/data/r.dat",
                IsWindows = false,
                FileSystem = "xfs",
            },
            Measurements =
            [
                .. new[] { false, true }.Select(redo => new ReplicaMeasurement
                {
                    Method = CommitMethod.GroupedFlush,
                    Committers = 1,
                    WriteSize = 4096,
                    HasRedo = redo,
                    CommitsPerSecond = 200,
                    RoundRates = [190, 200, 210],
                    CommitCount = 1000,
                    AverageMs = 5,
                    P99Ms = 6.2,
                    RemoteDiskAverageMs = 4,
                    RemoteDiskP99Ms = 5.1,
                    SlowCommitCount = 10,
                    LocalDiskLongestPercent = 0,
                    NetworkLongestPercent = 0,
                    RemoteDiskLongestPercent = 100,
                    LongestPart = CommitPart.RemoteDisk,
                }),
            ],
        };

    private static CommitResult CreateResult() =>
        new()
        {
            Path = "L:\\iobench.dat",
            StartTime = DateTimeOffset.UnixEpoch,
            DurationSeconds = 2,
            Storage = new CommitStorage
            {
                IsWindows = false,
                FileSystem = "xfs",
                SupportsFua = false,
                HasVolatileCache = true,
                FuaNotCountedReason = "IoBench can count FUA writes only as root",
            },
            Measurements =
            [
                .. Enum.GetValues<CommitMethod>()
                    .Select(method => new CommitMeasurement
                    {
                        Method = method,
                        Committers = 1,
                        WriteSize = 4096,
                        CommitsPerSecond = 500,
                        RoundRates = [490, 500, 510],
                        AverageMs = 2,
                        P99Ms = 3.9,
                    }),
            ],
            Omissions = ["Misaligned commits were not measured."],
        };
}
