using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>What DiskSpd has no words for, and nothing that comes near: its text and XML would describe another test.</summary>
public static class DiskSpdWords
{
    /// <summary>What of a test DiskSpd cannot say, in words; null when it can say all that matters.</summary>
    public static string? Lacks(IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        return test.Targets.Select(test.PatternOf).Append(test).Select(Lacks).FirstOrDefault(words => words is not null);
    }

    /// <summary>Hands a result on that can be written.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotRepresentable</c>.</exception>
    internal static IoTestResult Check(IoTestResult result)
        => result.Specification is { } test && Lacks(test) is { } words ? throw IoBenchException.InvalidData("IoBench.NotRepresentable",
            $"{result.Workload ?? result.IOPattern ?? "A result"} has {words}, which DiskSpd has no words for. Use JSON, CSV or fio's form.") : result;

    private static string? Lacks(IoPattern pattern) => pattern switch
    {
        { BlockMix: not null } => "a mix of block sizes",
        { Depths: not null } => "outstanding reads and writes apart",
        { Order.Spread: IoDistribution.Zipf or IoDistribution.Pareto } => $"the distribution {pattern.Order.Spread}",
        _ => null,
    };
}
