namespace IoBench.Engine.Specification;

/// <summary>
/// Where the random numbers of a suite come from: one base, drawn anew for each call or given by the user, and from it a seed of its own for each test,
/// round and probe. So no run meets what the last one left in a cache, repeats are independent, and one number draws all of them again.
/// </summary>
public static class RunSeed
{
    /// <summary>A base that nobody chose, never 0. 32 bits: old tools' command lines and other programs' JSON hold it too.</summary>
    public static ulong NewBase() => (ulong)Random.Shared.NextInt64(1, 1L << 32);

    /// <summary>The seed of a run, never 0.</summary>
    /// <param name="test">Place of the test in its suite.</param>
    /// <param name="round">Round or probe.</param>
    public static ulong Of(ulong seedBase, int test, int round) =>
        Math.Max(1, SplitMix64.Mix(SplitMix64.Mix(seedBase) + ((ulong)(uint)test << 32 | (uint)round)) >> 32);

    /// <summary>Gives a test its seed.</summary>
    /// <param name="seedBase">The suite's base; a test that brings a seed of its own has that as its base.</param>
    /// <param name="test">Place of the test in its suite.</param>
    /// <param name="round">Its round, from 1.</param>
    public static void Assign(IoTestSpecification specification, ulong seedBase, int test, int round)
    {
        ArgumentNullException.ThrowIfNull(specification);
        if (specification.Extension is not { FixesSeed: true })
        {
            var own = specification is { Seed: > 0, SeedBase: null } ? specification.Seed : seedBase;
            (specification.SeedBase, specification.Seed) = (own, Of(own, test, round));
        }
        else if (round > 1)
        {
            // Old tools repeat their offsets from run to run; our repeats of their tests do not.
            specification.Seed = Of(specification.Seed, test, round);
        }
    }
}
