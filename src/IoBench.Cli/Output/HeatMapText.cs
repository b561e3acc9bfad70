using IoBench.Application;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Cli;

internal static class HeatMapText
{
    private const int LineWidth = 100;

    public static void WriteHeatMaps(CliConsole console, OptionValues? shown, IReadOnlyList<IoTestResult> results, OutputTargets output)
    {
        if (shown?.Has(new("HeatMap")) != true || results.Count == 0)
            return;
        var writer = output.Format is null ? console.Out : console.Error;
        writer.WriteLine();
        foreach (var line in ResultHeatMaps.FormatLines(results, LineWidth))
            writer.WriteLine(line);
        writer.WriteLine();
    }
}
