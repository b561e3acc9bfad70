namespace IoBench.Engine.Results;

/// <summary>A part of a result in a few words.</summary>
internal static class FigureWords
{
    /// <summary>What it is, its rate and its latency, as far as they are known.</summary>
    public static string Of(string name, double? iops, double? latencyMs)
    {
        string?[] figures = [iops is null ? null : Figures.Rate(iops) + " IOPS", latencyMs is { } ms ? Figures.Milliseconds(ms) : null];
        return figures.All(figure => figure is null) ? name : $"{name}: {string.Join(", ", figures.Where(figure => figure is not null))}";
    }
}
