using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Report file of a command whose report has no results of tests (<see cref="OptionTables.AnalysisReport"/>).</summary>
public static class AnalysisReport
{
    /// <summary>Reserves the name first, so that problems with the file are reported early. Returns null if no report is
    /// requested.</summary>
    /// <param name="tests">Tests whose files the report must not replace.</param>
    /// <exception cref="IoBenchException">The name is invalid, the file exists, or it is a test file.</exception>
    public static OutputFile? Reserve(OptionValues values, params IReadOnlyList<IoTestSpecification> tests)
    {
        ArgumentNullException.ThrowIfNull(values);
        if (values.GetText(new OptionName("ReportPath")) is not { } path)
            return null;
        Report.CheckDocumentName(path);
        var output = OutputFile.Reserve(
            path,
            mayExist: values.IsOn(OptionNames.Force),
            mustBeUnused: true,
            failedId: "IoBench.CannotWrite"
        );
        try
        {
            RunOutputs.CheckNotTestFile(output, tests);
            return output;
        }
        catch
        {
            output.Dispose();
            throw;
        }
    }

    public static void Save(OutputFile output, IReadOnlyList<FileStatsRating> ratings) =>
        Save(output, stream => Report.Write(stream, output.Path, ratings));

    public static void Save(OutputFile output, StorageAdvice advice) => Save(output, stream => Report.Write(stream, output.Path, advice));

    public static void Save(OutputFile output, CommitResult result) => Save(output, stream => Report.Write(stream, output.Path, result));

    public static void Save(OutputFile output, LatencySourceResult result) =>
        Save(output, stream => Report.Write(stream, output.Path, result));

    public static void Save(OutputFile output, ErrorLogResult result) => Save(output, stream => Report.Write(stream, output.Path, result));

    private static void Save(OutputFile output, Action<Stream> write)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Save(write);
    }
}
