using IoBench.Application;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Cli;

internal static class HeatMapText
{
    private const int Width = 100;

    public static void Write(CliConsole console, OptionValues? shown, IReadOnlyList<IoTestResult> results, OutputPlan output)
    {
        if (shown?.Has(new("HeatMap")) != true || results.Count == 0)
            return;
        var writer = output.Format is null ? console.Out : console.Error;
        writer.WriteLine();
        foreach (var line in ResultHeatMaps.Lines(results, Width))
            writer.WriteLine(line);
        writer.WriteLine();
    }
}
