namespace IoBench.Benchmarks;

internal interface IPeer
{
    string Name { get; }

    Sample Run(BenchmarkCase @case, int seconds);
}
