using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Verifies data integrity: under load, or after a power loss with the records of a witness.</summary>
[Cmdlet(
    VerbsDiagnostic.Test,
    "IoIntegrity",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Test-IoIntegrity"
)]
[OutputType(typeof(IoTestResult), typeof(bool))]
public sealed class TestIoIntegrityCommand : LoadOptionCmdlet
{
    /// <summary>Type name of the view with verdict, checked reads, and errors by kind.</summary>
    private static readonly string s_viewName = typeof(IoTestResult).FullName + "#Integrity";

    private readonly List<IoTestResult> _results = [];

    // A column can set a rarely used option that is not a parameter here.
    private static readonly IReadOnlyList<OptionRow> s_options =
    [
        .. OptionTables.Verify,
        .. TestOptions.Detailed.Except(TestOptions.OfRuns),
    ];
    private static readonly IReadOnlyList<OptionRow> s_columns = OptionTables.GetColumns(s_options);

    /// <summary>Files, folders for a file iobench.dat, or devices.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Parameter(Position = 0, ParameterSetName = "InputObject")]
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "AfterCrash")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject")]
    [Parameter(Mandatory = true, ParameterSetName = "LiteralAfterCrash")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Paths, table rows whose columns are settings, specifications, workloads, and results whose tests are repeated.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Where acknowledged writes are recorded: a new file on another volume, or the host and port of an iobench witness.</summary>
    [Parameter(ParameterSetName = "Path"), Parameter(ParameterSetName = "LiteralPath"), Parameter(ParameterSetName = "InputObject")]
    public string? Witness { get; set; }

    /// <summary>After a power loss: the witness of the run that was interrupted.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "AfterCrash")]
    [Parameter(Mandatory = true, ParameterSetName = "LiteralAfterCrash")]
    public string? AfterCrash { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Workload { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? FileSize { get; set; }

    /// <summary>Duration of the measurement of each test; default 30 seconds.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public override IoDuration Duration { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? BlockSize { get; set; }

    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? OutstandingIO { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [ValidateThreadCount]
    public override string[]? ThreadCount { get; set; }

    /// <summary>Write percentage; default 50.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? WritePercent { get; set; }

    /// <summary>Access pattern; default Random.</summary>
    [Parameter]
    public override IoAccessPattern[]? AccessPattern { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Label { get; set; }

    /// <summary>Removes the test files at the end, unless they are kept as evidence.</summary>
    [Parameter]
    public SwitchParameter RemoveTestFile { get; set; }

    /// <summary>Files that the test may overwrite although IoBench did not create them, by name or path.</summary>
    [Parameter]
    public string[]? OverwriteFile { get; set; }

    /// <summary>Raw devices that the test may overwrite, by name or path.</summary>
    [Parameter]
    public string[]? EraseDevice { get; set; }

    /// <summary>Creates a test file even if free space drops below 10% of its volume or 10 GB, whichever is smaller.</summary>
    [Parameter]
    public SwitchParameter FillVolume { get; set; }

    /// <summary>Reads SQL Server files without a question.</summary>
    [Parameter]
    public SwitchParameter ReadDatabase { get; set; }

    /// <summary>Returns true if every check passed, otherwise false, instead of the results.</summary>
    [Parameter]
    public SwitchParameter Quiet { get; set; }

    protected override void End()
    {
        if (Quiet)
            WriteObject(_results.Count > 0 && _results.TrueForAll(IsPassed));
    }

    private protected override bool IsQuiet => Quiet;

    private static bool IsPassed(IoTestResult result) =>
        IntegrityResult.Format("Verdict", result) == VerdictWords.Describe(VerdictOutcome.Pass) && result.Status == IoResultStatus.Complete;

    private void WriteResult(IoTestResult result)
    {
        _results.Add(result);
        if (Quiet)
            return;
        var item = PSObject.AsPSObject(result);
        item.TypeNames.Insert(0, s_viewName);
        WriteObject(item);
    }

    protected override void Process()
    {
        if (AfterCrash is not null)
        {
            VerificationPlanning.CheckCrashOptions(ReadParameters(OptionTables.Verify));
            foreach (var path in ResolvePaths(Path, LiteralPath))
                TryProcess(path, () => VerifyAfterCrash(path));
            return;
        }
        foreach (var input in CreateInputs(InputObject, Path, LiteralPath, () => ReadParameters(s_options, columns: s_columns)))
            TryProcess(input.Subject, () => VerifyTest(input));
    }

    private void VerifyAfterCrash(string path)
    {
        var witness = PathResolver.GetFullPath(SessionState, AfterCrash!);
        var found = RunCancellable(() => CrashVerification.Run(path, witness, StopToken));
        WriteResult(found);
        WriteSummary([found]);
        if (Quiet)
            return;
        if (found.ErrorId is { } id)
            WriteNonTerminatingError(IoBenchException.Failure(id, found.ErrorMessage!, path), path);
        else if (VerificationPlanning.CreateNotVerifiedError(found) is { } error)
            WriteNonTerminatingError(error, path);
    }

    private void VerifyTest(TestInput input)
    {
        var request = input.ToPlanRequest();
        VerificationPlanning.ApplyDefaults(request);
        var plan = TestPlanner.Create(request);
        foreach (var warning in plan.Warnings)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
        if (plan.Tests.Count > 0)
            RunTests(plan.Tests, request.Suite, new OutputRequest(), $"Checking {input.Subject}", WriteResult);
    }
}
