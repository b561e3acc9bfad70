namespace IoBench.Engine.Planning;

/// <summary>
/// Writing that comes before a test and is no part of it: flash is faster while it has free blocks, so its targets are first written in full several times over. Sequential writes of 128 KB, twice
/// the capacity, are the "workload independent preconditioning" of the SNIA Solid State Storage Performance Test Specification 2.0.2; here the capacity is that of the test file or device.
/// </summary>
public static class Preconditioning
{
    /// <summary>How often the standard has the capacity written.</summary>
    public const double StandardPasses = 2;

    /// <summary>Most that can be asked for: more changes nothing but the flash's life.</summary>
    public const double MaxPasses = 10;

    /// <summary>Length of the standard's rounds.</summary>
    public static readonly TimeSpan StandardRound = TimeSpan.FromMinutes(1);

    private const long BlockSize = 128 * 1024;

    // The passes end it; what takes longer is no storage that could be preconditioned.
    private static readonly TimeSpan s_longest = TimeSpan.FromDays(30);
    private const ulong Stream = 0x50C0_4D17;

    /// <summary>The runs that write before a test: one for each file. None where the test does not begin with them.</summary>
    public static IReadOnlyList<IoTestSpecification> RunsOf(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test is not { PreconditionsFirst: true, Precondition: { } passes }
            ? []
            : [.. test.Targets.DistinctBy(target => target.Path).Select(target => Run(test, target, passes))];
    }

    private static IoTestSpecification Run(IoTestSpecification test, IoTargetSpecification target, double passes)
    {
        var buffering = test.PatternOf(target).Buffering;
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
            // As fast as the storage takes it: that each write is durable at once changes nothing of what it finds later.
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
