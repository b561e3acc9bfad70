using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Report file of a command that runs no test (<see cref="OptionTables.AnalysisReport"/>).</summary>
public static class AnalysisReport
{
    /// <summary>Reserves the name first, so that problems with the file are reported early. Returns null if no report is
    /// requested.</summary>
    /// <exception cref="IoBenchException">The name is invalid, or the file exists.</exception>
    public static OutputFile? Reserve(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (values.GetText(new OptionName("ReportPath")) is not { } path)
            return null;
        Report.CheckDocumentName(path);
        return OutputFile.Reserve(path, mayExist: values.IsOn(OptionNames.Force), mustBeUnused: true, failedId: "IoBench.CannotWrite");
    }

    public static void Save(OutputFile output, IReadOnlyList<FileStatsRating> ratings)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Save(stream => Report.Write(stream, output.Path, ratings));
    }

    public static void Save(OutputFile output, StorageAdvice advice)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Save(stream => Report.Write(stream, output.Path, advice));
    }
}
