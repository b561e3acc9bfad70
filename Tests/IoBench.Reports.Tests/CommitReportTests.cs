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
        Assert.Contains("Commit methods of L:\\iobench.dat", html, StringComparison.Ordinal);
        Assert.Contains("write + grouped flush", html, StringComparison.Ordinal);
        Assert.Contains("trace flag 3982", html, StringComparison.Ordinal);
        Assert.Contains("Misaligned commits were not measured.", html, StringComparison.Ordinal);
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
                FuaNotCountedReason = "only root can count FUA writes",
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
