using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>
/// Options of a load whose reads are checked, for a cmdlet that also looks without any load: they belong to the sets of parameters that run something. PowerShell takes the sets
/// from the property that the cmdlet has last, so that each is named once more.
/// </summary>
public abstract class CheckedOptionCmdlet : LoadOptionCmdlet
{
    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoRate MaxRate { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(0.001, 1e6)]
    public override double StopAboveMs { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoSize StorageCacheSize { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(0.001, 1e9)]
    public override double TargetIops { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(1, int.MaxValue)]
    public override int BurstSize { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoDuration ThinkTime { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [JoinedText]
    public override string? BlockMix { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding - 1)]
    public override int ReadOutstanding { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding - 1)]
    public override int WriteOutstanding { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoSize Alignment { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoSize ThreadStride { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoSize BaseOffset { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoSize MaxOffset { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Distribution { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(0, 100)]
    public override int CompressiblePercent { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(0, 100)]
    public override int DedupablePercent { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoPolling Polling { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoDuration TimelineInterval { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoDuration WarmUp { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoDuration CoolDown { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoBuffering Buffering { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoArrivals Arrivals { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(1, 100)]
    public override int RandomPercent { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override IoSize Stride { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ValidateRange(1, int.MaxValue)]
    public override int FlushEvery { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string? WriteContent { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [JoinedText]
    public override string? Affinity { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string? Backend { get; set; }

    /// <inheritdoc/>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public override ulong Seed { get; set; }
}
