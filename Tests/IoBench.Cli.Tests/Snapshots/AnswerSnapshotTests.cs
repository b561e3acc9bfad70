using System.Text;
using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli.Tests;

/// <summary>Everything else that the program prints or writes as JSON.</summary>
public class AnswerSnapshotTests
{
    [SnapshotFact]
    public void Answers_in_JSON_are_as_recorded()
    {
        using var made = new MadeUpFiles();
        var files = new Dictionary<string, string>
        {
            ["rules.json"] = ResultSnapshotTests.Output("rules", "--format", "json"),
            ["rules.md"] = ResultSnapshotTests.Output("rules", "--format", "markdown"),
            ["workloads.json"] = ResultSnapshotTests.Output("workloads", "--format", "json"),
            ["convert-sqlio.json"] = ResultSnapshotTests.Output("convert", made.SqlioLines, "--format", "json"),
            ["convert-diskspd.json"] = ResultSnapshotTests.Output("convert", made.DiskSpdLines, "--format", "json"),
            ["compare.json"] = ResultSnapshotTests.Output("compare", made.After, "--baseline", made.Before, "--format", "json"),
            ["compare-repeat.json"] = ResultSnapshotTests.Output("compare", made.Repeats, "--repeat", "--format", "json"),
            ["test.json"] = ResultSnapshotTests.Output("test", made.Pass, "--require", "flash", "--format", "json"),
            ["test-failed.json"] = ResultSnapshotTests.Output("test", made.Fail, "--require", "flash", "--format", "json"),
            ["saturation.json"] = ResultSnapshotTests.Output("saturation", made.Sweep, "--format", "json"),
            ["history.json"] = ResultSnapshotTests.Output("history", made.History, "--format", "json"),
            ["every-property-rule-verdict.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<RuleVerdict>()]),
            ["every-property-rule-set.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<IoRuleSet>()]),
            ["every-property-comparison.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<ComparisonResult>()]),
            ["every-property-role.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<RoleInterference>()]),
            ["every-property-captured-workload.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<ObservedLatencyComparison>()]),
            ["every-property-repeat.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<RepeatSummary>()]),
            ["every-property-saturation.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<SaturationResult>()]),
            ["every-property-limit.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<LimitResult>()]),
            ["every-property-history.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<HistoryTrend>()]),
            ["every-property-specification.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<IoTestSpecification>()]),
            ["every-property-commit.json"] = AnalysisJson.Serialize(Filled.Of<CommitResult>()),
            ["every-property-errorlog.json"] = AnalysisJson.Serialize(Filled.Of<ErrorLogResult>()),
            ["every-property-workload.json"] = AnalysisJson.SerializeAnalyses([Filled.Of<WorkloadInfo>()]),
            ["every-property-fleet-message.json"] = FleetMessageSerializer.Serialize(Filled.Of<MemberMessage>()),
            ["every-property-fleet-order.json"] = FleetMessageSerializer.Serialize(Filled.Of<ControllerCommand>()),
            ["every-property-check.json"] = Check(),
            ["drill-events.jsonl"] = string.Join(
                '\n',
                Enum.GetValues<DrillEventKind>().Select(kind => AnalysisJson.SerializeEvent(Event(kind)))
            ),
        };
        Snapshot.Match("answers", files.ToDictionary(file => file.Key, file => made.Normalize(ResultSnapshotTests.Rounded(file.Value))));
    }

    private static DrillEvent Event(DrillEventKind kind) => Filled.Of<DrillEvent>() with { Event = kind };

    private static string Check()
    {
        using var stream = new MemoryStream();
        HostCheckReport.Write(stream, Filled.Of<HostCheckReport>());
        return Regex.Replace(Encoding.UTF8.GetString(stream.ToArray()), "(?<=\"version\": \")[^\"]+", "{version}");
    }
}
