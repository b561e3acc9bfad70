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

    /// <summary>NUMA node; null if unknown.</summary>
    public int? Node { get; set; }

    /// <summary>Core within the group; null if unknown.</summary>
    public int? Core { get; set; }

    /// <summary>
    /// Efficiency class of the core, highest for the fastest cores; null if all cores are the same or the class is unknown.
    /// </summary>
    public int? EfficiencyClass { get; set; }

    /// <summary>Busy time, 0 to 100 percent of the measured time; null if unknown.</summary>
    public double? UsagePercent { get; set; }

    /// <summary>Time in user mode, in percent of the measured time; null if unknown.</summary>
    public double? UserPercent { get; set; }

    /// <summary>Time in the kernel, in percent of the measured time; null if unknown.</summary>
    public double? KernelPercent { get; set; }

    /// <summary>Idle time, in percent of the measured time; null if unknown.</summary>
    public double? IdlePercent { get; set; }

    /// <inheritdoc/>
    public override string ToString() =>
        FormattableString.Invariant($"processor {Processor}{(UsagePercent is { } usage ? $": {NumberFormat.Plain(usage)} %" : "")}");
}
