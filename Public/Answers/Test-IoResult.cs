using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Judges results by rules.</summary>
[Cmdlet(VerbsDiagnostic.Test, "IoResult", DefaultParameterSetName = "RuleSet", HelpUri = HelpPages.Root + "Test-IoResult")]
[OutputType(typeof(RuleVerdict), typeof(bool))]
public sealed class TestIoResultCommand : ResultCmdlet
{
    private List<IoRuleSet> _sets = [];

    /// <summary>What Invoke-IoTest or Import-IoResult gave.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Names of rule sets, or JSON files with one.</summary>
    [Parameter(Position = 0, ParameterSetName = "RuleSet")]
    [ArgumentCompleter(typeof(RuleSetCompleter))]
    public string[]? RuleSet { get; set; }

    /// <summary>The kind of storage, where no rule set is named; by default what the host says of the disk, else flash.</summary>
    [Parameter(ParameterSetName = "RuleSet")]
    public StorageClass? Storage { get; set; }

    /// <summary>Rules of one's own, as hashtables: @{ Workload = 'log-commit'; MaxAverageLatencyMs = 1 }.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Rule")]
    public IoRule[]? Rule { get; set; }

    /// <summary>Units in which throughput is shown: MiB/s, or MB/s of 10^6 bytes.</summary>
    [Parameter]
    public ThroughputUnits Units { get; set; }

    /// <summary>True or false in place of the verdicts.</summary>
    [Parameter]
    public SwitchParameter Quiet { get; set; }

    /// <inheritdoc/>
    protected override void Begin() =>
        _sets = Rule is { } own
            ? [new IoRuleSet { Name = "own", Rules = [.. own] }]
            : [.. (RuleSet ?? []).Select(name => RuleSets.Find(InputPaths.FileOrName(SessionState, name)))];

    /// <inheritdoc/>
    protected override void Process() => Collect(InputObject);

    /// <inheritdoc/>
    protected override void End()
    {
        Throughput.Units = Units;
        if (_sets.Count == 0)
        {
            var yardstick = StorageYardstick.Of(Results, Storage);
            _sets.Add(yardstick.Rules);
            WriteInformation(SafeText.Escape($"Storage: {yardstick.Words}; rule set {yardstick.Rules.Name}."), ["IoBench"]);
        }
        var verdicts = _sets.ConvertAll(set => Verdict.Of(Results, set));
        // A set that is about none of the results has no verdict to show.
        foreach (var verdict in verdicts.Where(verdict => !Quiet && Results.Count > 0 && verdict.Rules.Count == 0))
            WriteWarning(verdict.Sentence);
        if (Quiet)
            // What was not rated is no proof: nothing rated at all is false.
            WriteObject(
                verdicts.TrueForAll(verdict => verdict.Outcome != VerdictOutcome.Missed)
                    && verdicts.Exists(verdict => !verdict.FailsRequirement)
            );
        else
            WriteObject(verdicts.SelectMany(verdict => verdict.Rules), enumerateCollection: true);
    }
}
