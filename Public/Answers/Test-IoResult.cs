using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Rates results, or the latency that SQL Server observed, against rules.</summary>
[Cmdlet(VerbsDiagnostic.Test, "IoResult", DefaultParameterSetName = "RuleSet", HelpUri = HelpPages.Root + "Test-IoResult")]
[OutputType(typeof(RuleVerdict), typeof(FileVerdict), typeof(VerdictSummary), typeof(bool))]
public sealed class TestIoResultCommand : ResultCmdlet
{
    private List<IoRuleSet> _sets = [];
    private MetricsFile? _metrics;
    private FileStatsInput? _snapshots;
    private OutputFile? _report;

    /// <summary>Results, or snapshots of sys.dm_io_virtual_file_stats: rows of queries or of Get-DbaIoLatency, tables, or CSV
    /// files.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    [Input(InputRule.ResultOrSnapshot)]
    public object[]? InputObject { get; set; }

    /// <summary>Names of rule sets, or JSON files that contain one.</summary>
    [Parameter(Position = 0, ParameterSetName = "RuleSet")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[]? RuleSet { get; set; }

    /// <summary>Kind of storage if no rule set is specified; default: the kind that the host reports, otherwise flash.</summary>
    [Parameter(ParameterSetName = "RuleSet")]
    public StorageClass? Storage { get; set; }

    /// <summary>User-defined rules as hashtables: @{ Workload = 'log-commit'; MaxAverageLatencyMs = 1 }.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Rule")]
    [Input(InputRule.RuleTable)]
    public IoRule[]? Rule { get; set; }

    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>Returns one object for each rule set, with the verdict, its sentence, and the worst test.</summary>
    [Parameter]
    public SwitchParameter Summary { get; set; }

    /// <summary>Returns true or false instead of the verdicts.</summary>
    [Parameter]
    public SwitchParameter Quiet { get; set; }

    /// <summary>File (.prom) for metrics for monitoring. Each call replaces it.</summary>
    [Parameter]
    public string? MetricsPath { get; set; }

    /// <summary>Excel workbook (.xlsx) or HTML report (.html) with the rating of snapshots.</summary>
    [Parameter]
    public string? ReportPath { get; set; }

    /// <summary>Replaces an existing report.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Begin()
    {
        if (Summary && Quiet)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                "-Summary and -Quiet cannot be combined.",
                advice: "Remove one of them."
            );
        if (Rule is not null)
            IoRuleSet.Validate(Rule, "-Rule");
        _sets = Rule is { } own
            ? [new IoRuleSet { Name = "own", Rules = [.. own] }]
            : [.. (RuleSet ?? []).Select(name => IoRuleSet.Find(PathResolver.GetFileOrName(SessionState, name)))];
        _metrics = this.ReserveMetrics(MetricsPath);
        _report = ReportFile.Reserve(ReadParameters(OptionTables.AnalysisReport));
    }

    protected override void Process()
    {
        var items = (InputObject ?? []).Where(item => item is not null).ToLookup(item => DeserializedObject.Unwrap(item) is IoTestResult);
        AddResults([.. items[true].Select(item => (IoTestResult)DeserializedObject.Unwrap(item)!)]);
        if (!items[false].Any())
            return;
        _snapshots ??= new FileStatsInput(SessionState);
        // Rows in a list of the pipeline are one snapshot. Without the pipeline, a list can also hold snapshots.
        foreach (var item in items[false])
            _snapshots.Add(item);
    }

    protected override void End()
    {
        ThroughputDisplay.Units = Units;
        SnapshotAnalysis.CheckRating(_snapshots is { IsEmpty: false }, Results.Count > 0, _metrics is not null, _report is not null);
        if (_snapshots is { IsEmpty: false } snapshots)
        {
            RateSnapshots(snapshots.GetSnapshots());
            return;
        }
        if (_sets.Count == 0)
        {
            var choice = RuleSetChoice.ChooseFor(Results, Storage);
            _sets.Add(choice.Rules);
            this.WriteHostLine($"Storage type: {choice.Words}. Rule set: {choice.Rules.Name}.");
        }
        if (Results.Count > 0)
            _metrics?.WriteResults("test", Results, _sets);
        var verdicts = _sets.ConvertAll(set => Verdict.Create(Results, set));
        // A rule set that applies to none of the results, or to no results, has no rated rules to show.
        foreach (var verdict in verdicts.Where(verdict => !Quiet && !Summary && verdict.Rules.Count == 0))
            WriteWarning(verdict.Sentence);
        if (Quiet)
            // If nothing was rated, the answer is false.
            WriteObject(
                verdicts.TrueForAll(verdict => verdict.Outcome != VerdictOutcome.Fail)
                    && verdicts.Exists(verdict => !verdict.FailsRequirement)
            );
        else if (Summary)
            WriteObject(verdicts.ConvertAll(verdict => verdict.Summary), enumerateCollection: true);
        else
            WriteObject(verdicts.SelectMany(verdict => verdict.Rules), enumerateCollection: true);
    }

    private void RateSnapshots(IReadOnlyList<FileStatsSnapshot> snapshots)
    {
        if (_sets.Count == 0)
            _sets.Add(FileStatsRating.ChooseRules(Storage));
        var ratings = _sets.ConvertAll(set => FileStatsRating.Create(snapshots, set));
        foreach (var warning in ratings[0].Warnings)
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
        if (_report is not null)
            ReportFile.Save(_report, ratings);
        if (Quiet)
        {
            WriteObject(
                ratings.TrueForAll(rating => rating.Outcome != VerdictOutcome.Fail) && ratings.Exists(rating => !rating.FailsRequirement)
            );
            return;
        }
        if (Summary)
        {
            WriteObject(ratings.ConvertAll(rating => rating.Summary), enumerateCollection: true);
            return;
        }
        foreach (var rating in ratings)
            this.WriteHostLine(rating.Sentence);
        WriteObject(ratings.SelectMany(rating => rating.Files), enumerateCollection: true);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _metrics?.Dispose();
            _report?.Dispose();
        }
        base.Dispose(disposing);
    }
}
