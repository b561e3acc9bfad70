namespace IoBench.Formats;

internal static class SqlioPropertyNames
{
    public const string Timer = "Latency timer";
    public const string TimerFrequency = "Latency timer counts per second";
    public const string ParameterFile = "Parameter file";
    public const string Date = "Date";
    public const string MinInit = "Min_Init_Latency(us)";
    public const string AvgInit = "Avg_Init_Latency(us)";
    public const string MaxInit = "Max_Init_Latency(us)";
    public const string DpcTime = "DPCTime(%)";
    public const string InterruptTime = "InterruptTime(%)";
    public const string Interrupts = "Interrupts/sec";
}
