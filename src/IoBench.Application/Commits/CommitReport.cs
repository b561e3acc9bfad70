using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Application;

/// <summary>Report file of a commit test.</summary>
public sealed record CommitReportRequest(string Path, bool Force);

public static class CommitReport
{
    /// <summary>Returns null if no report is requested.</summary>
    public static CommitReportRequest? GetRequest(OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        return values.GetText(new OptionName("ReportPath")) is { } path
            ? new CommitReportRequest(path, values.IsOn(OptionNames.Force))
            : null;
    }

    /// <summary>Reserves the name before the test, so that problems with the file are reported early.</summary>
    /// <exception cref="IoBenchException">The name is invalid, or the file exists.</exception>
    public static OutputFile? Reserve(CommitReportRequest? request, CommitPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (request is null)
            return null;
        Report.CheckDocumentName(request.Path);
        var output = OutputFile.Reserve(request.Path, mayExist: request.Force, mustBeUnused: true, failedId: "IoBench.CannotWrite");
        try
        {
            RunOutputs.CheckNotTestFile(output, [plan.Test]);
            return output;
        }
        catch
        {
            output.Dispose();
            throw;
        }
    }

    public static void Save(OutputFile output, CommitResult result)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Save(stream => Report.Write(stream, output.Path, result));
    }
}
