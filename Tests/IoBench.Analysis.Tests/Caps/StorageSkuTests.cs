using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class StorageSkuTests
{
    private static readonly DateOnly s_day = new(2026, 11, 22);

    [Fact]
    public void Every_SKU_has_limits_a_unit_a_source_and_a_unique_name()
    {
        Assert.Distinct(StorageSku.All.Select(offer => offer.Name), StringComparer.OrdinalIgnoreCase);
        Assert.All(
            StorageSku.All,
            offer =>
            {
                Assert.Contains(offer.Unit, new[] { "MB/s", "MiB/s" });
                Assert.True(offer.Source.Length > 10 && offer.What.Length > 0, offer.Name);
                Assert.True((offer.Iops ?? offer.Throughput ?? offer.MaxIops) > 0, offer.Name);
                Assert.True(offer.AsOf is null || DateOnly.TryParse(offer.AsOf, out _), offer.Name);
                Assert.Contains(offer.Name[..offer.Name.IndexOf(':', StringComparison.Ordinal)], StorageSku.Providers);
                if (!offer.IsChosen || offer.Iops is not null)
                    Assert.Same(offer, StorageSku.Find(offer.Name));
            }
        );
    }

    [Theory]
    [InlineData("azure:P30", 5000.0, 200e6)]
    [InlineData("AZURE:p30", 5000.0, 200e6)]
    [InlineData("aws:gp3", 3000.0, 125.0 * 1048576)]
    [InlineData("aws:gp3:6000:250", 6000.0, 250.0 * 1048576)]
    [InlineData("aws:io2:64000", 64000.0, null)]
    [InlineData("azure:premium-v2:40000:1200", 40000.0, 1200e6)]
    [InlineData("azure-vm:E16bds_v5", 48400.0, 1370e6)]
    [InlineData("azure-vm:Standard_E16bds_v5:nvme-v2", 88400.0, 2300e6)]
    [InlineData("azure:P80; azure-vm:E2ds_v5", 3750.0, 85e6)]
    [InlineData("azure:P30; IOPS = 8000", 8000.0, 200e6)]
    [InlineData("2 x azure:P30", 10_000.0, 400e6)]
    [InlineData("3*azure:premium-v2:4000:200; azure-vm:E2ds_v5", 3750.0, 85e6)]
    public void SKU_names_set_the_limits_and_the_lowest_of_several_applies(string text, double? iops, double? bytes)
    {
        var bought = StorageSpecification.Parse(text, s_day);
        Assert.Equal(iops, bought.Iops);
        Assert.Equal(bytes, bought.BytesPerSecond);
    }

    [Theory]
    [InlineData("azure:P31", "IoBench.UnknownOffer", "azure:P30")]
    [InlineData("azure-vm:E16bds_v7", "IoBench.UnknownOffer", "azure-vm:E16bds_v5")]
    [InlineData("aws-vm:r5.huge", "IoBench.UnknownOffer", "aws-vm:r5.")]
    [InlineData("azure:ultra", "IoBench.InvalidSpecification", "azure:ultra:3000:125")]
    [InlineData("aws:gp3:90000", "IoBench.InvalidSpecification", "at most 80,000 IOPS (as of 2025-09-30)")]
    [InlineData("aws:gp3:fast", "IoBench.InvalidSpecification", "'fast' is not a number of IOPS")]
    [InlineData("2 x azure-vm:E2ds_v5", "IoBench.InvalidSpecification", "only disks can be striped")]
    [InlineData("2 x azure:P31", "IoBench.UnknownOffer", "azure:P30")]
    [InlineData("azure-mi:gp:129", "IoBench.InvalidSpecification", "'azure-mi' is not one of")]
    [InlineData("aws:gp3:1:2:3", "IoBench.InvalidSpecification", "requires two values")]
    public void Error_for_an_unknown_SKU_suggests_the_nearest_name(string text, string id, string part)
    {
        var error = Assert.Throws<IoBenchException>(() => StorageSpecification.Parse(text, s_day));
        Assert.Equal(id, error.ErrorId);
        Assert.Contains(part, error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("azure:premium-v2", "2026-11-22", null)]
    [InlineData("azure:premium-v2", "2027-08-11", null)]
    [InlineData("azure:premium-v2", "2027-08-12", "more than one year ago")]
    [InlineData("azure:P30", "2026-11-22", "The limits of azure:P30 are from 2023-03-16 (github.com/MicrosoftDocs")]
    [InlineData("gcp:hyperdisk-balanced:5000:200", "2026-11-22", "a source without a date")]
    public void SKU_data_older_than_a_year_has_a_note(string text, string today, string? note)
    {
        var notes = StorageSpecification.Parse(text, DateOnly.Parse(today, System.Globalization.CultureInfo.InvariantCulture)).Notes;
        if (note is null)
            Assert.Empty(notes);
        else
            Assert.Contains(note, Assert.Single(notes), StringComparison.Ordinal);
    }

    private static CapResult FindCap(
        string bought,
        Action<QueueDeviceModel>? change = null,
        double? iops = null,
        double? bytes = null,
        double burst = 0,
        double credit = 0
    )
    {
        var device = new QueueDeviceModel(1)
        {
            Servers = 64,
            MeanMs = kb => 0.2 + kb / 1000,
            IopsCap = iops,
            BytesCap = bytes,
            CapJitter = 0.5,
            BurstIops = burst,
            BurstCredit = credit,
        };
        change?.Invoke(device);
        var plan = CapPlan.Create(["D:\\"], outstanding: [1, 32, 128], duration: TimeSpan.FromSeconds(12), warmUp: TimeSpan.FromSeconds(1));
        return Assert.Single(CapResult.Analyze(plan.Select(device.Run), StorageSpecification.Parse(bought, s_day)));
    }

    [Fact]
    public void Summary_distinguishes_the_virtual_machine_limit_from_the_disk_limit()
    {
        var cap = FindCap("azure:P80; azure-vm:E2ds_v5", iops: 3750);
        Assert.Contains(
            "The rate matches the IOPS limit of azure-vm:E2ds_v5 (3,750 IOPS), not the limit of azure:P80 (20,000 IOPS).",
            cap.Summary,
            StringComparison.Ordinal
        );
        var disk = FindCap("azure:P20; azure-vm:E8ds_v5", iops: 2300);
        Assert.Contains(
            "The rate matches the IOPS limit of azure:P20 (2,300 IOPS), not the limit of azure-vm:E8ds_v5 (12,800 IOPS).",
            disk.Summary,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Burst_that_has_not_ended_is_not_reported_as_the_sustained_limit()
    {
        var cap = FindCap("azure:P10", iops: 3500);
        Assert.Contains(
            "The rate matches the burst limit of azure:P10 (3,500 IOPS), which applies until the burst credit is used up (500 IOPS are sustained). To see the end of the burst, use a longer duration.",
            cap.Summary,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Burst_end_is_matched_with_the_limits_of_the_SKU()
    {
        var cap = FindCap("azure:P10", iops: 500, burst: 3500, credit: 3000 * (3 * 13 + 5.5));
        Assert.Equal(CapKind.BurstEnds, cap.Kind);
        Assert.Contains(
            "Both rates match limits of azure:P10: 3,500 IOPS until the burst credit is used up, and 500 IOPS afterwards.",
            cap.Summary,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Missed_throughput_is_shown_in_the_provisioned_unit()
    {
        var cap = FindCap("aws:gp3:3000:125", bytes: 60.0 * 1048576);
        var throughput = cap.Checks.Single(check => check.Name == "Throughput");
        Assert.Equal(("125 MiB/s", false), (throughput.BoughtText, throughput.IsMet!.Value));
        Assert.Matches(@"^(59\.\d|60(\.\d)?) MiB/s$", throughput.MeasuredText);
        Assert.Contains(
            cap.Warnings,
            warning => warning.Contains("This limit is not one of the provisioned limits", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Limit_without_a_specification_has_a_warning_that_it_can_be_the_device()
    {
        // Each read takes exactly the time of its bytes, so the link of the device cannot be distinguished from a throttle.
        QueueDeviceModel Even() =>
            new(1)
            {
                Servers = 1,
                MeanMs = kb => kb / 100,
                Exponential = false,
            };
        var plan = CapPlan.Create(["D:\\"], outstanding: [1, 32, 128], duration: TimeSpan.FromSeconds(12), warmUp: TimeSpan.FromSeconds(1));
        var unnamed = Assert.Single(CapResult.Analyze(plan.Select(Even().Run)));
        Assert.Equal(CapKind.Throughput, unnamed.Kind);
        Assert.Contains(
            unnamed.Warnings,
            warning => warning.Contains("a device that takes the same time for every read", StringComparison.Ordinal)
        );
        var named = Assert.Single(CapResult.Analyze(plan.Select(Even().Run), StorageSpecification.Parse("Throughput = '102.4 MB/s'")));
        Assert.DoesNotContain(named.Warnings, warning => warning.Contains("same time", StringComparison.Ordinal));
    }

    [Fact]
    public void Temporary_IOPS_drop_is_not_reported_as_a_burst_end()
    {
        var plan = CapPlan.Create(["D:\\"], outstanding: [1, 32, 128], duration: TimeSpan.FromSeconds(12), warmUp: TimeSpan.FromSeconds(1));
        var runs = plan.Select(
                (spec, index) =>
                    new QueueDeviceModel(index)
                    {
                        Servers = 64,
                        MeanMs = kb => 0.2 + kb / 1000,
                        IopsCap = 2000,
                        CapJitter = 0.5,
                    }.Run(spec)
            )
            .ToList();
        foreach (var point in runs[2].Timeline.Skip(6))
            point.IOPS *= 0.5;
        var cap = Assert.Single(CapResult.Analyze(runs));
        Assert.Equal(CapKind.Iops, cap.Kind);
        Assert.Contains(
            cap.Warnings,
            warning =>
                warning.Contains(
                    "recovered later. Another load on the storage caused this drop, not the end of a burst",
                    StringComparison.Ordinal
                )
        );
    }
}
