using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Report file of a run. Its name is reserved before the first test, so that problems with the file are reported early.</summary>
public sealed class ReportFile : IDisposable
{
    private ReportFile(OutputFile output) => Output = output;

    public OutputFile Output { get; }

    public static ReportFile Reserve(string path, bool replace)
    {
        Report.CheckName(path);
        return new(OutputFile.Reserve(path, mayExist: replace, mustBeUnused: true, failedId: "IoBench.CannotWrite"));
    }

    /// <summary>Writes the report atomically.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoResults</c>, <c>IoBench.CannotWrite</c>, <c>IoBench.UnknownRuleSet</c>.</exception>
    public void Write(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count == 0)
            throw IoBenchException.NotFound(
                ErrorIds.NoResults,
                $"IoBench did not write {Output.Path}, because the input contains no results.",
                Output.Path
            );
        Output.Save(stream => Report.Write(stream, Output.Path, results, options));
    }

    /// <summary>Reserves the name, writes the report, and releases the name.</summary>
    public static string Write(string path, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        using var report = Reserve(path, options.Force);
        report.Write(results, options);
        return report.Output.Path;
    }

    /// <summary>Releases the name. If nothing was written, the file is removed.</summary>
    public void Dispose() => Output.Dispose();
}
