using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Finds the highest rate that meets a latency limit.</summary>
[Cmdlet(
    VerbsDiagnostic.Measure,
    "IoLimit",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Measure-IoLimit"
)]
[OutputType(typeof(LimitResult))]
public sealed class MeasureIoLimitCommand : PatternOptionCmdlet<string, IoSize, int, IoAccessPattern>
{
    private static readonly IReadOnlyList<OptionRow> s_columns =
    [
        .. OptionTables.LimitSearch,
        .. OptionTables.GetColumns(OptionTables.LimitTest),
    ];

    /// <summary>Files, or folders for a file iobench.dat; one search per path.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Parameter(Position = 0, ParameterSetName = "InputObject")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Paths, table rows whose columns are settings, specifications, workloads, and results whose tests are used.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Latency limit, such as 5ms. A number without a unit is in milliseconds.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    [Alias("LimitMs")]
    [Input(InputRule.Milliseconds)]
    [ValidateRange(0.001, 60000.0)]
    public double MaxLatencyMs { get; set; }

    /// <summary>Latency statistic that must meet the limit.</summary>
    [Parameter]
    public LatencyStatistic Statistic { get; set; }

    /// <summary>For a mixed workload: operation whose latency must meet the limit.</summary>
    [Parameter]
    [ValidateSet("Read", "Write")]
    public IoOperation Operation { get; set; }

    /// <summary>Stops when the result is known to within this percentage.</summary>
    [Parameter]
    [ValidateRange(0.1, 50.0)]
    public double TolerancePercent { get; set; }

    /// <summary>Highest rate to try, in IOPS.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double MaxIops { get; set; }

    /// <summary>Maximum number of runs; default 60.</summary>
    [Parameter]
    [ValidateRange(5, 1000)]
    public int MaxProbes { get; set; }

    [Parameter]
    public IoSize StorageCacheSize { get; set; }

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

    protected override void Process()
    {
        foreach (var input in CreateInputs(InputObject, Path, LiteralPath, ReadOptions))
        {
            if (input.HasOwnSettings)
            {
                TryProcess(input.Subject, () => SearchLimit(input));
                continue;
            }
            // An invalid parameter affects every path, so it ends the cmdlet.
            var request = input.ToPlanRequest();
            var plan = LimitSearchPlan.Create(input.Values, request);
            TryProcess(input.Subject, () => SearchLimit(plan, input.Subject, request.Suite));
        }
    }

    private OptionValues ReadOptions() => ReadParameters([.. OptionTables.LimitSearch, .. OptionTables.LimitTest], columns: s_columns);

    private void SearchLimit(TestInput input)
    {
        var request = input.ToPlanRequest();
        SearchLimit(LimitSearchPlan.Create(input.Values, request), input.Subject, request.Suite);
    }

    private void SearchLimit(LimitSearchPlan plan, string path, SuiteSettings settings)
    {
        var runs = FormattableString.Invariant($"{plan.Options.MaxProbes} runs of {plan.Test.Duration.TotalSeconds} s");
        var action = FormattableString.Invariant($"search for the highest rate with {plan.Limit}, up to {runs}");
        Front.Activity = "IoBench: searching for the highest rate";
        Front.ConfirmHandler = _ => ShouldProcess(path, action);
        using var suite = Suite.Prepare([plan.Test], settings, new OutputRequest(), Front, plan.Options.MaxProbes);
        if (suite.Tests.Count == 0)
            return;
        List<LimitProbe> probes = [];
        LimitResult? found = null;
        try
        {
            found = LimitSearchPlan.FindLimit(plan, suite, probes.Add, StopToken);
        }
        catch (OperationCanceledException) when (StopToken.IsCancellationRequested)
        {
            // The results so far are reported below.
        }
        if (StopToken.IsCancellationRequested)
            WriteStoppedSearch(plan.Limit, probes.FindAll(probe => probe.Result.Status == IoResultStatus.Complete));
        WriteTestFiles(suite.CleanUp(), remove: false);
        WriteObject(found);
        if (probes.Count > 0 && probes[^1].Result is { Status: IoResultStatus.Failed } failed)
            throw SuiteFailure.CreateError(failed);
    }

    /// <summary>A stopped pipeline accepts neither objects nor warnings, but the host can still show the result.</summary>
    private void WriteStoppedSearch(LatencyLimit limit, List<LimitProbe> probes)
    {
        if (probes.Count > 0)
            Host.UI?.WriteWarningLine(SafeText.Escape(LimitSearch.DescribeInterrupted(limit, probes)));
        StopToken.ThrowIfCancellationRequested();
    }
}
