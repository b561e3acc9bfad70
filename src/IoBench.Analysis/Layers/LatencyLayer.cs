using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

public enum LatencyLayerKind : long
{
    /// <summary>CPU time of IoBench itself, as the same test with the null backend shows.</summary>
    IoBench,

    /// <summary>IoBench was ready to run and waited for a CPU.</summary>
    CpuWait,

    /// <summary>The host did not run IoBench: a suspended process or virtual machine.</summary>
    HostPause,

    /// <summary>One or more levels of the storage.</summary>
    Storage,
}

/// <summary>Part of an average latency.</summary>
public sealed record LatencyLayer
{
    public required IoOperation Operation { get; init; }

    public required string Layer { get; init; }

    public required LatencyLayerKind Kind { get; init; }

    /// <summary>Average time per I/O in milliseconds. The layers of a breakdown add up to its average latency.</summary>
    public required double Milliseconds { get; init; }

    /// <summary>Share of the average latency.</summary>
    public required double Percent { get; init; }

    /// <summary>Largest likely error of the time, from the resolution of the counters; 0 if it is far below the displayed digits.</summary>
    public double UncertaintyMs { get; init; }

    /// <summary>Why the layer contains several levels of the storage; null if it does not.</summary>
    public string? Note { get; init; }

    /// <summary>Index of the first level of the storage in the layer.</summary>
    internal int FirstLevel { get; init; }

    /// <summary>Index of the level after the last one.</summary>
    internal int EndLevel { get; init; }

    internal bool NeedsCpu { get; init; }

    /// <summary>What to do if the layer contains levels that IoBench cannot separate; null if it does not.</summary>
    internal string? Advice { get; init; }

    /// <summary>Whether the verdict names this layer.</summary>
    public bool IsNamed { get; init; }

    /// <summary>Result that the layer belongs to.</summary>
    [JsonIgnore]
    public LatencySourceResult? Result { get; internal set; }

    public override string ToString() => Invariant($"{Layer}: {NumberFormat.Milliseconds(Milliseconds)} ({Percent:0.0}%)");
}
