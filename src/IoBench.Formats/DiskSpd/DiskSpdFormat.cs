using System.Runtime.InteropServices;

namespace IoBench.Formats.DiskSpd;

/// <summary>DiskSpd's text and XML among the formats.</summary>
public static class DiskSpdFormat
{
    /// <summary>Source of the results read from its text.</summary>
    public const string Source = "DiskSpd";

    /// <summary>Source of the results read from its XML.</summary>
    public const string XmlSource = "DiskSpdXml";

    /// <summary>All that the rest of IoBench knows about the text.</summary>
    internal static FormatDescriptor Text { get; } =
        new()
        {
            Name = "DiskSpd's text",
            Tool = "DiskSpd",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            Command = "Import-DiskSpdResult",
            Extensions = [".txt", ".out", ".log"],
            LooksLike = DiskSpdTextReader.LooksLike,
            ReadText = DiskSpdTextReader.Read,
            WrittenAs = ResultFormat.DiskSpd,
            OptionName = "diskspd",
            Write = (writer, results) => DiskSpdTextWriter.Write(writer, results),
        };

    /// <summary>All that the rest of IoBench knows about the XML.</summary>
    internal static FormatDescriptor Xml { get; } =
        new()
        {
            // Its rare port to Linux prints the same; results that know their host say so themselves.
            Name = "DiskSpd's XML",
            Tool = "DiskSpd",
            Source = XmlSource,
            RunsOn = OSPlatform.Windows,
            Command = "Import-DiskSpdResult",
            Extensions = [".xml"],
            LooksLike = DiskSpdXmlReader.LooksLike,
            ReadText = DiskSpdXmlReader.Read,
            WrittenAs = ResultFormat.DiskSpdXml,
            OptionName = "diskspd-xml",
            Write = (writer, results) => DiskSpdXmlWriter.Write(writer, results),
        };
}
