using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Report file about the sources of a latency.</summary>
public static class LatencySourceReport
{
    /// <summary>Reserves the name before the test, so that problems with the file are reported early. Returns null if no report is
    /// requested.</summary>
    /// <exception cref="IoBenchException">The name is invalid, or the file exists.</exception>
    public static OutputFile? Reserve(OptionValues values, LatencySourcePlan plan)
    {
        ArgumentNullException.ThrowIfNull(values);
        ArgumentNullException.ThrowIfNull(plan);
        if (values.GetText(new OptionName("ReportPath")) is not { } path)
            return null;
        if (plan.IsComparison)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                $"{new OptionName("ReportPath")} cannot be combined with {new OptionName("ToggleCommand")}.",
                path,
                advice: "Run the command twice: once for the report, and once for the comparison."
            );
        Report.CheckDocumentName(path);
        var output = OutputFile.Reserve(
            path,
            mayExist: values.IsOn(OptionNames.Force),
            mustBeUnused: true,
            failedId: "IoBench.CannotWrite"
        );
        try
        {
            RunOutputs.CheckNotTestFile(output, [plan.Tests[0].Test]);
            return output;
        }
        catch
        {
            output.Dispose();
            throw;
        }
    }

    public static void Save(OutputFile output, LatencySourceResult result)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Save(stream => Report.Write(stream, output.Path, result));
    }
}
