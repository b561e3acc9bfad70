using System.IO.Compression;
using System.Net;
using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Engine.Tests;
using IoBench.Reports;

namespace IoBench.Application.Tests;

public class CapReportTests
{
    private static readonly int[] s_loads = [1, 32, 128];

    private static NullDeviceModel CreateFastDevice(double iops = 0, double bytes = 0) =>
        new(64, 0.3, NullServiceTime.Exponential, MsPerKB: 0.001, MaxIops: iops, MaxBytesPerSecond: bytes);

    public static TheoryData<string, CapKind, string, string> GetKinds() =>
        new()
        {
            { "iops", CapKind.Iops, "an IOPS limit of 1,000, not the speed of the disk", "IOPS = 1000" },
            { "bandwidth", CapKind.Throughput, "a throughput limit of 20 MB/s", "Throughput = '20 MB/s'" },
            { "host", CapKind.HostOrPath, "The paths share an IOPS limit of 500 in the host", "IOPS = 500" },
            { "burst", CapKind.BurstEnds, "the end of a burst", "IOPS = 500; BurstIOPS = 1000" },
            { "medium", CapKind.Medium, "IoBench found no limit", "IOPS = 5000" },
        };

    [Theory]
    [MemberData(nameof(GetKinds))]
    public void Limit_is_named_in_sentence_workbook_and_HTML_for_20_seeds(string device, CapKind kind, string words, string bought)
    {
        var specification = StorageSpecification.Parse(bought);
        for (var seed = 1; seed <= 20; seed++)
        {
            var runs = RunCapTests(device, seed);
            var caps = CapResult.Analyze(runs, specification);
            Assert.True(caps[^1].Kind == kind, $"seed {seed}: {caps[^1].Summary}");
            Assert.Contains(words, caps[^1].Summary, StringComparison.Ordinal);
            // A report repeats the sentences whatever the seed, so a few reports are enough.
            if (seed > 4)
                continue;
            foreach (var name in new[] { "r.xlsx", "r.html" })
            {
                var summary = WriteSummary(runs, name, specification);
                Assert.Contains("|" + string.Join(" ", caps.Select(cap => cap.Summary)), summary, StringComparison.Ordinal);
                Assert.All(
                    caps.SelectMany(cap => cap.Checks),
                    check => Assert.Contains($"|{check.BoughtText}|{check.MeasuredText}|", summary, StringComparison.Ordinal)
                );
            }
        }
    }

    [Fact]
    public void Missed_limit_is_marked_with_its_percentage()
    {
        var summary = WriteSummary(RunCapTests("iops", 1), "r.html", StorageSpecification.Parse("aws:gp3:2000:125"));
        Assert.Matches(@"\|Sustained IOPS\|2,000 IOPS\|1,00\d IOPS\|50(\.\d)?%?\|✘ fail\|", summary);
    }

    [Fact]
    public void Report_has_no_limit_section_without_cap_runs()
    {
        var runs = RunCapTests("iops", 1);
        runs.ForEach(run => run.Workload = "page-read");
        Assert.DoesNotContain("What limits the storage", WriteSummary(runs, "r.html", null), StringComparison.Ordinal);
    }

    private static List<IoTestResult> RunCapTests(string device, int seed)
    {
        Func<IoTestSpecification, NullDeviceModel> model = device switch
        {
            "iops" => _ => CreateFastDevice(iops: 1000),
            "bandwidth" => _ => CreateFastDevice(bytes: 20e6),
            "host" => _ => CreateFastDevice(iops: 500),
            "burst" => _ => CreateFastDevice(iops: 500) with { BurstIops = 1000, BurstCredit = 2500 },
            _ => _ => new(8, 6, NullServiceTime.Exponential),
        };
        string[] paths = device == "host" ? ["D:\\", "E:\\"] : ["D:\\"];
        var start = new DateTimeOffset(2026, 1, 10, 2, 0, 0, TimeSpan.Zero);
        return
        [
            .. CapPlan
                .Create(
                    paths,
                    paths.Length > 1 ? IoPathMode.Both : IoPathMode.Each,
                    outstanding: s_loads,
                    duration: TimeSpan.FromSeconds(10),
                    warmUp: TimeSpan.FromSeconds(1)
                )
                .Select(
                    (spec, index) =>
                    {
                        var result = ModeledRun.RunOnOneWorker(spec, model(spec), (ulong)(seed * 1000 + index));
                        // Results as if from a real disk, because a report does not rate a modeled device.
                        (result.Backend, result.StartTime) = ("IoUring", start.AddMinutes(index));
                        return result;
                    }
                ),
        ];
    }

    // Returns the first sheet or the HTML report, with cells separated by a bar.
    private static string WriteSummary(IReadOnlyList<IoTestResult> runs, string name, StorageSpecification? bought)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, name, runs, new ReportOptions { Bought = bought });
        stream.Position = 0;
        string markup;
        if (name == "r.html")
            markup = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        else
        {
            using var archive = new ZipArchive(stream, ZipArchiveMode.Read);
            using var reader = new StreamReader(archive.GetEntry("xl/worksheets/sheet1.xml")!.Open());
            markup = reader.ReadToEnd();
        }
        return Regex.Replace(
            WebUtility.HtmlDecode(
                Regex.Replace(Regex.Replace(markup, "<(tr|row|p)[ >][^>]*>?|</td>|</th>|</c>|<c [^>]*/>", "|"), "<[^>]+>", "")
            ),
            "\\|[|\\s]*",
            "|"
        );
    }
}
