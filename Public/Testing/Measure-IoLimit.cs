using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>The highest rate that keeps a limit on latency.</summary>
[Cmdlet(
    VerbsDiagnostic.Measure,
    "IoLimit",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Measure-IoLimit"
)]
[OutputType(typeof(LimitResult))]
public sealed class MeasureIoLimitCommand : TestOptionCmdlet<string, IoSize, int, IoAccessPattern>
{
    private static readonly IReadOnlyList<OptionRow> s_columns =
    [
        .. OptionTables.LimitSearch,
        .. OptionTables.ColumnsOf(OptionTables.LimitTest),
    ];

    /// <summary>Files, or folders for a file iobench.dat; a search for each.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [Parameter(Position = 0, ParameterSetName = "InputObject")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Parameter(ParameterSetName = "InputObject")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Through the pipeline: paths, rows of a table whose columns are settings, specifications, workloads, and results, whose tests are searched with.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>The limit, in milliseconds.</summary>
    [Parameter(Mandatory = true, Position = 1)]
    [Alias("LimitMs")]
    [ValidateRange(0.001, 60000.0)]
    public double MaxLatencyMs { get; set; }

    /// <summary>What must keep it.</summary>
    [Parameter]
    public LatencyStatistic Statistic { get; set; }

    /// <summary>Of a mixed workload: the limit is on its reads or its writes.</summary>
    [Parameter]
    [ValidateSet("Read", "Write")]
    public IoOperation Operation { get; set; }

    /// <summary>Stop when the answer is known to within this percentage.</summary>
    [Parameter]
    [ValidateRange(0.1, 50.0)]
    public double TolerancePercent { get; set; }

    /// <summary>Highest rate to try.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double MaxIops { get; set; }

    /// <summary>Runs at most; default 60.</summary>
    [Parameter]
    [ValidateRange(5, 1000)]
    public int MaxProbes { get; set; }

    /// <summary>To judge whether the file is large enough.</summary>
    [Parameter]
    public IoSize StorageCacheSize { get; set; }

    /// <summary>Use a file that IoBench did not make, without questions.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <summary>Raw devices that may be written although they hold unknown data.</summary>
    [Parameter]
    public string[]? EraseDevice { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        foreach (var input in Inputs(InputObject, Path, LiteralPath, Given))
        {
            if (input.HasOwnSettings)
            {
                Try(input.Subject, () => Search(input));
                continue;
            }
            // What is wrong with the parameters is so for every path: it ends the cmdlet.
            var request = input.ToRequest();
            var plan = LimitPlan.Create(input.Values, request);
            Try(input.Subject, () => Search(plan, input.Subject, request.Suite));
        }
    }

    private OptionValues Given() => GivenOptions.Read(this, [.. OptionTables.LimitSearch, .. OptionTables.LimitTest], columns: s_columns);

    private void Search(TestInput input)
    {
        var request = input.ToRequest();
        Search(LimitPlan.Create(input.Values, request), input.Subject, request.Suite);
    }

    private void Search(LimitPlan plan, string path, SuiteSettings settings)
    {
        var approval = Approve([plan.Test], settings);
        if (
            approval.Tests.Count == 0
            || !ShouldProcess(
                path,
                FormattableString.Invariant(
                    $"search for the highest rate with {plan.Limit}, up to {plan.Options.MaxProbes} runs of {plan.Test.Duration.TotalSeconds} s"
                )
            )
        )
            return;
        List<LimitProbe> probes = [];
        LimitResult? found = null;
        using var journal = BeginJournal();
        try
        {
            found = LimitRunner.Find(
                plan,
                approval,
                new SuiteRunner(new SuiteView(this, "IoBench: searching for the highest rate")) { Sinks = ResultSinks.Of(null, journal) },
                probes.Add,
                Stopped
            );
        }
        catch (OperationCanceledException) when (Stopped.IsCancellationRequested)
        {
            // What was found is said below.
        }
        if (Stopped.IsCancellationRequested)
            ShowStopped(plan.Limit, probes.FindAll(probe => probe.Result.Status == IoResultStatus.Complete));
        CareForFiles(approval, remove: false);
        WriteObject(found);
        if (probes.Count > 0 && probes[^1].Result is { Status: IoResultStatus.Failed } failed)
            throw ResultFailure.OfTest(failed);
    }

    /// <summary>A stopped pipeline takes neither objects nor warnings any more; the host still shows what was found.</summary>
    private void ShowStopped(LatencyLimit limit, List<LimitProbe> probes)
    {
        if (probes.Count > 0)
            Host.UI?.WriteWarningLine(SafeText.Escape(LimitSearch.Describe(limit, probes)));
        Stopped.ThrowIfCancellationRequested();
    }
}
