using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class DiskSpdVersionTests
{
    private static IoTestResult CreateRun(
        string? version,
        bool separates = true,
        DiskSpdCoreOrder order = DiskSpdCoreOrder.PFirst,
        string heterogeneous = "y",
        string source = DiskSpdFormat.Source
    )
    {
        var is23 = version?.StartsWith("2.3", StringComparison.Ordinal) == true;
        return new()
        {
            Source = source,
            ToolVersion = version,
            IOPattern = "8KB random read",
            BlockSizeKB = 8,
            AccessPattern = IoAccessPattern.Random,
            WritePercent = 0,
            Operation = IoOperation.Read,
            ThreadCount = 1,
            OutstandingIO = 1,
            TotalOutstanding = 1,
            LoadModel = IoLoadModel.Closed,
            Buffering = IoBuffering.None,
            IOPS = 1000,
            AverageLatencyMs = 1,
            Host = { ["heterogeneous cores"] = heterogeneous },
            Specification = new()
            {
                AffinityMode = IoAffinityMode.RoundRobin,
                Extension = new TestOrigin
                {
                    DiskSpd = new() { Version23 = is23 ? new() { SeparatesBuffers = separates, CoreOrder = order } : null },
                },
            },
        };
    }

    [Theory]
    [InlineData("2.2", "2.3", true)]
    [InlineData("2.3.0", "2.0.21 to 2.2", true)]
    [InlineData("2.1 or 2.2", "2.3", true)]
    [InlineData("2.0.14 or earlier", "2.3", true)]
    [InlineData("2.2 or 2.3", "2.3", false)]
    [InlineData("2.2 or later", "2.3", false)]
    [InlineData(null, "2.3", false)]
    [InlineData("diskspd-for-linux", "2.3", false)]
    [InlineData("2.3", "2.3.0", false)]
    [InlineData("2.1.0", "2.2.0", false)]
    public void Comparison_of_DiskSpd_2_3_with_an_older_version_has_a_finding(string? baseline, string current, bool found)
    {
        var comparison = ComparisonResult.Compare([CreateRun(baseline)], [CreateRun(current)]);
        var findings = comparison.Findings.Where(f => f.Code == FindingCodes.ComparisonDiskSpdVersions).ToList();
        Assert.Equal(found ? 1 : 0, findings.Count);
        Assert.Equal(
            found,
            comparison.Warnings.Any(w => w.Contains("its results can differ from those of older versions", StringComparison.Ordinal))
        );
        if (found)
            Assert.Equal((FindingSeverity.Warning, 1.0), (findings[0].Severity, findings[0].Evidence[0].Value!.Value));
    }

    [Theory]
    [InlineData(true, DiskSpdCoreOrder.PFirst, "y", "aligns each buffer separately and binds threads to P-cores first")]
    [InlineData(true, DiskSpdCoreOrder.PFirst, "n", "aligns each buffer separately,")]
    [InlineData(true, DiskSpdCoreOrder.Unordered, "y", "aligns each buffer separately,")]
    [InlineData(false, DiskSpdCoreOrder.PFirst, "y", "2.3 binds threads to P-cores first,")]
    [InlineData(false, DiskSpdCoreOrder.Unordered, "y", null)]
    [InlineData(false, DiskSpdCoreOrder.PFirst, "n", null)]
    public void Version_finding_names_only_differences_in_effect(bool separates, DiskSpdCoreOrder order, string heterogeneous, string? part)
    {
        var finding = ComparisonResult
            .Compare([CreateRun("2.2", heterogeneous: heterogeneous)], [CreateRun("2.3", separates, order, heterogeneous)])
            .Findings.SingleOrDefault(f => f.Code == FindingCodes.ComparisonDiskSpdVersions);
        if (part is null)
            Assert.Null(finding);
        else
            Assert.Contains(part, finding!.What, StringComparison.Ordinal);
    }

    [Fact]
    public void Host_facts_that_only_DiskSpd_2_3_prints_are_no_host_change()
    {
        var (a, b) = (CreateRun("2.2"), CreateRun("2.3"));
        (b.Host["processor name"], b.Host["page size"], b.Host["cache L1d"]) = ("P", "4KiB", "32KiB");
        Assert.Equal(["Tool version"], HostChange.FindBetween(a, b).Select(change => change.Name));
        a.Host["processor name"] = "Q";
        Assert.Contains(HostChange.FindBetween(a, b), change => change.Name == "processor name");
    }

    [Fact]
    public void Version_finding_applies_to_DiskSpd_only() =>
        Assert.DoesNotContain(
            ComparisonResult.Compare([CreateRun("2.2", source: FioFormat.Source)], [CreateRun("2.3", source: FioFormat.Source)]).Findings,
            f => f.Code == FindingCodes.ComparisonDiskSpdVersions
        );
}
