namespace IoBench.Application.Outputs;

/// <summary>The workbook or page of a run: its name is taken before the first test, so that what is wrong with it is reported then.</summary>
public sealed class ReportOutput : IDisposable
{
    private ReportOutput(OutputFile output) => Output = output;

    /// <summary>The file itself.</summary>
    public OutputFile Output { get; }

    /// <summary>Takes the name of a report.</summary>
    /// <param name="path">The file; its extension decides the kind: <c>.xlsx</c>, <c>.html</c> and <c>.htm</c>, <c>.svg</c> or <c>.png</c>.</param>
    /// <param name="replace">A file may be there.</param>
    /// <exception cref="IoBenchException"><c>IoBench.UnknownReportFormat</c>, <c>IoBench.NoPictureRenderer</c>, and what <see cref="OutputFile.Claim"/> throws.</exception>
    public static ReportOutput Claim(string path, bool replace)
    {
        Report.CheckName(path);
        return new(
            OutputFile.Claim(
                new OutputRequest(path)
                {
                    MayExist = replace,
                    MustBeUnused = true,
                    FailedId = "IoBench.CannotWrite",
                }
            )
        );
    }

    /// <summary>Writes the report; the file appears complete or not at all.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoResults</c>, <c>IoBench.CannotWrite</c>, <c>IoBench.UnknownRuleSet</c>.</exception>
    public void Write(IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count == 0)
            throw IoBenchException.NotFound(
                ErrorIds.NoResults,
                $"There are no results to report, so {Output.Path} was not written.",
                Output.Path
            );
        Output.Save(stream => Report.Write(stream, Output.Path, results, options));
    }

    /// <summary>Takes the name, writes, and lets it go.</summary>
    /// <returns>Where the report is.</returns>
    /// <exception cref="IoBenchException">As <see cref="Claim"/> and <see cref="Write(IReadOnlyList{IoTestResult}, ReportOptions)"/>.</exception>
    public static string Write(string path, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        using var report = Claim(path, options.Force);
        report.Write(results, options);
        return report.Output.Path;
    }

    /// <summary>Lets the name go; where nothing was written, nothing stays.</summary>
    public void Dispose() => Output.Dispose();
}
