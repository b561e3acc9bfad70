using System.Text.Json;
using System.Text.RegularExpressions;

namespace IoBench.Cli.Tests;

public class AdviseTests
{
    private static string CreateSamples(TestFolder folder, long iops = 6200, long mbps = 310)
    {
        var path = folder.GetPath("samples.csv");
        File.WriteAllLines(
            path,
            [
                "taken,database_id,file_id,type_desc,physical_name,sample_ms,num_of_reads,num_of_bytes_read,io_stall_read_ms,num_of_writes,num_of_bytes_written,io_stall_write_ms",
                @"2026-11-20 14:00:00,5,1,ROWS,D:\x.mdf,1000,0,0,0,0,0,0",
                @"2026-11-20 14:00:00,5,2,LOG,L:\x.ldf,1000,0,0,0,0,0,0",
                FormattableString.Invariant($@"2026-11-20 14:15:00,5,1,ROWS,D:\x.mdf,901000,{900 * iops},{900 * mbps}000000,0,0,0,0"),
                @"2026-11-20 14:15:00,5,2,LOG,L:\x.ldf,901000,0,0,0,1530000,40500000000,0",
            ]
        );
        return path;
    }

    [Fact]
    public void Advise_names_the_windows_the_storage_and_the_command_that_tests_it()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--cloud", "azure");
        Assert.Equal(0, run.ExitCode);
        var lines = run.Output.Split('\n').Select(line => line.TrimEnd()).ToList();
        Assert.Equal("3 plans fit. Without prices, IoBench does not rank them.", lines[0]);
        Assert.Equal("Average over 15 minutes: data 6,200 IOPS and 310 MB/s, log 1,700 IOPS and 45", lines[1]);
        Assert.Contains("[IoBench.LongWindow]", run.Error, StringComparison.Ordinal);
        Assert.Equal("Premium SSD", lines[4]);
        Assert.Matches(@"^data +azure:P60 +16,000 +500 +62% +throughput$", lines[7]);
        Assert.Matches(@"^log +azure:P20 +2,300 +150 +74% +IOPS$", lines[8]);
        // Only commands can be longer, because they are copied. Names of storage are never broken.
        Assert.All(
            lines.Where(line => !line.StartsWith("  iobench", StringComparison.Ordinal)),
            line => Assert.InRange(line.Length, 0, 79)
        );
        Assert.Matches(
            @"^data +azure:premium-v2:8060:403 +8,060 +403 +77% +IOPS$",
            lines.Single(line => line.Contains(":8060:403 ") && line.Contains("v2"))
        );
        Assert.Contains("not with burst limits", run.Output, StringComparison.Ordinal);
        Assert.Contains("does not check the size of the storage", string.Join(' ', lines), StringComparison.Ordinal);
        Assert.Matches(
            "To verify the log disk of Premium SSD on the new VM:\r?\n  iobench cap L:\\\\ --provisioned \"azure:P20; azure-vm:[A-Za-z0-9_:]+\"",
            run.Output
        );
        Assert.DoesNotContain("azure:P30", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("aws", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Advise_shows_what_does_not_fit_on_request_and_in_json()
    {
        using var folder = new TestFolder();
        var samples = CreateSamples(folder);
        var all = Cli.Run("advise", "--from-file-stats", samples, "--cloud", "azure", "--all");
        Assert.Contains("403 MB/s required (310 MB/s + 30%); limit", all.Output, StringComparison.Ordinal);
        Assert.Contains(
            "its limits depend on its size, and the catalog has only the highest",
            string.Join(' ', all.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)),
            StringComparison.Ordinal
        );
        using var json = JsonDocument.Parse(Cli.Run("advise", "--from-file-stats", samples, "--format", "json").Output);
        Assert.Equal(8, json.RootElement.GetProperty("plans").GetArrayLength());
        var plan = json.RootElement.GetProperty("plans")[0];
        Assert.True(plan.GetProperty("fits").GetBoolean());
        Assert.Equal("azure:P1", plan.GetProperty("rejected")[0].GetProperty("storage").GetString());
        Assert.NotEmpty(plan.GetProperty("rejected")[0].GetProperty("reason").GetString()!);
        Assert.NotEmpty(plan.GetProperty("choices")[0].GetProperty("source").GetString()!);
        Assert.Equal("Storage.Fits", json.RootElement.GetProperty("findings")[0].GetProperty("code").GetString());
    }

    [Fact]
    public void Advise_shows_sizes_of_files_for_a_managed_instance()
    {
        using var folder = new TestFolder();
        var samples = CreateSamples(folder, 3000);
        var run = Cli.Run("advise", samples, "--cloud", "azure-mi", "--headroom", "10");
        Assert.Equal(0, run.ExitCode);
        var lines = run.Output.Split('\n').Select(line => line.TrimEnd()).ToList();
        // 310 MB/s are 296 MiB/s, above the limit of every file.
        Assert.Contains(
            "SQL Managed Instance General Purpose does not fit. D:\\x.mdf: 325 MiB/s",
            string.Join(' ', lines),
            StringComparison.Ordinal
        );
        Assert.Contains(
            lines,
            line => Regex.IsMatch(line, @"^instance +azure-mi:nextgen:12vcore:11730:391 +11,730 +391 +91% +throughput$")
        );
        Assert.DoesNotContain("iobench cap", run.Output, StringComparison.Ordinal);
        Assert.Contains("IoBench cannot run on SQL Managed Instance.", run.Output, StringComparison.Ordinal);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 79));

        run = Cli.Run("advise", CreateSamples(folder, 3000, 100), "--cloud", "azure-mi");
        lines = run.Output.Split('\n').Select(line => line.TrimEnd()).ToList();
        Assert.Contains(lines, line => Regex.IsMatch(line, @"^Role +File +Storage +IOPS +MiB/s +Load +Bottleneck$"));
        Assert.Contains(lines, line => Regex.IsMatch(line, @"^data +D:\\x.mdf +azure-mi:gp:1025 +5,000 +200 +60% +IOPS$"));
        Assert.Contains("D:\\x.mdf: make the file larger than 513 GiB.", lines);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 79));
    }

    [Fact]
    public void Advise_ends_with_3_if_nothing_fits()
    {
        using var folder = new TestFolder();
        var run = Cli.Run("advise", "--from-file-stats", CreateSamples(folder, 900_000));
        Assert.Equal(3, run.ExitCode);
        Assert.Contains("Premium SSD does not fit. data: 1,170,000 IOPS", run.Output, StringComparison.Ordinal);
        Assert.StartsWith("No plan fits the load with 30% headroom.", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("To verify", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Advise_uses_the_prices_of_the_user()
    {
        using var folder = new TestFolder();
        var prices = folder.GetPath("prices.csv");
        File.WriteAllText(prices, "name,price\nazure:P60,860\nazure:P20,66\nazure-vm:E8ds_v5,100\nazure-vm:M16bds_v3,50.5\n");
        var run = Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--cloud", "azure", "--prices", prices);
        Assert.Contains("azure-vm:M16bds_v3", run.Output, StringComparison.Ordinal);
        Assert.Contains("Prices from your price file: Premium SSD 380.5.", run.Output, StringComparison.Ordinal);
        Assert.StartsWith("3 plans fit. The cheapest is Premium SSD: 380.5.", run.Output, StringComparison.Ordinal);
        // Four disks of 66 are cheaper than one of 860.
        Assert.Matches(@"4 x azure:P20 +9,200 +600 +67% +IOPS +264", run.Output);
        File.WriteAllText(prices, "name,price\nazure:P60,860\n");
        run = Cli.Run("advise", CreateSamples(folder), "--cloud", "azure", "--prices", prices);
        Assert.Contains("Missing for Premium SSD: azure-vm:", run.Error, StringComparison.Ordinal);
        Assert.Contains("[IoBench.PricesMissing]", run.Error, StringComparison.Ordinal);
        File.WriteAllText(prices, "name,price\nazure:P61,860\n");
        run = Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--prices", prices);
        Assert.Contains("[IoBench.InvalidPrices]", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("r.xlsx")]
    [InlineData("r.html")]
    public void Advise_writes_a_report(string name)
    {
        using var folder = new TestFolder();
        var report = folder.GetPath(name);
        Assert.Equal(0, Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--report", report).ExitCode);
        Assert.True(new FileInfo(report).Length > 1000);
        Assert.Contains(
            "[IoBench.FileExists]",
            Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--report", report).Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Advise_requires_snapshots()
    {
        using var folder = new TestFolder();
        Assert.Contains("[IoBench.Usage]", Cli.Run("advise").Error, StringComparison.Ordinal);
        Assert.Contains(
            "[IoBench.FileNotFound]",
            Cli.Run("advise", "--from-file-stats", folder.GetPath("none.csv")).Error,
            StringComparison.Ordinal
        );
        Assert.Equal(2, Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--headroom", "500").ExitCode);
        Assert.Equal(2, Cli.Run("advise", "--from-file-stats", CreateSamples(folder), "--cloud", "moon").ExitCode);
    }
}
