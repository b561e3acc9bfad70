using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class OutputTargets
{
    /// <summary>Format on standard output; null for the table.</summary>
    public ResultFormat? Format { get; init; }

    public string? OutputPath { get; init; }

    public ResultFormat? OutputFormat { get; init; }

    public string? ReportPath { get; init; }

    public string? Title { get; init; }

    public bool NoSummary { get; init; }

    public bool Classic { get; init; }

    /// <summary>Storage class for the rating if no rule set is specified; null to detect it from the host.</summary>
    public StorageClass? Storage { get; init; }

    /// <summary>Provisioned limits; null if not specified.</summary>
    public StorageSpecification? ProvisionedStorage { get; set; }

    public bool Force { get; init; }

    public bool Resume { get; set; }

    public bool HasFile => OutputPath is not null || ReportPath is not null;

    /// <summary>Opens the files before anything runs. The caller disposes the result.</summary>
    /// <param name="plan">Tests whose test files must not be overwritten; null for none.</param>
    /// <exception cref="IoBenchException">A file exists and must not be replaced, cannot be written, or is in use by another
    /// run.</exception>
    public RunOutputs OpenFiles(CliConsole console, IReadOnlyList<IoTestSpecification>? plan = null) =>
        CancellableFileCall.Run(
            console,
            string.Join(" or ", new[] { OutputPath, ReportPath }.OfType<string>()),
            () => RunOutputs.Reserve(OutputPath, OutputFormat ?? ResultFormat.Json, Resume, ReportPath, Force, plan ?? [])
        );
}
