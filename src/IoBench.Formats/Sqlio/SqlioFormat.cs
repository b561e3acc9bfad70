using System.Runtime.InteropServices;

namespace IoBench.Formats;

public static class SqlioFormat
{
    public const string Source = "Sqlio";

    // Keys of IoTestResult.ToolDetails.
    internal const string Timer = "Latency timer";
    internal const string TimerFrequency = "Latency timer counts per second";
    internal const string ParameterFile = "Parameter file";
    internal const string Date = "Date";
    internal const string MinInit = "Min_Init_Latency(us)";
    internal const string AvgInit = "Avg_Init_Latency(us)";
    internal const string MaxInit = "Max_Init_Latency(us)";
    internal const string DpcTime = "DPCTime(%)";
    internal const string InterruptTime = "InterruptTime(%)";
    internal const string Interrupts = "Interrupts/sec";

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
