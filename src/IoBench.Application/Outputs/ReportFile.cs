using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Report file of a run, or of a command whose report has no results of tests (<see cref="OptionTables.AnalysisReport"/>). Its
/// name is reserved before the first test, so that problems with the file are reported early.</summary>
public static class ReportFile
{
    public static OutputFile Reserve(string path, bool replace)
    {
        Report.CheckName(path);
        return ReserveName(path, replace);
    }

    /// <summary>Writes the report atomically.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoResults</c>, <c>IoBench.CannotWrite</c>, <c>IoBench.UnknownRuleSet</c>.</exception>
    public static void Write(OutputFile output, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count == 0)
            throw IoBenchException.NotFound(
                ErrorIds.NoResults,
                $"IoBench did not write {output.Path}, because the input contains no results.",
                output.Path
            );
        output.Save(stream => Report.Write(stream, output.Path, results, options));
    }

    /// <summary>Reserves the name, writes the report, and releases the name.</summary>
    public static string Write(string path, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        using var report = Reserve(path, options.Force);
        Write(report, results, options);
        return report.Path;
    }

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
        var output = ReserveName(path, values.IsOn(OptionNames.Force));
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

    private static OutputFile ReserveName(string path, bool replace) =>
        OutputFile.Reserve(path, mayExist: replace, mustBeUnused: true, failedId: "IoBench.CannotWrite");

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
