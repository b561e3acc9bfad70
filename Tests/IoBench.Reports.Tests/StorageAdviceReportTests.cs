using System.Collections;
using System.Globalization;
using IoBench.Analysis;

namespace IoBench.Reports.Tests;

public class StorageAdviceReportTests
{
    [Fact]
    public void Workbook_has_sheets_with_choices_sources_and_reasons()
    {
        using var workbook = CreateWorkbook("azure");
        Assert.Equal(["Storage", "NotSufficient"], workbook.GetSheetNames());
        var storage = workbook.GetText("Storage");
        Assert.Contains("azure:P30", storage, StringComparison.Ordinal);
        Assert.Contains("disk-storage-premium-ssd-sizes.md", storage, StringComparison.Ordinal);
        Assert.Contains(
            @"To verify the data disk of Premium SSD on the new VM: iobench cap F:\ --provisioned",
            storage,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "4,030 IOPS required (3,100 IOPS + 30%); limit 2,300 IOPS",
            workbook.GetText("NotSufficient"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Column_of_the_plan_is_wide_enough_to_distinguish_the_tiers_of_Managed_Instance()
    {
        using var workbook = CreateWorkbook("azure-mi");
        const string longest = "SQL Managed Instance Next-gen General Purpose";
        Assert.Contains(longest, workbook.GetText("Storage"), StringComparison.Ordinal);
        var plan = workbook.GetSheet("Storage").Descendants().First(element => element.Name.LocalName == "col");
        Assert.InRange(double.Parse(plan.Attribute("width")!.Value, CultureInfo.InvariantCulture), longest.Length, 60);
    }

    private static Workbook CreateWorkbook(string cloud)
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
                    ["size_on_disk_bytes"] = 100L << 30,
                    ["type_desc"] = "ROWS",
                    ["physical_name"] = @"E:\Data\Sales.mdf",
                },
            ]);
        var advice = StorageAdvisor.Advise([At(0, 0), At(100_000, 310_000)], cloud);
        return new(new ReportDocument("Storage", CapturedWorkloadSection.BuildAdvice(advice)), maxRows: 1000);
    }
}
