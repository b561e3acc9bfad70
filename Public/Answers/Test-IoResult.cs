using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Rates results against rules.</summary>
[Cmdlet(VerbsDiagnostic.Test, "IoResult", DefaultParameterSetName = "RuleSet", HelpUri = HelpPages.Root + "Test-IoResult")]
[OutputType(typeof(RuleVerdict), typeof(VerdictSummary), typeof(bool))]
public sealed class TestIoResultCommand : ResultCmdlet
{
    private List<IoRuleSet> _sets = [];
    private MetricsFile? _metrics;

    [Parameter(Mandatory = true, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Names of rule sets, or JSON files that contain one.</summary>
    [Parameter(Position = 0, ParameterSetName = "RuleSet")]
    [ArgumentCompleter(typeof(RuleSetCompleter))]
    public string[]? RuleSet { get; set; }

    /// <summary>Kind of storage if no rule set is specified; default: the kind that the host reports, otherwise flash.</summary>
    [Parameter(ParameterSetName = "RuleSet")]
    public StorageClass? Storage { get; set; }

    /// <summary>User-defined rules as hashtables: @{ Workload = 'log-commit'; MaxAverageLatencyMs = 1 }.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Rule")]
    [RuleTable]
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

    protected override void Begin()
    {
        if (Summary && Quiet)
            throw IoBenchException.Usage(
                "IoBench.ConflictingOptions",
                "-Summary and -Quiet cannot be combined.",
                advice: "Remove one of them."
            );
        if (Rule is not null)
            RuleValidator.Validate(Rule, "-Rule");
        _sets = Rule is { } own
            ? [new IoRuleSet { Name = "own", Rules = [.. own] }]
            : [.. (RuleSet ?? []).Select(name => RuleSets.Find(PathResolver.GetFileOrName(SessionState, name)))];
        _metrics = this.ReserveMetrics(MetricsPath);
    }

    protected override void Process() => AddResults(InputObject);

    protected override void End()
    {
        ThroughputDisplay.Units = Units;
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

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _metrics?.Dispose();
        base.Dispose(disposing);
    }
}
