namespace IoBench.Engine;

internal static class FigureWords
{
    public static string Of(string name, double? iops, double? latencyMs)
    {
        string?[] figures = [iops is null ? null : Figures.Rate(iops) + " IOPS", latencyMs is { } ms ? Figures.Milliseconds(ms) : null];
        return figures.All(figure => figure is null) ? name : $"{name}: {string.Join(", ", figures.Where(figure => figure is not null))}";
    }
}
