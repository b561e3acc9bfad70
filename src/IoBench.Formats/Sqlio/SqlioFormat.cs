using System.Runtime.InteropServices;

namespace IoBench.Formats;

/// <summary>Describes SQLIO's text as a format.</summary>
public static class SqlioFormat
{
    /// <summary>Source of results that were read from SQLIO's text.</summary>
    public const string Source = "Sqlio";

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
            LooksLike = SqlioTextReader.IsSqlioBeforeDiskSpd,
            ReadBytes = SqlioTextReader.Read,
            WrittenAs = ResultFormat.Sqlio,
            OptionName = "sqlio",
            Write = SqlioTextWriter.Write,
        };
}
