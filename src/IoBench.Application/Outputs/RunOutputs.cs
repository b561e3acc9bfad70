namespace IoBench.Application.Outputs;

/// <summary>All files that a run writes beside its test files: results and report, taken before anything runs.</summary>
public sealed class RunOutputs : IDisposable
{
    private RunOutputs(ResultFile? results, ReportOutput? report)
    {
        Results = results;
        Report = report;
    }

    /// <summary>The results; null = none were asked for.</summary>
    public ResultFile? Results { get; }

    /// <summary>The report; null = none was asked for.</summary>
    public ReportOutput? Report { get; }

    /// <summary>Takes the names of both.</summary>
    /// <param name="results">The file of the results; null = none.</param>
    /// <param name="format">What is written into it.</param>
    /// <param name="resume">It is gone on with.</param>
    /// <param name="report">The report; null = none.</param>
    /// <param name="replace">Files may be there.</param>
    /// <param name="plan">Tests whose files they must not be.</param>
    /// <exception cref="IoBenchException">One of them is refused; nothing was changed.</exception>
    public static RunOutputs Claim(
        string? results,
        ResultFormat format,
        bool resume,
        string? report,
        bool replace,
        IReadOnlyList<IoTestSpecification> plan
    )
    {
        ResultFile? file = null;
        ReportOutput? page = null;
        try
        {
            if (report is not null)
                Reports.Report.CheckName(report);
            if (results is not null)
                file = resume ? ResultFile.Resume(results, format) : ResultFile.Create(results, format, replace);
            if (report is not null && file?.Output.IsAt(report) == true)
                throw IoBenchException.Usage("IoBench.InvalidOutputPath", $"{report} cannot be both the results and the report.", report);
            page = report is null ? null : ReportOutput.Claim(report, replace);
            OutputTargets.Check(file?.Output, plan);
            OutputTargets.Check(page?.Output, plan);
            return new RunOutputs(file, page);
        }
        catch
        {
            page?.Dispose();
            file?.Dispose();
            throw;
        }
    }

    /// <summary>Lines to show, each once: where results went that could not go where they were to.</summary>
    public IEnumerable<string> TakeNotices() => new[] { Results?.Output.TakeNotice(), Report?.Output.TakeNotice() }.OfType<string>();

    /// <summary>Lets the names go.</summary>
    public void Dispose()
    {
        Report?.Dispose();
        Results?.Dispose();
    }
}
