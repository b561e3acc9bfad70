using System.Collections;
using System.IO.Compression;
using IoBench.Analysis;

namespace IoBench.Reports.Tests;

public class StorageAdviceReportTests
{
    [Fact]
    public void Workbook_has_a_Storage_sheet_with_choices_sources_and_reasons()
    {
        static FileStatsSnapshot At(long sample, long reads) =>
            FileStatsSnapshot.FromRows([
                new Hashtable
                {
                    ["database_id"] = 5,
                    ["file_id"] = 1,
                    ["sample_ms"] = sample,
                    ["num_of_reads"] = reads,
                    ["num_of_bytes_read"] = reads * 8192,
                    ["io_stall_read_ms"] = reads,
                    ["num_of_writes"] = 0,
                    ["num_of_bytes_written"] = 0,
                    ["io_stall_write_ms"] = 0,
                },
            ]);
        using var stream = new MemoryStream();
        Report.Write(stream, "r.xlsx", StorageAdvisor.Advise([At(0, 0), At(100_000, 310_000)], "azure"));
        stream.Position = 0;
        using var package = new ZipArchive(stream);
        using var reader = new StreamReader(package.GetEntry("xl/worksheets/sheet1.xml")!.Open());
        var sheet = reader.ReadToEnd();
        Assert.Contains("azure:P30", sheet, StringComparison.Ordinal);
        Assert.Contains("disk-storage-premium-ssd-sizes.md", sheet, StringComparison.Ordinal);
        Assert.Contains("4,030 IOPS required (3,100 IOPS + 30%); limit 2,300 IOPS", sheet, StringComparison.Ordinal);
        Assert.Contains(
            @"To verify the data disk of Premium SSD on the new VM: iobench cap F:\ --provisioned",
            sheet,
            StringComparison.Ordinal
        );
    }
}
