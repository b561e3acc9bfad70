using System.Runtime.InteropServices;

namespace IoBench.Formats.Sqlio;

/// <summary>SQLIO's text among the formats.</summary>
public static class SqlioFormat
{
    /// <summary>Source of the results read from it.</summary>
    public const string Source = "Sqlio";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "SQLIO's text",
            Tool = "SQLIO",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            IsInWholeMilliseconds = true,
            Command = "Import-SqlioResult",
            Extensions = [".txt", ".out", ".log"],
            LooksLike = SqlioTextReader.BeginsBeforeDiskSpd,
            ReadBytes = SqlioTextReader.Read,
            WrittenAs = ResultFormat.Sqlio,
            OptionName = "sqlio",
            Write = SqlioTextWriter.Write,
        };
}
