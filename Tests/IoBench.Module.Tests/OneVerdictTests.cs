using System.Globalization;
using IoBench.Analysis;
using IoBench.Formats;

namespace IoBench.Module.Tests;

/// <summary>
/// The 200 generated sets of results that go through table, JSON, summary, HTML report, requirement, and exit code of the program also go
/// through the cmdlet. All are compared with the same <see cref="Verdict"/>.
/// </summary>
public sealed class OneVerdictTests : TemporaryFolderTestBase
{
    private const int Sets = 200;

    [PowerShellFact]
    public void Cmdlet_shows_the_same_verdict_as_every_other_surface()
    {
        Directory.CreateDirectory(Folder);
        List<string> expected = [];
        for (var seed = 0; seed < Sets; seed++)
        {
            var results = new RandomResultSets(seed).CreateSet();
            using (var writer = new StreamWriter(Path.Combine(Folder, $"{seed}.json")))
                ResultWriter.Write(writer, results, ResultFormat.Json);
            var verdict = Verdict.Create(results, IoRuleSet.Find(RuleSetOf(seed)));
            expected.AddRange(verdict.Rules.Select(rule => $"{seed} {DescribeRule(rule)}"));
            expected.Add($"{seed} {(verdict.FailsRequirement ? "no" : "yes")}");
        }
        Assert.Equal(expected, Judged(Folder));
    }

    private static string RuleSetOf(int seed) =>
        (seed % 3) switch
        {
            0 => "ms-2005",
            1 => "flash",
            _ => "flash,hard-limits",
        };

    private static string DescribeRule(RuleVerdict rule) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{rule.RuleSet}|{rule.Workload}|{rule.Path}|{rule.Metric}|{rule.Measured}|{rule.Limit}|{rule.Unit}|{rule.Word}|{rule.MeasuredText}|{rule.Outcome}|{rule.Band}|{rule.Reason}|{rule.Severity}"
        );

    private static string[] Judged(string folder)
    {
        // Figures as .NET writes them in every culture.
        var script = $$"""
            Import-Module '{{Path.Combine(SampleFiles.RepositoryRoot, "IoBench.psd1")}}' -ErrorAction Stop
            foreach ($seed in 0..{{Sets - 1}}) {
                $results = @(Import-IoResult "{{folder}}/$seed.json")
                $set = @('ms-2005', 'flash', 'flash,hard-limits')[$seed % 3]
                foreach ($rule in $results | Test-IoResult $set -WarningAction Ignore) {
                    [string]::Format([cultureinfo]::InvariantCulture, '{0} {1}|{2}|{3}|{4}|{5}|{6}|{7}|{8}|{9}|{10}|{11}|{12}|{13}', $seed, $rule.RuleSet, $rule.Workload, $rule.Path, $rule.Metric,
                        $rule.Measured, $rule.Limit, $rule.Unit, $rule.Word, $rule.MeasuredText, $rule.Outcome, $rule.Band, $rule.Reason, $rule.Severity)
                }
                "$seed $(($results | Test-IoResult $set -Quiet) ? 'yes' : 'no')"
            }
            """;
        var file = Path.Combine(folder, "judge.ps1");
        File.WriteAllText(file, script);
        var run = TestPowerShell.Run(folder, "-File", file);
        Assert.True(run.ExitCode == 0, run.Output);
        return run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
    }
}
