using System.IO.Compression;
using System.Text;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Writes results as an Excel workbook, an HTML report, or an image, and recognizes such files.</summary>
public static class Report
{
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format: <c>.xlsx</c>, <c>.html</c>, <c>.htm</c>, or <c>.svg</c>.</param>
    /// <exception cref="IoBenchException">Results, options, or name are invalid.</exception>
    public static void Write(Stream stream, string name, IReadOnlyList<IoTestResult> results, ReportOptions options)
    {
        CheckName(name);
        if (results.Count == 0)
            throw IoBenchException.NotFound(
                ErrorIds.NoResults,
                $"IoBench did not write {name}, because the input contains no results.",
                name
            );
        // Free the memory that reading the results used.
        ReportDocument.ReleaseMemory(results.Count);
        switch (GetExtension(name))
        {
            case ".XLSX":
                WorkbookWriter.WriteWorkbook(stream, ReportDocument.Build(results, options));
                break;
            case ".SVG":
                stream.Write(Encoding.UTF8.GetBytes(SummaryImage.Draw(ReportContext.Create(results, options))));
                break;
            default:
                if (options.Body)
                    HtmlReportWriter.WriteBody(stream, ReportContext.Create(results, options));
                else
                    HtmlReportWriter.WriteDocument(stream, ReportDocument.Build(results, options));
                break;
        }
    }

    /// <summary>Writes the result of a commit test.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format, as <see cref="CheckDocumentName"/> requires.</param>
    public static void Write(Stream stream, string name, CommitResult result)
    {
        WriteDocument(stream, name, new ReportDocument(CommitSection.GetTitle(result), [CommitSection.Build(result)]));
    }

    /// <summary>Writes the messages about I/O of ERRORLOG files.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format, as <see cref="CheckDocumentName"/> requires.</param>
    public static void Write(Stream stream, string name, ErrorLogResult result)
    {
        WriteDocument(stream, name, new ReportDocument(ErrorLogSection.Title, ErrorLogSection.BuildAll(result)));
    }

    /// <summary>Writes ratings of the latency that SQL Server observed, one for each rule set.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format, as <see cref="CheckDocumentName"/> requires.</param>
    public static void Write(Stream stream, string name, IReadOnlyList<FileStatsRating> ratings)
    {
        WriteDocument(
            stream,
            name,
            new ReportDocument(CapturedWorkloadSection.RatingTitle, [CapturedWorkloadSection.BuildRatings(ratings)])
        );
    }

    /// <summary>Writes the disks and virtual machines for a captured workload.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format, as <see cref="CheckDocumentName"/> requires.</param>
    public static void Write(Stream stream, string name, StorageAdvice advice)
    {
        WriteDocument(stream, name, new ReportDocument(CapturedWorkloadSection.AdviceTitle, CapturedWorkloadSection.BuildAdvice(advice)));
    }

    private static void WriteDocument(Stream stream, string name, ReportDocument document)
    {
        CheckDocumentName(name);
        if (GetExtension(name) == ".XLSX")
            WorkbookWriter.WriteWorkbook(stream, document);
        else
            HtmlReportWriter.WriteDocument(stream, document);
    }

    /// <summary>Writes where a latency comes from.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="name">The extension selects the format, as <see cref="CheckDocumentName"/> requires.</param>
    public static void Write(Stream stream, string name, LatencySourceResult result)
    {
        WriteDocument(stream, name, new ReportDocument(LatencySourceSection.GetTitle(result), LatencySourceSection.Build(result)));
    }

    /// <exception cref="IoBenchException">The extension is not <c>.xlsx</c>, <c>.html</c>, or <c>.htm</c>.</exception>
    public static void CheckDocumentName(string name)
    {
        if (GetExtension(name) is not (".XLSX" or ".HTML" or ".HTM"))
            throw IoBenchException.Usage(
                "IoBench.UnknownReportFormat",
                $"{name} is not a valid name for this report. The name must end in .xlsx or .html.",
                name
            );
    }

    /// <exception cref="IoBenchException">The report is not an HTML file.</exception>
    public static void CheckBody(string name)
    {
        if (GetExtension(name) is not (".HTML" or ".HTM"))
            throw IoBenchException.Usage(
                "IoBench.BodyIsHtml",
                $"{name} does not have the extension .html, but {new OptionName("Body")} writes the body of an HTML email.",
                name,
                advice: "Use a name that ends in .html."
            );
    }

    /// <exception cref="IoBenchException">The extension is not one of a report.</exception>
    public static void CheckName(string name)
    {
        if (GetExtension(name) is not (".XLSX" or ".HTML" or ".HTM" or ".SVG"))
            throw IoBenchException.Usage(
                "IoBench.UnknownReportFormat",
                $"{name} is not a valid report name. The name must end in .xlsx, .html, or .svg.",
                name
            );
    }

    private static string GetExtension(string name) => Path.GetExtension(name).ToUpperInvariant();

    private const int HeadLength = 4096;

    /// <summary>Whether a file is a workbook, an HTML report, or an SVG image of IoBench.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static bool IsReport(Stream stream)
    {
        stream.Position = 0;
        var head = new byte[HeadLength];
        head = head[..stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)];
        if (head.AsSpan().StartsWith("PK"u8))
            return IsWorkbook(stream);
        var text = Encoding.UTF8.GetString(head);
        return text.Contains("<meta name=\"generator\" content=\"IoBench ", StringComparison.Ordinal)
            || text.StartsWith(SvgWriter.CreateImageStart(SummaryImage.Width, SummaryImage.Height), StringComparison.Ordinal);
    }

    private static bool IsWorkbook(Stream stream)
    {
        try
        {
            stream.Position = 0;
            using var zip = new ZipArchive(stream, ZipArchiveMode.Read, leaveOpen: true);
            if (zip.GetEntry("docProps/core.xml") is not { } properties)
                return false;
            using var text = properties.Open();
            var head = new byte[HeadLength];
            var length = text.ReadAtLeast(head, head.Length, throwOnEndOfStream: false);
            return Encoding.UTF8.GetString(head, 0, length).Contains(">IoBench</dc:creator>", StringComparison.Ordinal);
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    /// <summary>Lines of text for a terminal: one heat map for each result that has latencies of intervals, on one scale; otherwise, one
    /// line with the reason.</summary>
    public static IReadOnlyList<string> FormatHeatMaps(IReadOnlyList<IoTestResult> results, int width = 100)
    {
        var known = results.Where(HeatMap.HasLatencies).ToList();
        var names = RunDescription.CreateNames(known);
        var maps = HeatMap.CreateAll([.. known.Select((run, index) => (names[index], HeatMap.GetIntervals(run)!))]);
        if (maps.Count == 0)
            return
            [
                $"A heat map requires an IoBench test with at least {HeatMap.MinColumns} intervals, such as a test of {HeatMap.MinColumns} s with intervals of 1 s.",
            ];
        return [.. maps.SelectMany((map, index) => index == 0 ? map.FormatLines(width) : map.FormatLines(width).Prepend(""))];
    }
}
