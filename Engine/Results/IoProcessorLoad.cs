namespace IoBench.Engine;

/// <summary>Load of a CPU in percent.</summary>
public sealed class IoProcessorLoad
{
    /// <summary>CPU number; on Windows, within its group.</summary>
    public int Processor { get; set; }

    /// <summary>Processor group; null if there is only one.</summary>
    public int? Group { get; set; }

    /// <summary>Socket; null if unknown.</summary>
    public int? Socket { get; set; }

    public int? Node { get; set; }

    public int? Core { get; set; }

    /// <summary>Efficiency class, highest for the fastest cores; null if all cores are the same or the class is unknown.</summary>
    public int? EfficiencyClass { get; set; }

    /// <summary>Busy time, 0 to 100 percent of the measured time; null if unknown.</summary>
    public double? UsagePercent { get; set; }

    public double? UserPercent { get; set; }

    public double? KernelPercent { get; set; }

    public double? IdlePercent { get; set; }

    public override string ToString() =>
        FormattableString.Invariant($"processor {Processor}{(UsagePercent is { } usage ? $": {NumberFormat.Plain(usage)}%" : "")}");
}
