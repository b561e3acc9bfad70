using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public sealed class RuleValidatorTests : CreatedFolderTestBase
{
    [Theory]
    [InlineData("""{"rules":[null]}""", "rule 1 is null")]
    [InlineData("""{"rules":null}""", "contains no rules")]
    [InlineData("""{"rules":[]}""", "contains no rules")]
    [InlineData("null", "contains no rules")]
    [InlineData("""{"rules":[{"minIOPS":5},{"kind":"Write"}]}""", "rule 2 (Write) sets no limit")]
    [InlineData("""{"rules":[{"kind":77,"minIOPS":5}]}""", "rule 1 (77) has an unknown kind")]
    [InlineData("""{"rules":[{"workload":"log-*","maxAverageLatencyMs":1e999}]}""", "rule 1 (log-*) has maxAverageLatencyMs Infinity")]
    [InlineData("""{"rules":[{"maxP99Ms":1e300}]}""", "has maxP99Ms 1E+300")]
    [InlineData("""{"rules":[{"minIOPS":-5}]}""", "has minIOPS -5")]
    [InlineData("""{"rules":[{"minMBps":0}]}""", "has minMBps 0")]
    [InlineData("""{"rules":[{"maxLatencyMs":5,"warnFrom":-1}]}""", "has warnFrom -1")]
    [InlineData("""{"rules":[{"maxLatencyMs":5,"criticalFrom":1e999}]}""", "has criticalFrom Infinity")]
    [InlineData("""{"rules":[{"maxLatencyMs":5,"bands":null}]}""", "has the value null for bands")]
    [InlineData("""{"rules":[{"maxLatencyMs":5,"bands":[null]}]}""", "has a band without a name")]
    [InlineData("""{"rules":[{"maxLatencyMs":5,"bands":[{"name":"a","upTo":5},{"name":"b","upTo":1}]}]}""", "not in ascending order")]
    public void Rule_without_a_meaning_is_refused(string json, string message)
    {
        var path = Path.Combine(Folder, "rules.json");
        File.WriteAllText(path, json);
        var error = Assert.Throws<IoBenchException>(() => IoRuleSet.Find(path));
        Assert.Equal(("IoBench.InvalidRuleFile", 2), (error.ErrorId, error.ExitCode));
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Rule_set_without_a_name_has_the_name_of_its_file()
    {
        var path = Path.Combine(Folder, "ours.json");
        File.WriteAllText(path, """{"name":null,"rules":[{"minIOPS":5}]}""");
        Assert.Equal("ours", IoRuleSet.Find(path).Name);
    }

    [Fact]
    public void Built_in_rule_sets_are_valid() => Assert.All(IoRuleSet.All, set => IoRuleSet.Validate(set.Rules, set.Name));

    [Fact]
    public void Impossible_value_makes_the_verdict_not_rated()
    {
        var good = CreateResult();
        var edited = CreateResult();
        edited.AverageLatencyMs = null;
        edited.AddWarning(new IoWarning(WarningCodes.ImpossibleValue, "Impossible values are ignored: AverageLatencyMs -1."));
        var rules = new IoRuleSet { Name = "own", Rules = [new() { MaxAverageLatencyMs = 5 }] };

        var verdict = Verdict.Create([good, edited], rules);
        Assert.Equal(VerdictOutcome.NotRated, verdict.Outcome);
        Assert.True(verdict.FailsRequirement);
        Assert.StartsWith(
            "NOT RATED: the results contain impossible values, which IoBench ignores.",
            verdict.Sentence,
            StringComparison.Ordinal
        );
        Assert.False(Verdict.Create([good], rules).FailsRequirement);
    }

    [Fact]
    public void Verdict_of_no_results_is_not_rated()
    {
        var verdict = Verdict.Create([], IoRuleSet.Find("ms-css"));
        Assert.True(verdict.FailsRequirement);
        Assert.Equal("NOT RATED: the input contains no results.", verdict.Sentence);
    }

    private static IoTestResult CreateResult() =>
        new()
        {
            Status = IoResultStatus.Complete,
            Workload = "log-commit",
            LoadModel = IoLoadModel.Closed,
            TotalOutstanding = 1,
            BlockSizeKB = 8,
            FileSizeMB = 20480,
            DurationSeconds = 30,
            AverageLatencyMs = 1,
        };
}
