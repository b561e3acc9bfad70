namespace IoBench.Engine.Results;

/// <summary>How busy a processor was, in percent.</summary>
public sealed class IoProcessorLoad
{
    /// <summary>Number of the processor; within its group on Windows.</summary>
    public int Processor { get; set; }

    /// <summary>Processor group; null where there is one.</summary>
    public int? Group { get; set; }

    /// <summary>Socket; null where not known.</summary>
    public int? Socket { get; set; }

    /// <summary>NUMA node; null where not known.</summary>
    public int? Node { get; set; }

    /// <summary>Core within the group; null where not known.</summary>
    public int? Core { get; set; }

    /// <summary>Efficiency class of the core, the fastest having the highest; null where all are the same or it is not known.</summary>
    public int? EfficiencyClass { get; set; }

    /// <summary>Time that was not idle, 0 to 100 percent of the measured time; null when not known.</summary>
    public double? UsagePercent { get; set; }

    /// <summary>Time in programs, in percent of the measured time; null when not known.</summary>
    public double? UserPercent { get; set; }

    /// <summary>Time in the kernel, in percent of the measured time; null when not known.</summary>
    public double? KernelPercent { get; set; }

    /// <summary>Idle time, in percent of the measured time; null when not known.</summary>
    public double? IdlePercent { get; set; }

    /// <inheritdoc/>
    public override string ToString() =>
        FormattableString.Invariant($"processor {Processor}{(UsagePercent is { } usage ? $": {Figures.Plain(usage)} %" : "")}");
}
