using System.Collections;
using System.IO.Compression;
using IoBench.Analysis;

namespace IoBench.Reports.Tests;

public class FileStatsReportTests
{
    [Fact]
    public void Workbook_has_a_Files_sheet_with_the_verdict_of_each_file()
    {
        static FileStatsSnapshot At(long sample, long reads) =>
            FileStatsSnapshot.FromRows([
                new Hashtable
                {
                    ["database_id"] = 5,
                    ["file_id"] = 1,
                    ["physical_name"] = @"D:\x.mdf",
                    ["sample_ms"] = sample,
                    ["num_of_reads"] = reads,
                    ["num_of_bytes_read"] = reads * 8192,
                    ["io_stall_read_ms"] = reads * 30,
                    ["num_of_writes"] = 0,
                    ["num_of_bytes_written"] = 0,
                    ["io_stall_write_ms"] = 0,
                },
            ]);
        var rating = FileStatsRating.Create([At(0, 0), At(60_000, 6000)], FileStatsRating.ChooseRules(null));
        using var stream = new MemoryStream();
        Report.Write(stream, "r.xlsx", [rating]);
        stream.Position = 0;
        using var package = new ZipArchive(stream);
        using var reader = new StreamReader(package.GetEntry("xl/worksheets/sheet1.xml")!.Open());
        var sheet = reader.ReadToEnd();
        Assert.Contains(@"D:\x.mdf", sheet, StringComparison.Ordinal);
        Assert.Contains("fail (warning)", sheet, StringComparison.Ordinal);
        Assert.Contains("reads: average latency 30 ms exceeds the limit of 15 ms (poor)", sheet, StringComparison.Ordinal);
    }
}
