using System.Runtime.InteropServices;

namespace IoBench.Formats;

public static class DiskSpdFormat
{
    public const string Source = "DiskSpd";

    public const string XmlSource = "DiskSpdXml";

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
            ReadBytes = DiskSpdTextReader.Read,
            WrittenAs = ResultFormat.DiskSpd,
            OptionName = "diskspd",
            Write = (writer, results) => DiskSpdTextWriter.Write(writer, results),
        };

    internal static FormatDescriptor Xml { get; } =
        new()
        {
            // The Linux port of DiskSpd is rare and prints the same XML. Results that name their host show the operating system themselves.
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
