using System.Text;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Writes results as an Excel workbook, an HTML report, or an image.</summary>
public static class Report
{
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format: <c>.xlsx</c>, <c>.html</c>, <c>.htm</c>, <c>.svg</c>, or <c>.png</c>.</param>
    /// <exception cref="IoBenchException">Results, options, or name are invalid, or no program can create a PNG.</exception>
    public static void Write(Stream stream, string name, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(results);
        ArgumentNullException.ThrowIfNull(options);
        CheckName(name);
        if (results.Count == 0)
            throw IoBenchException.NotFound(ErrorIds.NoResults, $"There are no results to report, so {name} was not written.", name);
        // Free the memory that reading the results used.
        ReportMemoryPolicy.ReleaseMemory(results.Count);
        switch (GetExtension(name))
        {
            case ".XLSX":
                WorkbookWriter.WriteWorkbook(stream, ReportDocument.Build(results, options));
                break;
            case ".SVG":
                stream.Write(Encoding.UTF8.GetBytes(SummaryImage.Draw(ReportContext.Create(results, options))));
                break;
            case ".PNG":
                PngRenderer
                    .Find(name)
                    .Render(SummaryImage.Draw(ReportContext.Create(results, options)), stream, SummaryImage.Width, SummaryImage.Height);
                break;
            default:
                HtmlReportWriter.WriteDocument(stream, ReportDocument.Build(results, options));
                break;
        }
    }

    /// <exception cref="IoBenchException">The extension is not one of a report, or no program can create a PNG.</exception>
    public static void CheckName(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (GetExtension(name) is not (".XLSX" or ".HTML" or ".HTM" or ".SVG" or ".PNG"))
            throw IoBenchException.Usage(
                "IoBench.UnknownReportFormat",
                $"{name} is not a report's name: end it in .xlsx, .html, .svg or .png.",
                name
            );
        if (GetExtension(name) == ".PNG")
            PngRenderer.Find(name);
    }

    private static string GetExtension(string name) => Path.GetExtension(name).ToUpperInvariant();
}
