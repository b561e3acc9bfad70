namespace IoBench.Benchmarks;

internal interface IPeerProgram
{
    string Name { get; }

    BenchmarkSample RunCase(BenchmarkCase @case, int seconds);
}
