namespace IoBench.Engine.Tests;

public class SpecificationValidatorTests
{
    public static TheoryData<string, string, Action<IoTestSpecification>> GetInvalidSettings() =>
        new()
        {
            {
                "IoBench.InvalidBlockSize",
                "BlockSize 8: a number without a unit is in bytes, and a block must be at least 512 bytes. For 8 KB, use 8KB.",
                s => s.BlockSize = 8
            },
            {
                "IoBench.InvalidBlockSize",
                "BlockSize 7000: with unbuffered I/O, the block size must be a multiple of the sector size (512 bytes). Try 6656 or 7168, or Buffering Both.",
                s => s.BlockSize = 7000
            },
            { "IoBench.InvalidBlockSize", "64MB", s => s.BlockSize = 128L << 20 },
            { "IoBench.InvalidBlockSize", "at least 512", s => s.BlockSize = -1 },
            { "IoBench.InvalidThreadCount", "ThreadCount 0 is out of range. Use a value from 1 to 1024", s => s.ThreadCount = 0 },
            { "IoBench.InvalidThreadCount", "ThreadCount 1025", s => s.ThreadCount = 1025 },
            { "IoBench.InvalidOutstanding", "OutstandingIO 0", s => s.OutstandingIO = 0 },
            { "IoBench.InvalidWritePercent", "101", s => s.WritePercent = 101 },
            { "IoBench.InvalidDuration", "Duration", s => s.Duration = TimeSpan.Zero },
            { "IoBench.InvalidSize", "FileSize 0", s => s.FileSize = 0 },
            { "IoBench.NoTarget", "The test has no target", s => s.Targets.Clear() },
            { "IoBench.InvalidRandomPercent", "0", s => (s.AccessPattern, s.RandomPercent) = (IoAccessPattern.PartRandom, 0) },
            { "IoBench.ConflictingOptions", "TargetIops", s => (s.TargetIops, s.MaxIopsPerThread) = (100, 5) },
            { "IoBench.ConflictingOptions", "requires sequential access", s => s.ParallelSameOffset = true },
            {
                "IoBench.ConflictingOptions",
                "requires random access",
                s => (s.AccessPattern, s.Distribution) = (IoAccessPattern.Sequential, [new(50, 50)])
            },
            { "IoBench.ConflictingOptions", "shared thread pool", s => s.PoolOutstandingIO = 4 },
            {
                "IoBench.InvalidOutstanding",
                "Use a value from 1 to 1048576",
                s => (s.SharedThreadPool, s.PoolOutstandingIO) = (true, int.MaxValue)
            },
            { "IoBench.InvalidDistribution", "120%", s => s.Distribution = [new(60, 10), new(60, 10)] },
            { "IoBench.InvalidDistribution", "not 50%", s => s.Distribution = [new(50, 100)] },
            { "IoBench.InvalidStripe", "columns", s => (s.AccessPattern, s.StripeColumns) = (IoAccessPattern.Stride, 2) },
            { "IoBench.InvalidOffset", "greater", s => (s.Targets[0].BaseOffset, s.Targets[0].MaxOffset) = (4096, 4096) },
            { "IoBench.InvalidRate", "TargetIops", s => s.TargetIops = 0 },
            { "IoBench.NoContentFile", "no file", s => s.WriteContent = IoWriteContentKind.File },
            { "IoBench.InvalidThreadCount", "ThreadCount 0", s => s.Targets[0].Pattern = new IoPattern { ThreadCount = 0 } },
        };

    [Theory]
    [MemberData(nameof(GetInvalidSettings))]
    public void Invalid_setting_fails_with_a_one_line_message(string id, string part, Action<IoTestSpecification> spoil)
    {
        var specification = CreateValid();
        spoil(specification);
        var error = Assert.Throws<IoBenchException>(() => SpecificationValidator.Validate(specification));
        Assert.Equal(id, error.ErrorId);
        Assert.Equal(IoErrorKind.Usage, error.Kind);
        Assert.Contains(part, error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void Default_settings_are_valid() => SpecificationValidator.Validate(CreateValid());

    [Fact]
    public void Unaligned_block_size_is_valid_with_buffering()
    {
        var specification = CreateValid();
        (specification.BlockSize, specification.Buffering) = (7000, IoBuffering.Both);
        SpecificationValidator.Validate(specification);
    }

    [Fact]
    public void Sector_size_of_the_target_applies_to_blocks_and_offsets()
    {
        var target = new IoTargetSpecification("x");
        SpecificationValidator.ValidateForTarget(new IoPattern(), target, 4096);
        var error = Assert.Throws<IoBenchException>(() =>
            SpecificationValidator.ValidateForTarget(new IoPattern { BlockSize = 2048 }, target, 4096)
        );
        Assert.Contains("(4096 bytes). Try 4096, or", error.Message, StringComparison.Ordinal);
        target.BaseOffset = 512;
        Assert.Throws<IoBenchException>(() => SpecificationValidator.ValidateForTarget(new IoPattern(), target, 4096));
    }

    private static IoTestSpecification CreateValid() => new() { Targets = [new IoTargetSpecification("t.dat")] };
}
