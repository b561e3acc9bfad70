using System.Runtime.InteropServices;

namespace IoBench.Formats;

public static class SqlioFormat
{
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
