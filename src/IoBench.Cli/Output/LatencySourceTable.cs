using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class LatencySourceTable
{
    private const int NumberWidth = 10;
    private const int MinNameWidth = 26;
    private const int MaxNameWidth = TextTable.MinWidth - 2 * (NumberWidth + 1);
    private const string Indent = "    ";

    /// <summary>Tables of at most 79 columns. Long names and notes continue on the next lines.</summary>
    public static IEnumerable<string> Format(LatencySourceResult result)
    {
        var width = Math.Clamp(result.Layers.Max(layer => layer.Layer.Length + Indent.Length), MinNameWidth, MaxNameWidth);
        foreach (var breakdown in result.Breakdowns)
        {
            var kind = breakdown.Operation == IoOperation.Write ? "Writes" : "Reads";
            yield return $"{kind.PadRight(width)} {"ms", NumberWidth} {"share", NumberWidth}";
            foreach (var layer in breakdown.Layers)
            {
                var name = TextTable.WrapText(layer.Layer, width - Indent.Length).ToList();
                yield return $"{(layer.IsNamed ? "> " : "  ")}{name[0]}".PadRight(width)
                    + $" {NumberFormat.Fixed(layer.Milliseconds, 3), NumberWidth} {NumberFormat.Fixed(layer.Percent, 1) + "%", NumberWidth}";
                foreach (var line in name.Skip(1).Concat(TextTable.WrapText(layer.Note ?? "", TextTable.MinWidth - Indent.Length)))
                    if (line.Length > 0)
                        yield return Indent + line;
            }
            yield return $"{"  total".PadRight(width)} {NumberFormat.Fixed(breakdown.AverageMs, 3), NumberWidth} {"100.0%", NumberWidth}";
            yield return "";
        }
        var steps = result.Steps.Max(step => step.Description.Length + 2);
        yield return $"{"Test".PadRight(steps)} {"average ms", NumberWidth} {"p50 ms", NumberWidth} {"p99 ms", NumberWidth} {"IOPS", NumberWidth}";
        foreach (var step in result.Steps)
            yield return $"{("  " + step.Description).PadRight(steps)} {NumberFormat.Fixed(step.AverageMs, 3), NumberWidth} {FormatMs(step.P50Ms), NumberWidth} {FormatMs(step.P99Ms), NumberWidth} {NumberFormat.Grouped(step.Iops), NumberWidth}";
    }

    public static IEnumerable<string> Format(ToggleComparison result)
    {
        yield return $"A: {result.OnCommand}";
        yield return $"B: {result.OffCommand}";
        yield return "";
        yield return $"{"", -8} {"A ms", NumberWidth} {"B ms", NumberWidth} {"A - B ms", NumberWidth}  95% interval ({NumberFormat.Pluralize(result.BlockCount, "block")} A B B A)";
        foreach (var item in result.Differences)
            yield return $"{(item.Operation == IoOperation.Write ? "Writes" : "Reads"), -8} {NumberFormat.Fixed(item.OnMs, 3), NumberWidth} {NumberFormat.Fixed(item.OffMs, 3), NumberWidth} {NumberFormat.Fixed(item.DifferenceMs, 3), NumberWidth}  {NumberFormat.Fixed(item.LowMs, 3)} to {NumberFormat.Fixed(item.HighMs, 3)} ms";
    }

    private static string FormatMs(double? value) => NumberFormat.Fixed(value, 3, "-");
}
