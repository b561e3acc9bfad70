namespace IoBench.Engine.Tests;

public class PatternSettingTests
{
    [Fact]
    public void Default_pattern_is_unlimited_random_and_incompressible()
    {
        var pattern = new IoPattern();
        Assert.False(pattern.IsRateLimited);
        Assert.Equal("uniform", pattern.GetDistribution().ToString());
        Assert.Equal(
            (IoAccessPattern.Random, IoWriteContentKind.Random, (double?)null),
            (pattern.AccessPattern, pattern.WriteContent, pattern.TargetIops)
        );
        Assert.Equal((0, 0), (pattern.CompressiblePercent, pattern.DedupablePercent));
    }

    public static TheoryData<IoPattern, bool> Rates { get; } =
        new()
        {
            {
                new() { TargetIops = 12.5 },
                true
            },
            {
                new() { MaxIopsPerThread = 3 },
                true
            },
            {
                new() { MaxBytesPerSecondPerThread = 4 },
                true
            },
            {
                new() { BurstSize = 5, ThinkTimeMs = 6 },
                true
            },
            {
                new() { BurstSize = 5 },
                false
            },
            {
                new() { ThinkTimeMs = 6 },
                false
            },
        };

    [Theory]
    [MemberData(nameof(Rates))]
    public void Rate_is_limited_by_every_effective_setting(IoPattern pattern, bool expected) =>
        Assert.Equal(expected, pattern.IsRateLimited);

    public static TheoryData<IoPattern, string> Distributions { get; } =
        new()
        {
            {
                new() { Alignment = 512 },
                "uniform"
            },
            {
                new() { Distribution = [new(90, 10)] },
                "90/10"
            },
            {
                new() { AccessPattern = IoAccessPattern.PartRandom, ParetoShare = 0.2 },
                "pareto:0.2"
            },
            {
                new() { AccessPattern = IoAccessPattern.Sequential, ZipfTheta = 1.1 },
                "uniform"
            },
            {
                new() { AccessPattern = IoAccessPattern.Stride, Distribution = [new(90, 10)] },
                "uniform"
            },
        };

    [Theory]
    [MemberData(nameof(Distributions))]
    public void Distribution_applies_to_random_offsets_only(IoPattern pattern, string expected) =>
        Assert.Equal(expected, pattern.GetDistribution().ToString());

    [Fact]
    public void Same_offset_applies_to_sequential_access_only()
    {
        var pattern = new IoPattern { ParallelSameOffset = true, AccessPattern = IoAccessPattern.Sequential };
        Assert.True(pattern.HasSharedOffsets);
        pattern.AccessPattern = IoAccessPattern.PartRandom;
        Assert.False(pattern.HasSharedOffsets);
    }

    /// <summary>A size that applies only to file content keeps its specified value and does not change the test.</summary>
    [Fact]
    public void Content_size_is_kept_for_other_content()
    {
        var pattern = new IoPattern { WriteContentSize = 65536 };
        Assert.Null(WriteContent.LoadSource(pattern));
        Assert.Equal(65536, pattern.ClonePattern().WriteContentSize);
    }

    [Fact]
    public void Removed_settings_have_their_defaults_again()
    {
        var pattern = new IoPattern
        {
            MaxIopsPerThread = 100,
            BurstSize = 3,
            ThinkTimeMs = 4,
            AccessPattern = IoAccessPattern.Sequential,
            Stride = 16384,
            ZipfTheta = 1.1,
        };
        pattern.RemoveRateLimits();
        pattern.SetUniformAccess();
        Assert.True(pattern.HasSamePattern(new IoPattern()));
    }

    [Fact]
    public void Distribution_ranges_can_be_changed_in_place()
    {
        var pattern = new IoPattern { AccessPattern = IoAccessPattern.Random };
        pattern.Distribution.Add(new IoDistributionRange(80, 20));
        Assert.Equal([new(80, 20)], pattern.GetDistribution().Ranges);
        var copy = pattern.ClonePattern();
        copy.Distribution.Clear();
        Assert.Equal((1, "uniform"), (pattern.Distribution.Count, copy.GetDistribution().ToString()));
        pattern.SetUniformAccess();
        Assert.Empty(pattern.Distribution);
    }

    [Fact]
    public void Copy_has_settings_of_its_own()
    {
        var pattern = new IoPattern { Arrivals = IoArrivals.Poisson };
        var copy = pattern.ClonePattern();
        copy.TargetIops = 9;
        Assert.Equal((IoArrivals.Poisson, 9.0, (double?)null), (copy.Arrivals, copy.TargetIops, pattern.TargetIops));
    }
}
