namespace IoBench.Cli.Options;

/// <summary>Where results go. Its files are taken before a long test starts, not after it.</summary>
internal sealed class OutputPlan
{
    /// <summary>On standard output; null = the table.</summary>
    public ResultFormat? Format { get; init; }

    /// <summary>The file of the results.</summary>
    public string? OutputPath { get; init; }

    /// <summary>What is written into it.</summary>
    public ResultFormat? OutputFormat { get; init; }

    /// <summary>The workbook or page.</summary>
    public string? ReportPath { get; init; }

    /// <summary>The report's title.</summary>
    public string? Title { get; init; }

    /// <summary>The report without its Summary.</summary>
    public bool NoSummary { get; init; }

    /// <summary>The classic Results sheet in the report, whatever tool measured.</summary>
    public bool Classic { get; init; }

    /// <summary>The kind of storage that judges where no rule set is named; null = as the host says.</summary>
    public StorageClass? Storage { get; init; }

    /// <summary>What was bought; null = not stated.</summary>
    public StorageSpecification? Bought { get; set; }

    /// <summary>Replace what exists.</summary>
    public bool Force { get; init; }

    /// <summary>The output file is continued, so it may exist.</summary>
    public bool Resume { get; set; }

    /// <summary>What is measured is kept in a file, whatever becomes of standard output.</summary>
    public bool HasFile => OutputPath is not null || ReportPath is not null;

    /// <summary>Takes the files before anything runs; to be let go at the end.</summary>
    /// <param name="console">Who may be cancelled meanwhile.</param>
    /// <param name="plan">Tests whose files they must not be; null = there are none.</param>
    /// <exception cref="IoBenchException">A file exists and may not be replaced, cannot be written, or is another run's.</exception>
    public RunOutputs Open(CliConsole console, IReadOnlyList<IoTestSpecification>? plan = null) =>
        FileLook.Take(
            console,
            string.Join(" or ", new[] { OutputPath, ReportPath }.OfType<string>()),
            () => RunOutputs.Claim(OutputPath, OutputFormat ?? ResultFormat.Json, Resume, ReportPath, Force, plan ?? [])
        );
}
