namespace IoBench.Engine;

/// <summary>
/// Writes before a test that are not part of it, because flash is faster while it has free blocks. Sequential 128 KB writes of twice the
/// capacity are the "workload independent preconditioning" of the SNIA Solid State Storage Performance Test Specification 2.0.2. Here, the
/// capacity is that of the test file or device.
/// </summary>
public static class Preconditioning
{
    public const double StandardPasses = 2;

    public const double MaxPasses = 10;

    public static readonly TimeSpan StandardRound = TimeSpan.FromMinutes(1);

    private const long BlockSize = 128 * 1024;

    // The number of passes ends the run. This limit only has to be longer than any real preconditioning.
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(30);
    private const ulong Stream = 0x50C0_4D17;

    /// <summary>Creates one run for each file; none if the test does not start with preconditioning.</summary>
    public static IReadOnlyList<IoTestSpecification> CreateRuns(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        if (test is not { PreconditionsFirst: true, Precondition: { } passes })
            return [];
        return [.. test.Targets.DistinctBy(target => target.Path).Select(target => CreateRun(test, target, passes))];
    }

    private static IoTestSpecification CreateRun(IoTestSpecification test, IoTargetSpecification target, double passes)
    {
        var buffering = test.GetPattern(target).Buffering;
        var place = target.Clone();
        place.Pattern = null;
        return new IoTestSpecification
        {
            Targets = [place],
            BlockSize = BlockSize,
            AccessPattern = IoAccessPattern.Sequential,
            WritePercent = 100,
            ThreadCount = 1,
            OutstandingIO = 32,
            // Use the fastest mode: write-through does not change the state of the flash afterwards.
            Buffering = buffering == IoBuffering.None ? IoBuffering.Hardware : buffering,
            Backend = test.Backend,
            NullDevice = test.NullDevice,
            FileSize = test.FileSize,
            Seed = SplitMix64.Mix(test.Seed ^ Stream),
            EndAfterPasses = passes,
            Duration = s_longest,
            WarmUp = TimeSpan.Zero,
            TimelineInterval = TimeSpan.FromHours(1),
        };
    }
}
