namespace IoBench.Engine;

/// <summary>
/// One base per call, from which each test, round, and probe gets its own seed. So no run finds data that the last one left in a cache,
/// repeats are independent, and one number reproduces all of them.
/// </summary>
public static class RunSeed
{
    /// <summary>Never 0. 32 bits, so that command lines of other tools and JSON readers of other programs can hold it.</summary>
    public static ulong CreateBase() => (ulong)Random.Shared.NextInt64(1, 1L << 32);

    /// <summary>Never 0.</summary>
    public static ulong DeriveSeed(ulong seedBase, int test, int round) =>
        Math.Max(1, SplitMix64.Mix(SplitMix64.Mix(seedBase) + ((ulong)(uint)test << 32 | (uint)round)) >> 32);

    /// <param name="seedBase">The suite's base; a test that has its own seed uses that as its base.</param>
    /// <param name="round">Round, from 1.</param>
    public static void Assign(IoTestSpecification specification, ulong seedBase, int test, int round)
    {
        ArgumentNullException.ThrowIfNull(specification);
        if (specification.Extension is not { FixesSeed: true })
        {
            var own = specification is { Seed: > 0, SeedBase: null } ? specification.Seed : seedBase;
            specification.SeedBase = own;
            specification.Seed = DeriveSeed(own, test, round);
        }
        else if (round > 1)
        {
            // Other tools use the same offsets in each run; repeats of their tests in IoBench do not.
            specification.Seed = DeriveSeed(specification.Seed, test, round);
        }
    }
}
