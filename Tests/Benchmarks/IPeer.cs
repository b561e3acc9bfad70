namespace IoBench.Benchmarks;

/// <summary>Another program that puts the same load on the same file.</summary>
internal interface IPeer
{
    /// <summary>For the table.</summary>
    string Name { get; }

    /// <summary>One run of a case.</summary>
    Sample Run(BenchmarkCase @case, int seconds);
}
