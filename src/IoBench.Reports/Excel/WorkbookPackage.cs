using System.IO.Compression;
using System.Text;
using System.Xml;

namespace IoBench.Reports;

/// <summary>A zip file (ECMA-376 part 2, OPC). Parts are streamed; the Open XML SDK would keep every part in memory.</summary>
internal sealed class WorkbookPackage : IDisposable
{
    private const string RelationshipNamespace = "http://schemas.openxmlformats.org/package/2006/relationships";
    private const string OfficeRelationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
    private static readonly XmlWriterSettings s_settings = new()
    {
        Encoding = new UTF8Encoding(false),
        // Cell texts are already escaped.
        CheckCharacters = false,
    };

    private readonly ZipArchive _zip;
    private readonly List<(string Path, string ContentType)> _parts = [];

    /// <param name="stream">Stays open.</param>
    public WorkbookPackage(Stream stream) => _zip = new ZipArchive(stream, ZipArchiveMode.Create, leaveOpen: true);

    public int CountParts(string folder) => _parts.Count(part => part.Path.StartsWith(folder, StringComparison.Ordinal));

    /// <param name="contentType">The part after <c>application/vnd.openxmlformats-</c>.</param>
    public void AddPart(string path, string contentType, Action<XmlWriter> write) =>
        AddPart(path, contentType, (xml, _) => write(xml), isLarge: false);

    /// <param name="write">Writes with the XML writer and, after a flush, to the stream below it.</param>
    /// <param name="isLarge">Speed matters more than size.</param>
    public void AddPart(string path, string contentType, Action<XmlWriter, Stream> write, bool isLarge)
    {
        _parts.Add((path, "application/vnd.openxmlformats-" + contentType));
        WriteEntry(path, write, isLarge);
    }

    /// <summary>The ids are rId1, rId2 … in order. An empty path is the package. A type is its last word or the full URI.</summary>
    public void AddRelationships(string path, IReadOnlyList<(string Type, string Target)> relationships)
    {
        var slash = path.LastIndexOf('/');
        WriteEntry(
            $"{path[..(slash + 1)]}_rels/{path[(slash + 1)..]}.rels",
            (xml, _) =>
            {
                xml.WriteStartElement("Relationships", RelationshipNamespace);
                for (var index = 0; index < relationships.Count; index++)
                {
                    var (type, target) = relationships[index];
                    xml.WriteStartElement("Relationship", RelationshipNamespace);
                    xml.WriteAttributeString("Id", $"rId{index + 1}");
                    xml.WriteAttributeString("Type", type.StartsWith("http", StringComparison.Ordinal) ? type : OfficeRelationship + type);
                    xml.WriteAttributeString("Target", target);
                    xml.WriteEndElement();
                }
                xml.WriteEndElement();
            },
            false
        );
    }

    public void Finish()
    {
        const string ns = "http://schemas.openxmlformats.org/package/2006/content-types";
        WriteEntry(
            "[Content_Types].xml",
            (xml, _) =>
            {
                xml.WriteStartElement("Types", ns);
                foreach (
                    var (extension, type) in new[]
                    {
                        ("rels", "application/vnd.openxmlformats-package.relationships+xml"),
                        ("xml", "application/xml"),
                    }
                )
                {
                    xml.WriteStartElement("Default", ns);
                    xml.WriteAttributeString("Extension", extension);
                    xml.WriteAttributeString("ContentType", type);
                    xml.WriteEndElement();
                }
                foreach (var (path, type) in _parts)
                {
                    xml.WriteStartElement("Override", ns);
                    xml.WriteAttributeString("PartName", "/" + path);
                    xml.WriteAttributeString("ContentType", type);
                    xml.WriteEndElement();
                }
                xml.WriteEndElement();
            },
            false
        );
    }

    public void Dispose() => _zip.Dispose();

    private void WriteEntry(string path, Action<XmlWriter, Stream> write, bool isLarge)
    {
        using var stream = _zip.CreateEntry(path, isLarge ? CompressionLevel.Fastest : CompressionLevel.Optimal).Open();
        using Stream buffered = isLarge ? new BackgroundWriteStream(stream) : new BufferedStream(stream, 1 << 16);
        using var xml = XmlWriter.Create(buffered, s_settings);
        xml.WriteStartDocument(standalone: true);
        write(xml, buffered);
        xml.WriteEndDocument();
        // Flush throws exceptions that Dispose would hide.
        xml.Flush();
    }
}
