using System.Globalization;
using System.Reflection;
using System.Xml.Linq;

namespace IoBench.Reports;

internal static class WorkbookWriter
{
    /// <summary>The version without the commit of the build.</summary>
    public static string ProgramVersion =>
        (typeof(WorkbookWriter).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0").Split(
            '+'
        )[0];

    public static void WriteDocumentProperties(WorkbookPackage package, string title, IReadOnlyList<string> sheetNames)
    {
        XNamespace core = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
            dc = "http://purl.org/dc/elements/1.1/",
            terms = "http://purl.org/dc/terms/",
            schema = "http://www.w3.org/2001/XMLSchema-instance",
            extended = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties";
        var created = new XElement(
            terms + "created",
            new XAttribute(schema + "type", "dcterms:W3CDTF"),
            DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture)
        );
        package.AddPart(
            "docProps/core.xml",
            "package.core-properties+xml",
            xml =>
                new XElement(
                    core + "coreProperties",
                    new XAttribute(XNamespace.Xmlns + "dc", dc.NamespaceName),
                    new XAttribute(XNamespace.Xmlns + "dcterms", terms.NamespaceName),
                    new XAttribute(XNamespace.Xmlns + "xsi", schema.NamespaceName),
                    new XElement(dc + "title", WorkbookText.EscapeCell(title)),
                    new XElement(dc + "creator", "IoBench"),
                    new XElement(dc + "description", string.Join(", ", sheetNames)),
                    created
                ).WriteTo(xml)
        );
        package.AddPart(
            "docProps/app.xml",
            "officedocument.extended-properties+xml",
            xml => new XElement(extended + "Properties", new XElement(extended + "Application", "IoBench " + ProgramVersion)).WriteTo(xml)
        );
        package.AddRelationships(
            "",
            [
                ("officeDocument", "xl/workbook.xml"),
                ("http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "docProps/core.xml"),
                ("extended-properties", "docProps/app.xml"),
            ]
        );
    }
}
