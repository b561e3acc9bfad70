using System.IO.Compression;
using System.Text;

namespace IoBench.Reports;

/// <summary>Recognizes reports that IoBench wrote by their content.</summary>
public static class ReportRecognition
{
    private const int HeadLength = 4096;

    /// <summary>Whether a file is a workbook, an HTML report, or an SVG image of IoBench.</summary>
    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static bool IsReport(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
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
}
