namespace IoBench.Engine;

internal static class IoTotals
{
    public static string Describe(string name, double? iops, double? latencyMs)
    {
        string?[] figures =
        [
            iops is null ? null : NumberFormat.Rate(iops) + " IOPS",
            latencyMs is { } ms ? NumberFormat.Milliseconds(ms) : null,
        ];
        return figures.All(figure => figure is null) ? name : $"{name}: {string.Join(", ", figures.Where(figure => figure is not null))}";
    }
}
