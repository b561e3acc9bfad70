using System.Collections;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class StorageAdvisorTests
{
    private const double MB = 1e6;

    /// <summary>Counters of one file, with 1 read for each I/O.</summary>
    private static Hashtable CreateRow(
        int database,
        int file,
        long sample,
        long ios,
        long bytes,
        double? sizeGiB = null,
        DateTime? taken = null
    ) =>
        new()
        {
            ["database_id"] = database,
            ["file_id"] = file,
            ["sample_ms"] = sample,
            ["num_of_reads"] = ios,
            ["num_of_bytes_read"] = bytes,
            ["io_stall_read_ms"] = ios,
            ["num_of_writes"] = 0,
            ["num_of_bytes_written"] = 0,
            ["io_stall_write_ms"] = 0,
            ["type_desc"] = file == 2 ? "LOG" : "ROWS",
            ["size_on_disk_bytes"] = sizeGiB * 1073741824,
            ["taken"] = taken,
        };

    /// <summary>Two snapshots 100 s apart: file 1 is data, file 2 is log, database 2 is tempdb.</summary>
    private static List<FileStatsSnapshot> CreateSnapshots(params (int Database, int File, double IOPS, double MBps)[] loads) =>
        [
            FileStatsSnapshot.FromRows(loads.Select(load => CreateRow(load.Database, load.File, 0, 0, 0))),
            FileStatsSnapshot.FromRows(
                loads.Select(load => CreateRow(load.Database, load.File, 100_000, (long)(load.IOPS * 100), (long)(load.MBps * MB * 100)))
            ),
        ];

    private static StoragePlan GetPlan(StorageAdvice advice, string name) => advice.Plans.Single(plan => plan.Name == name);

    [Fact]
    public void Advice_has_the_smallest_disks_and_the_virtual_machine_of_each_plan()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 6200, 310), (5, 2, 1700, 45), (2, 1, 2400, 100)), "azure");
        Assert.Equal(["Premium SSD", "Premium SSD v2", "Ultra Disk"], advice.Plans.Select(plan => plan.Name));
        Assert.All(advice.Plans, plan => Assert.True(plan.Fits));
        // 6,200 x 1.3 = 8,060 IOPS and 310 x 1.3 = 403 MB/s; 1,700 x 1.3 = 2,210 IOPS; 2,400 x 1.3 = 3,120 IOPS.
        Assert.Equal(
            [("data", "azure:P60"), ("log", "azure:P20"), ("tempdb", "azure:P30"), ("VM", "azure-vm:E8bds_v5")],
            advice.Plans[0].Choices.Select(choice => (choice.Role, choice.Storage))
        );
        var data = advice.Plans[0].Choices[0];
        Assert.Equal(("throughput", 62.0), (data.Bottleneck, data.LoadPercent));
        Assert.Equal("azure:premium-v2:8060:403", advice.Plans[1].Choices[0].Storage);
        Assert.Equal("azure:ultra:8060:403", advice.Plans[2].Choices[0].Storage);
        Assert.Equal(100 / 1.3, advice.Plans[1].Choices[0].LoadPercent, 0.05);
        // 500 IOPS for each GiB.
        Assert.Equal(17, advice.Plans[1].Choices[0].MinSizeGiB);
        // One command for each disk, but none for the virtual machine.
        Assert.Equal(
            [
                "To verify the data disk of Premium SSD on the new VM: iobench cap F:\\ --provisioned \"azure:P60; azure-vm:E8bds_v5\"",
                "To verify the log disk of Premium SSD on the new VM: iobench cap L:\\ --provisioned \"azure:P20; azure-vm:E8bds_v5\"",
                "To verify the tempdb disk of Premium SSD on the new VM: iobench cap T:\\ --provisioned \"azure:P30; azure-vm:E8bds_v5\"",
            ],
            advice.Plans[0].CommandHeadings.Zip(advice.Plans[0].Commands, (heading, command) => $"{heading} {command}")
        );
        Assert.Equal("3 plans fit. Without prices, IoBench does not rank them.", advice.Summary);
        Assert.Equal(FindingCodes.StorageFits, advice.Findings[0].Code);
    }

    [Fact]
    public void Commands_name_provisioned_storage_that_cap_accepts()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 9000, 500), (5, 2, 900, 45)));
        Assert.Equal(8, advice.Plans.Count);
        foreach (var command in advice.Plans.SelectMany(plan => plan.Commands))
        {
            var specification = StorageSpecification.Parse(command.Split('"')[1], new DateOnly(2026, 11, 20));
            Assert.Equal(2, specification.Offers.Count);
        }
    }

    [Fact]
    public void Burst_is_never_counted()
    {
        // P20 has 2,300 IOPS, and 3,500 in a burst.
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 2400, 20)), "azure", headroomPercent: 0);
        var plan = advice.Plans[0];
        Assert.Equal("azure:P30", plan.Choices[0].Storage);
        var rejected = plan.Rejected.Single(choice => choice.Storage == "azure:P20");
        Assert.Equal(
            "2,400 IOPS required; limit 2,300 IOPS; the burst limit (3,500 IOPS, 170 MB/s) would be enough, but only until the burst ends",
            rejected.Reason
        );
    }

    [Fact]
    public void Busiest_window_is_found_for_each_role_and_for_all_together()
    {
        var noon = new DateTime(2026, 11, 20, 12, 0, 0, DateTimeKind.Unspecified);
        FileStatsSnapshot At(int minute, long data, long log) =>
            FileStatsSnapshot.FromRows([
                CreateRow(5, 1, minute * 60_000, data, data * 8192, taken: noon.AddMinutes(minute)),
                CreateRow(5, 2, minute * 60_000, log, log * 4096, taken: noon.AddMinutes(minute)),
            ]);
        // Data is busiest in window 2 (1,000 IOPS), log in window 3 (500 IOPS), and all together in window 3 (900 + 500).
        var advice = StorageAdvisor.Advise([At(0, 0, 0), At(1, 6000, 6000), At(2, 66_000, 6060), At(3, 120_000, 36_060)]);
        Assert.Equal([("data", 1000.0, 2), ("log", 500.0, 3)], advice.Loads.Select(load => (load.Role, load.IOPS, load.Window)));
        Assert.Equal((1400.0, 3), (advice.Total.IOPS, advice.Total.Window));
        Assert.Equal("2026-11-20 12:01:00 to 12:02:00", advice.Loads[0].WindowText);
        Assert.StartsWith(
            "Busiest windows of 60 seconds: data 1,000 IOPS and 8.2 MB/s (2026-11-20 12:01:00 to 12:02:00), log ",
            advice.LoadSummary,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Plan_without_a_large_enough_SKU_says_what_is_missing()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 130_000, 310), (5, 2, 100, 5)), "azure");
        // Plans that fit come first.
        Assert.Equal(["Premium SSD v2", "Ultra Disk", "Premium SSD"], advice.Plans.Select(plan => plan.Name));
        var plan = advice.Plans[^1];
        Assert.Equal(["data"], plan.Missing);
        Assert.Equal(
            "Premium SSD does not fit. data: 169,000 IOPS required (130,000 IOPS + 30%); limit 160,000 IOPS (8 x azure:P80, the largest SKU).",
            plan.Summary
        );
        Assert.Empty(plan.Commands);
        Assert.Equal(FindingCodes.StorageDoesNotFit, advice.Findings[^1].Code);
    }

    [Fact]
    public void Disk_must_have_room_for_the_files_if_their_size_is_known()
    {
        List<FileStatsSnapshot> Create(double sizeGiB) =>
            [
                FileStatsSnapshot.FromRows([CreateRow(5, 1, 0, 0, 0, sizeGiB)]),
                FileStatsSnapshot.FromRows([CreateRow(5, 1, 100_000, 10_000, 81_920_000, sizeGiB)]),
            ];
        Assert.Equal("azure:P10", GetPlan(StorageAdvisor.Advise(Create(100)), "Premium SSD").Choices[0].Storage);
        var plan = GetPlan(StorageAdvisor.Advise(Create(2000)), "Premium SSD");
        Assert.Equal("azure:P40", plan.Choices[0].Storage);
        Assert.Equal("the files need 2,000 GiB, but the disk has 1,024 GiB", plan.Rejected.Single(c => c.Storage == "azure:P30").Reason);
        Assert.Equal(2000, GetPlan(StorageAdvisor.Advise(Create(2000)), "Premium SSD v2").Choices[0].MinSizeGiB);
    }

    [Fact]
    public void SKUs_whose_limits_are_not_known_are_excluded_with_a_reason()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 100, 1)));
        var excluded = advice.NotConsidered.Select(sku => sku.Storage).ToList();
        Assert.Contains("azure:standard-ssd", excluded);
        Assert.Contains("azure:P30:plus", excluded);
        Assert.Contains("azure-vm:M8ms:cached", excluded);
        Assert.Contains("aws:gp2", excluded);
        Assert.DoesNotContain(advice.NotConsidered, sku => sku.Storage.StartsWith("gcp", StringComparison.Ordinal));
        // Every SKU of the two clouds is considered or excluded.
        var considered = advice
            .Plans.SelectMany(plan => plan.Choices.Concat(plan.Others).Concat(plan.Rejected))
            .Select(choice => choice.Storage);
        Assert.All(
            StorageSku.All.Where(sku => !sku.Name.StartsWith("gcp", StringComparison.Ordinal)),
            sku =>
                Assert.Contains(
                    excluded.Concat(considered),
                    name => name == sku.Name || name.StartsWith(sku.Name + ":", StringComparison.Ordinal)
                )
        );
    }

    [Fact]
    public void Date_and_confirmation_of_the_limits_are_kept()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 100, 1)));
        Assert.Equal("2023-03-16", GetPlan(advice, "Premium SSD").Choices[0].DateText);
        Assert.Equal("2025-09-30, not confirmed", GetPlan(advice, "EBS gp3").Choices[0].DateText);
        Assert.Equal("2023-05-11", GetPlan(advice, "EBS io2 Block Express").Choices[0].DateText);
        Assert.All(advice.Plans.SelectMany(plan => plan.Choices), choice => Assert.NotEmpty(choice.Source));
    }

    [Theory]
    [InlineData(2, 2700, "Average over 45 minutes: data 100 IOPS and 0.8", true)]
    [InlineData(2, 5, "Average over 5 seconds: data ", true)]
    [InlineData(3, 300, "Busiest windows of 5 minutes: data ", false)]
    [InlineData(3, 900, "Busiest windows of 15 minutes: data ", false)]
    [InlineData(3, 901, "Busiest windows of 15 minutes: data ", true)]
    public void Long_windows_and_two_snapshots_get_a_warning(int snapshots, int seconds, string start, bool isWarned)
    {
        var advice = StorageAdvisor.Advise([
            .. Enumerable
                .Range(0, snapshots)
                .Select(i =>
                    FileStatsSnapshot.FromRows([CreateRow(5, 1, i * seconds * 1000L, i * seconds * 100L, i * seconds * 819_200L)])
                ),
        ]);
        Assert.StartsWith(start, advice.LoadSummary, StringComparison.Ordinal);
        Assert.Equal(isWarned, advice.Warnings.Any(warning => warning.Code == WarningCodes.LongWindow));
    }

    [Fact]
    public void Role_without_IO_gets_a_warning_and_no_disk()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 100, 1), (2, 1, 0, 0)), "azure");
        Assert.Equal(["data", "VM"], advice.Plans[0].Choices.Select(choice => choice.Role));
        Assert.StartsWith(
            "The tempdb files had no I/O between the snapshots, so the plans contain no disk for tempdb.",
            advice.Warnings.Single(warning => warning.Code == WarningCodes.RoleWithoutIO).Text.ToString(),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Invalid_snapshots_are_errors()
    {
        var two = CreateSnapshots((5, 1, 100, 1));
        Assert.Equal("IoBench.TwoSnapshots", Assert.Throws<IoBenchException>(() => StorageAdvisor.Advise([two[0]])).ErrorId);
        Assert.Equal(ErrorIds.CountersReset, Assert.Throws<IoBenchException>(() => StorageAdvisor.Advise([two[1], two[0]])).ErrorId);
        Assert.Equal("IoBench.NoLoad", Assert.Throws<IoBenchException>(() => StorageAdvisor.Advise(CreateSnapshots((5, 1, 0, 0)))).ErrorId);
    }

    [Fact]
    public void Prices_of_the_user_choose_the_cheapest_SKUs_and_plan()
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(
                path,
                """
                name,price,price_per_iops,price_per_throughput,price_per_gib
                azure:P60,900,,,
                azure:P80,500,,,
                azure-vm:Standard_E4bds_v6,300,,,
                azure-vm:E2bds_v6,200,,,
                azure:premium-v2,0,0.005,0.04,0.1
                """
            );
            var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 8000, 200)), "azure", 0, StoragePrices.LoadFile(path));
            Assert.Equal("azure:P80", GetPlan(advice, "Premium SSD").Choices[0].Storage);
            Assert.Equal(700, GetPlan(advice, "Premium SSD").Price);
            // Three disks include 9,000 IOPS and 375 MB/s, so only 18 GiB and the virtual machine have a price.
            Assert.Equal("3 x azure:premium-v2:3000:125", GetPlan(advice, "Premium SSD v2").Choices[0].Storage);
            Assert.Equal(1.8 + 200, GetPlan(advice, "Premium SSD v2").Price!.Value, 6);
            Assert.Null(GetPlan(advice, "Ultra Disk").Price);
            Assert.Equal("Premium SSD v2", advice.Recommended!.Name);
            Assert.Equal("3 plans fit. The cheapest is Premium SSD v2: 201.8.", advice.Summary);
            // Ultra Disk has the price of a virtual machine only.
            Assert.Equal(
                "The price file is incomplete for some plans, so IoBench does not compare them. Missing for Ultra Disk: azure:ultra.",
                advice.Warnings.Single(warning => warning.Code == WarningCodes.PricesMissing).Text.ToString()
            );
            // An empty price is not a price of 0.
            File.WriteAllText(path, "name,price\nazure:P60,900\nazure-vm:E2bds_v6,\n");
            advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 8000, 200)), "azure", 0, StoragePrices.LoadFile(path));
            Assert.StartsWith(
                "The price file is incomplete for every plan. Missing for Premium SSD: azure-vm:E",
                advice.Warnings.Single(warning => warning.Code == WarningCodes.PricesMissing).Text.ToString(),
                StringComparison.Ordinal
            );
            Assert.Equal("3 plans fit. The price file is incomplete for every plan that fits.", advice.Summary);
            // Plans of a cloud without any price are not of interest, if another plan has prices.
            File.WriteAllText(path, "name,price\naws:gp3,1\naws-vm:r5b.large,1\naws-vm:r5b.24xlarge,9\n");
            advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 800, 20)), null, 0, StoragePrices.LoadFile(path));
            Assert.DoesNotContain(
                "Premium",
                advice.Warnings.Single(w => w.Code == WarningCodes.PricesMissing).Text.ToString(),
                StringComparison.Ordinal
            );
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Theory]
    [InlineData("name;cost\nazure:P30;5", "unknown column 'cost'")]
    [InlineData("", "must have the columns name and price")]
    [InlineData(
        "name,price\nazure:P31,5",
        "line 2: the catalog does not contain 'azure:P31'. To list the names, run iobench advise --all."
    )]
    [InlineData("name,price\nazure:P30,five", "line 2: price 'five' must be a number")]
    [InlineData("name,price\nazure:P30,-5", "line 2: price '-5' must be a number")]
    [InlineData("name,price\nazure:P30", "line 2 has 1 fields")]
    [InlineData("name,price\nazure:P30,5\nazure:P30,6", "line 3: 'azure:P30' occurs twice")]
    public void Invalid_prices_are_errors_with_the_line(string text, string words)
    {
        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, text);
            var error = Assert.Throws<IoBenchException>(() => StoragePrices.LoadFile(path));
            Assert.Equal("IoBench.InvalidPrices", error.ErrorId);
            Assert.Contains(words, error.Message, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }
    }

    // A separate search over the whole catalog, by name alone: each SKU is compared with the best so far.

    private static string? FindDisk(string plan, double iops, double bytes, double headroom)
    {
        for (var disks = 1; disks <= 8; disks++)
            if (FindOneDisk(plan, iops / disks, bytes / disks, headroom) is { } name)
                return disks == 1 ? name : $"{disks} x {name}";
        return null;
    }

    private static string? FindOneDisk(string plan, double iops, double bytes, double headroom)
    {
        var (needIops, needMBps) = (iops * (1 + headroom / 100), bytes / MB * (1 + headroom / 100));
        if (plan == "Premium SSD")
        {
            StorageSku? best = null;
            foreach (var sku in StorageSku.All)
            {
                if (!sku.Name.StartsWith("azure:P", StringComparison.Ordinal) || sku.Name.Contains("plus", StringComparison.Ordinal))
                    continue;
                if (sku.Iops < needIops || sku.Throughput < needMBps)
                    continue;
                if (best is null || sku.Iops < best.Iops || (sku.Iops == best.Iops && sku.CapacityGiB < best.CapacityGiB))
                    best = sku;
            }
            return best?.Name;
        }
        var (name, freeIops, freeThroughput, maxIops, maxThroughput, ratio, unit) = plan switch
        {
            "Premium SSD v2" => ("azure:premium-v2", 3000, 125, 80_000, 2000, 0.25, MB),
            "Ultra Disk" => ("azure:ultra", 100, 1, 400_000, 10_000, 0.25, MB),
            "EBS gp3" => ("aws:gp3", 3000, 125, 80_000, 2000, 0.25, 1048576),
            _ => ("aws:io2", 100, 1, 256_000, 4000, 0.256, 1048576),
        };
        var throughput = Math.Max(freeThroughput, Math.Ceiling(bytes / unit * (1 + headroom / 100)));
        var chosen = Math.Max(freeIops, Math.Max(Math.Ceiling(needIops), Math.Ceiling(throughput / ratio)));
        // More IOPS than needed can be chosen for the throughput, but not more than the maximum.
        return Math.Ceiling(needIops) > maxIops || throughput > maxThroughput
            ? null
            : FormattableString.Invariant($"{name}:{Math.Min(chosen, maxIops)}:{throughput}");
    }

    private static string? FindHost(string plan, double iops, double bytes, double headroom)
    {
        var best = ((double Iops, double Throughput, string Name)?)null;
        foreach (var sku in StorageSku.All)
        {
            var isOfPlan = plan switch
            {
                "Premium SSD" => sku.Name.StartsWith("azure-vm:", StringComparison.Ordinal)
                    && (sku.Name.Count(c => c == ':') == 1 || sku.Name.EndsWith(":nvme", StringComparison.Ordinal)),
                "Premium SSD v2" or "Ultra Disk" => sku.Name.StartsWith("azure-vm:", StringComparison.Ordinal)
                    && (sku.Name.EndsWith(":v2", StringComparison.Ordinal) || sku.Name.EndsWith(":nvme-v2", StringComparison.Ordinal)),
                "EBS gp3" => sku.Name.StartsWith("aws-vm:", StringComparison.Ordinal),
                _ => new[] { "aws-vm:r5b.", "aws-vm:r6in.", "aws-vm:r6idn.", "aws-vm:x2iedn." }.Any(sku.Name.StartsWith),
            };
            if (!isOfPlan || iops * (1 + headroom / 100) > sku.Iops || bytes * (1 + headroom / 100) > sku.Throughput * MB)
                continue;
            var candidate = (sku.Iops!.Value, sku.Throughput!.Value, sku.Name);
            if (best is not { } so || IsSmaller(candidate, so))
                best = candidate;
        }
        return best?.Name;
    }

    // Rows of resource-limits.md of Azure SQL Managed Instance, typed from the page.
    private static readonly (double UpToGiB, double IOPS, double MiBps)[] s_fileSizes =
    [
        (129, 500, 100),
        (513, 2300, 150),
        (1025, 5000, 200),
        (2049, 7500, 250),
        (4097, 7500, 250),
        (8192, 7500, 250),
    ];

    private static readonly (int VCores, double IOPS, double MBps, double GiB)[] s_nextGen =
    [
        (4, 6400, 145, 2048),
        (6, 9600, 217, 2048),
        (8, 12_800, 290, 8192),
        (10, 16_000, 367, 8192),
        (12, 19_200, 445, 8192),
        (16, 25_600, 600, 16_384),
        (20, 32_000, 665, 16_384),
        (24, 38_400, 730, 16_384),
        (32, 51_200, 865, 32_768),
        (40, 64_000, 1152, 32_768),
        (48, 76_800, 1152, 32_768),
        (56, 80_000, 1200, 32_768),
        (64, 80_000, 1200, 32_768),
        (80, 80_000, 1200, 32_768),
        (96, 80_000, 1200, 32_768),
        (128, 80_000, 1200, 32_768),
    ];

    /// <summary>The smallest size of a file, and the size in GiB that it then has at least.</summary>
    private static (string Name, double GiB)? FindFileSize(bool isLog, double iops, double bytes, double sizeGiB, double factor)
    {
        double above = 0;
        foreach (var row in s_fileSizes)
        {
            var isFast = iops * factor <= row.IOPS && bytes / 1048576 * factor <= row.MiBps && (!isLog || bytes / 1048576 * factor <= 65);
            if (isFast && sizeGiB <= row.UpToGiB)
                return (
                    FormattableString.Invariant($"azure-mi:gp:{row.UpToGiB}"),
                    Math.Max(Math.Ceiling(sizeGiB), above == 0 ? 0 : above + 1)
                );
            above = row.UpToGiB;
        }
        return null;
    }

    private static string? FindGeneralPurpose(double logBytes, double sizeGiB, double factor)
    {
        foreach (var vCores in new[] { 4, 8, 16, 24, 32, 40, 64, 80 })
            if (
                logBytes / 1048576 * factor <= Math.Min(4.5 * vCores, 120)
                && sizeGiB
                    <= vCores switch
                    {
                        4 => 2048,
                        8 => 8192,
                        _ => 16_384,
                    }
            )
                return $"azure-mi:gp:{vCores}vcore";
        return null;
    }

    private static string? FindNextGen(double iops, double bytes, double logBytes, double sizeGiB, double factor)
    {
        var throughput = Math.Max(75, Math.Ceiling(bytes / MB * factor));
        var chosen = Math.Max(300, Math.Max(Math.Ceiling(iops * factor), throughput * 30));
        foreach (var row in s_nextGen)
            if (
                iops * factor <= row.IOPS
                && throughput <= row.MBps
                && chosen <= row.IOPS
                && logBytes / 1048576 * factor <= Math.Min(4.5 * row.VCores, 192)
                && sizeGiB <= row.GiB
            )
                return FormattableString.Invariant($"azure-mi:nextgen:{row.VCores}vcore:{chosen}:{throughput}");
        return null;
    }

    private static string? FindBusinessCritical(double iops, double logBytes, double sizeGiB, double factor)
    {
        foreach (var (vCores, _, _, _) in s_nextGen)
            if (
                iops * factor <= Math.Min(4000.0 * vCores, 320_000)
                && logBytes / 1048576 * factor <= Math.Min(12 * vCores, 192)
                && sizeGiB
                    <= vCores switch
                    {
                        <= 6 => 1024,
                        <= 12 => 2048,
                        <= 20 => 4096,
                        _ => 5632,
                    }
            )
                return $"azure-mi:bc:{vCores}vcore";
        return null;
    }

    /// <summary>Two data files and a log file of random loads and sizes, whose log I/Os are writes.</summary>
    private static (List<FileStatsSnapshot> Snapshots, List<(bool IsLog, double IOPS, double MBps, double GiB)> Files) CreateServer(
        Random random
    )
    {
        List<(bool IsLog, double IOPS, double MBps, double GiB)> files = [];
        for (var file = 1; file <= 3; file++)
            files.Add(
                (
                    file == 2,
                    Math.Round(Math.Pow(10, 1 + random.NextDouble() * 3.8)),
                    Math.Round(Math.Pow(10, random.NextDouble() * (file == 2 ? 2.2 : 2.9)), 2),
                    Math.Round(Math.Pow(10, random.NextDouble() * 3.7))
                )
            );
        Hashtable Create(int index, long seconds)
        {
            var (isLog, iops, mbps, size) = files[index];
            var row = CreateRow(5, index + 1, seconds * 1000, 0, 0, size);
            row[isLog ? "num_of_writes" : "num_of_reads"] = (long)(iops * seconds);
            row[isLog ? "num_of_bytes_written" : "num_of_bytes_read"] = (long)(mbps * MB * seconds);
            return row;
        }
        return ([.. new[] { 0L, 100L }.Select(at => FileStatsSnapshot.FromRows([Create(0, at), Create(1, at), Create(2, at)]))], files);
    }

    [Fact]
    public void Managed_instances_equal_a_search_over_the_page_for_1000_random_loads()
    {
        var random = new Random(61);
        var fits = new int[3];
        for (var round = 0; round < 1000; round++)
        {
            double headroom = random.Next(0, 4) * 25;
            var factor = 1 + headroom / 100;
            var (snapshots, files) = CreateServer(random);
            var advice = StorageAdvisor.Advise(snapshots, "azure-mi", headroom);
            var label = FormattableString.Invariant($"{round}: {string.Join(", ", files)}, {headroom}%");
            var (iops, bytes, size) = (files.Sum(f => f.IOPS), files.Sum(f => f.MBps) * MB, files.Sum(f => f.GiB));
            var log = files[1].MBps * MB;

            var plan = GetPlan(advice, "SQL Managed Instance General Purpose");
            double? grown = 0;
            for (var i = 0; i < files.Count; i++)
            {
                var file = files[i];
                var expected = FindFileSize(file.IsLog, file.IOPS, file.MBps * MB, file.GiB, factor);
                var choice = plan.Choices.SingleOrDefault(c => c.File == $"database 5, file {i + 1}");
                Assert.Equal((label, i, expected?.Name), (label, i, choice?.Storage));
                Assert.Equal(expected?.GiB, choice?.MinSizeGiB);
                Assert.Equal(expected is { } found && found.GiB > file.GiB, choice?.Change is not null);
                grown += expected?.GiB;
            }
            Assert.Equal(
                (label, grown is { } total ? FindGeneralPurpose(log, total, factor) : null),
                (label, plan.Choices.SingleOrDefault(c => c.Role == "instance")?.Storage)
            );
            var nextGen = GetPlan(advice, "SQL Managed Instance Next-gen General Purpose");
            Assert.Equal((label, FindNextGen(iops, bytes, log, size, factor)), (label, nextGen.Choices.SingleOrDefault()?.Storage));
            var critical = GetPlan(advice, "SQL Managed Instance Business Critical");
            Assert.Equal((label, FindBusinessCritical(iops, log, size, factor)), (label, critical.Choices.SingleOrDefault()?.Storage));
            foreach (var (one, index) in new[] { plan, nextGen, critical }.Select((one, index) => (one, index)))
            {
                fits[index] += one.Fits ? 1 : 0;
                Assert.Empty(one.Commands);
                Assert.All(
                    one.Choices,
                    choice => Assert.True(choice.LoadPercent * (choice.Bottleneck == "size" ? 1 : factor) <= 100.001, label)
                );
            }
        }
        // The loads have answers of both kinds.
        Assert.All(fits, count => Assert.InRange(count, 100, 950));
    }

    [Fact]
    public void More_load_never_gets_a_smaller_managed_instance()
    {
        var random = new Random(62);
        for (var round = 0; round < 500; round++)
        {
            var (snapshots, files) = CreateServer(random);
            // The same files with more I/O: the second window is shorter.
            var more = 1 + random.NextDouble() * 2;
            var later = FileStatsSnapshot.FromRows(
                files.Select(
                    (file, i) =>
                    {
                        var row = CreateRow(5, i + 1, 200_000, 0, 0, file.GiB);
                        row[file.IsLog ? "num_of_writes" : "num_of_reads"] = (long)(file.IOPS * 100 * (1 + more));
                        row[file.IsLog ? "num_of_bytes_written" : "num_of_bytes_read"] = (long)(file.MBps * MB * 100 * (1 + more));
                        return row;
                    }
                )
            );
            var smaller = StorageAdvisor.Advise(snapshots, "azure-mi");
            var larger = StorageAdvisor.Advise([.. snapshots, later], "azure-mi");
            foreach (var plan in smaller.Plans)
            {
                var other = larger.Plans.Single(p => p.Name == plan.Name);
                Assert.True(plan.Fits || !other.Fits);
                foreach (var before in plan.Choices)
                    if (other.Choices.SingleOrDefault(choice => (choice.Role, choice.File) == (before.Role, before.File)) is { } after)
                        Assert.True(
                            !(after.LimitIops < before.LimitIops)
                                && !(after.LimitLogMiBps < before.LimitLogMiBps)
                                && !(after.CapacityGiB < before.CapacityGiB),
                            $"{before} {after}"
                        );
            }
        }
    }

    [Fact]
    public void Managed_instance_says_which_file_must_grow_and_how_to_verify_it()
    {
        Hashtable Create(int file, long seconds, long iops, double sizeGiB)
        {
            var row = CreateRow(5, file, seconds * 1000, 0, 0, sizeGiB);
            row[file == 2 ? "num_of_writes" : "num_of_reads"] = iops * seconds;
            row[file == 2 ? "num_of_bytes_written" : "num_of_bytes_read"] = iops * seconds * 8192;
            row["physical_name"] = $"https://x/{file}";
            return row;
        }
        var advice = StorageAdvisor.Advise(
            [
                .. new[] { 0L, 100L }.Select(at =>
                    FileStatsSnapshot.FromRows([Create(1, at, 1700, 64), Create(2, at, 300, 20), Create(3, at, 0, 900)])
                ),
            ],
            "azure-mi"
        );
        var plan = GetPlan(advice, "SQL Managed Instance General Purpose");
        Assert.Equal(
            [("https://x/1", "azure-mi:gp:513", "IOPS", 74.0), ("https://x/2", "azure-mi:gp:129", "IOPS", 60.0)],
            plan.Choices.SkipLast(1).Select(c => (c.File!, c.Storage, c.Bottleneck, Math.Round(c.LoadPercent)))
        );
        Assert.Equal("make the file larger than 129 GiB (now 64 GiB)", plan.Choices[0].Change);
        Assert.Null(plan.Choices[1].Change);
        // 130, 20, and 900 GiB: the third file has no I/O, but needs room.
        Assert.Equal(("azure-mi:gp:4vcore", "log writes"), (plan.Choices[2].Storage, plan.Choices[2].Bottleneck));
        Assert.Equal("SQL Managed Instance General Purpose: instance azure-mi:gp:4vcore; 1 of 2 files must grow.", plan.Summary);
        var notes = string.Join('\n', advice.DescribeNotes());
        Assert.Contains("https://x/1: make the file larger than 129 GiB (now 64 GiB).", notes, StringComparison.Ordinal);
        Assert.Contains(
            "IoBench cannot run on SQL Managed Instance. To verify the change, take new snapshots",
            notes,
            StringComparison.Ordinal
        );
        Assert.Contains("between 22 and 65 MiB/s", notes, StringComparison.Ordinal);
        Assert.Empty(advice.DescribeCommands());
        Assert.All(advice.Plans.SelectMany(p => p.Choices), c => Assert.Equal("2026-08-10", c.DateText));
        // 4 vCores: 6,400 IOPS. The IOPS are bought, and the throughput depends on them.
        Assert.Equal(
            "azure-mi:nextgen:4vcore:2600:75",
            GetPlan(advice, "SQL Managed Instance Next-gen General Purpose").Choices[0].Storage
        );
        var critical = GetPlan(advice, "SQL Managed Instance Business Critical").Choices[0];
        Assert.Equal(("azure-mi:bc:4vcore", null), (critical.Storage, critical.LimitThroughput));
    }

    [Fact]
    public void Disks_are_striped_if_no_single_disk_is_fast_enough_or_if_that_is_cheaper()
    {
        var advice = StorageAdvisor.Advise(CreateSnapshots((5, 1, 25_000, 310)), "azure");
        var plan = GetPlan(advice, "Premium SSD");
        Assert.True(plan.Fits);
        Assert.Equal(
            ("2 x azure:P70", 2, 36_000.0, 1500.0),
            (plan.Choices[0].Storage, plan.Choices[0].Disks, plan.Choices[0].LimitIops, plan.Choices[0].LimitThroughput)
        );
        var specification = StorageSpecification.Parse(plan.Commands[0].Split('"')[1], new DateOnly(2026, 11, 20));
        Assert.Equal(Math.Min(36_000, plan.Choices[1].LimitIops!.Value), specification.Iops);
        // 80,000 IOPS and 2,000 MB/s are the highest limits of one disk.
        Assert.Equal(
            "2 x azure:premium-v2:16250:1300",
            GetPlan(StorageAdvisor.Advise(CreateSnapshots((5, 1, 25_000, 2000)), "azure"), "Premium SSD v2").Choices[0].Storage
        );

        var path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, "name,price\nazure:P60,900\nazure:P40,250\n");
            var priced = StorageAdvisor.Advise(CreateSnapshots((5, 1, 8000, 300)), "azure", 30, StoragePrices.LoadFile(path));
            Assert.Equal(
                ("2 x azure:P40", 500.0),
                (GetPlan(priced, "Premium SSD").Choices[0].Storage, GetPlan(priced, "Premium SSD").Choices[0].Price)
            );
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static bool IsSmaller((double Iops, double Throughput, string Name) one, (double Iops, double Throughput, string Name) other) =>
        one.Iops != other.Iops ? one.Iops < other.Iops
        : one.Throughput != other.Throughput ? one.Throughput < other.Throughput
        : string.CompareOrdinal(one.Name, other.Name) < 0;

    /// <summary>Loads of all sizes: from 10 IOPS to ten times the largest disk.</summary>
    private static (double IOPS, double MBps) CreateLoad(Random random) =>
        (Math.Round(Math.Pow(10, 1 + random.NextDouble() * 4.9)), Math.Round(Math.Pow(10, random.NextDouble() * 4.2), 2));

    [Fact]
    public void Advice_equals_a_search_over_the_catalog_for_1000_random_loads()
    {
        var random = new Random(58);
        for (var round = 0; round < 1000; round++)
        {
            var (data, log) = (CreateLoad(random), CreateLoad(random));
            double headroom = random.Next(0, 4) * 25;
            var advice = StorageAdvisor.Advise(
                CreateSnapshots((5, 1, data.IOPS, data.MBps), (5, 2, log.IOPS, log.MBps)),
                headroomPercent: headroom
            );
            foreach (var plan in advice.Plans.Where(plan => plan.Cloud != "azure-mi"))
            {
                string? Get(string role) => plan.Choices.SingleOrDefault(choice => choice.Role == role)?.Storage;
                var label = FormattableString.Invariant($"{round}: {plan.Name}, {data}, {log}, {headroom}%");
                Assert.Equal((label, FindDisk(plan.Name, data.IOPS, data.MBps * MB, headroom)), (label, Get("data")));
                Assert.Equal((label, FindDisk(plan.Name, log.IOPS, log.MBps * MB, headroom)), (label, Get("log")));
                Assert.Equal((label, FindHost(plan.Name, data.IOPS + log.IOPS, (data.MBps + log.MBps) * MB, headroom)), (label, Get("VM")));
                Assert.Equal(plan.Fits, Get("data") is not null && Get("log") is not null && Get("VM") is not null);
                foreach (var choice in plan.Choices)
                {
                    var factor = 1 + headroom / 100;
                    Assert.True(
                        choice.LoadIops * factor <= choice.LimitIops && choice.LoadThroughput * factor <= choice.LimitThroughput,
                        label
                    );
                }
            }
        }
    }

    [Fact]
    public void More_load_never_gets_a_smaller_SKU()
    {
        var random = new Random(59);
        for (var round = 0; round < 500; round++)
        {
            var load = CreateLoad(random);
            var more = (
                load.IOPS * (1 + random.NextDouble() * random.Next(0, 3)),
                load.MBps * (1 + random.NextDouble() * random.Next(0, 3))
            );
            var smaller = StorageAdvisor.Advise(CreateSnapshots((5, 1, load.IOPS, load.MBps)));
            var larger = StorageAdvisor.Advise(CreateSnapshots((5, 1, more.Item1, more.Item2)));
            foreach (var plan in smaller.Plans)
            {
                var other = larger.Plans.Single(p => p.Name == plan.Name);
                foreach (var role in new[] { "data", "VM" })
                {
                    var before = plan.Choices.SingleOrDefault(choice => choice.Role == role);
                    var after = other.Choices.SingleOrDefault(choice => choice.Role == role);
                    if (before is null)
                        Assert.Null(after);
                    // Each striped disk rounds its limits up.
                    else if (after is not null)
                        Assert.True(after.LimitIops + after.Disks > before.LimitIops, $"{before} {after}");
                }
            }
        }
    }

    [Fact]
    public void More_headroom_never_gets_a_smaller_SKU()
    {
        var random = new Random(60);
        for (var round = 0; round < 20; round++)
        {
            var load = CreateLoad(random);
            double[] headrooms = [0, 10, 30, 100, 400];
            foreach (var name in new[] { "Premium SSD", "Premium SSD v2", "Ultra Disk", "EBS gp3", "EBS io2 Block Express" })
            {
                double previous = 0;
                foreach (var headroom in headrooms)
                {
                    var plan = GetPlan(
                        StorageAdvisor.Advise(CreateSnapshots((5, 1, load.IOPS, load.MBps)), headroomPercent: headroom),
                        name
                    );
                    var limit = plan.Choices.SingleOrDefault(choice => choice.Role == "data")?.LimitIops ?? double.PositiveInfinity;
                    Assert.True(limit >= previous);
                    previous = limit;
                }
            }
        }
    }
}
