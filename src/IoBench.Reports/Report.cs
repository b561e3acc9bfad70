using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports.Excel;
using IoBench.Reports.Html;

namespace IoBench.Reports;

/// <summary>Writes results as an Excel workbook or an HTML page.</summary>
public static class Report
{
    /// <summary>Writes a report; the extension of the path decides: <c>.xlsx</c>, or <c>.html</c> and <c>.htm</c>.</summary>
    /// <param name="path">The file to write. Its folder must exist. The file appears complete or not at all.</param>
    /// <param name="results">What was measured or read, in the order in which it shall be shown.</param>
    /// <param name="options">Title, baseline, rule set and whether an existing file may be replaced.</param>
    /// <exception cref="IoBenchException">
    /// <c>IoBench.NoResults</c>, <c>IoBench.UnknownReportFormat</c>, <c>IoBench.FileExists</c>, <c>IoBench.FileInUse</c>,
    /// <c>IoBench.FolderNotFound</c>, <c>IoBench.CannotWrite</c>, <c>IoBench.UnknownRuleSet</c>.
    /// </exception>
    public static void Write(string path, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(results);
        ArgumentNullException.ThrowIfNull(options);

        Action<Stream> write = Path.GetExtension(path).ToUpperInvariant() switch
        {
            ".XLSX" => stream => WorkbookWriter.Write(stream, ReportDocument.Build(results, options)),
            ".HTML" or ".HTM" => stream => HtmlWriter.Write(stream, ReportDocument.Build(results, options)),
            _ => throw IoBenchException.Usage("IoBench.UnknownReportFormat",
                $"{path}: a report is written as .xlsx or .html. Give the file one of these extensions.", path),
        };
        if (results.Count == 0)
            throw IoBenchException.NotFound("IoBench.NoResults", $"There are no results to report, so {path} was not written.", path);
        ReportFile.Write(path, options.Force, write);
    }
}
