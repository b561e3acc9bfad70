namespace IoBench.Formats.Tests;

/// <summary>Tests that measure memory run alone, because the memory of other tests must not count.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public class MemoryTestGroup
{
    public const string Name = "Memory";
}
