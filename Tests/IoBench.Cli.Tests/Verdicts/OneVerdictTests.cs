using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Text.Json;
using System.Text.RegularExpressions;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Formats;
using IoBench.Reports;

namespace IoBench.Cli.Tests;

/// <summary>Shows the same results on every surface. All surfaces must show the same verdict.</summary>
public class OneVerdictTests
{
    // Another build starts two processes per set, so it gets fewer sets.
    private static readonly int s_setsPerCase = TestedProgram.IsOtherBuild ? 3 : 20;

    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(40)]
    [InlineData(60)]
    [InlineData(80)]
    [InlineData(100)]
    [InlineData(120)]
    [InlineData(140)]
    [InlineData(160)]
    [InlineData(180)]
    public void Every_surface_shows_the_same_verdict(int from)
    {
        using var folder = new TestFolder();
        for (var seed = from; seed < from + s_setsPerCase; seed++)
        {
            var results = new RandomResultSets(seed).CreateSet();
            var set = RuleSets.Find(seed % 3 == 0 ? "ms-2005" : "flash");
            var verdict = Verdict.Create(results, set);
            var file = folder.GetPath("r.json");
            using (var writer = new StreamWriter(file))
                ResultWriter.Write(writer, results, ResultFormat.Json);
            AssertInCli(verdict, file);
            AssertInRequirement(verdict);
            AssertInReport(verdict);
        }
    }

    // Table, JSON, sentence, and exit code of iobench test.
    private static void AssertInCli(Verdict verdict, string file)
    {
        var exitCode = verdict.Outcome is VerdictOutcome.Missed or VerdictOutcome.NotRated ? 3 : 0;
        var json = Cli.Run("test", file, "--require", verdict.RuleSet.Name, "--format", "json");
        using var rules = JsonDocument.Parse(json.Output);
        Assert.Equal(verdict.Rules.Select(DescribeRule), rules.RootElement.EnumerateArray().Select(DescribeRule));
        Assert.Equal(exitCode, json.ExitCode);
        var table = Cli.Run("test", file, "--require", verdict.RuleSet.Name);
        Assert.Equal(exitCode, table.ExitCode);
        Assert.Equal(
            verdict.Rules.Count(rule => rule.Outcome == RuleOutcome.Fail),
            table.OutputLines.Count(line => line.EndsWith(" MISSED", StringComparison.Ordinal))
        );
        Assert.Equal(
            verdict.Rules.Count(rule => rule.Outcome == RuleOutcome.Pass),
            table.OutputLines.Count(line => line.EndsWith("  kept", StringComparison.Ordinal))
        );
        if (verdict.Rules.Count > 0)
            Assert.Contains(verdict.Sentence, table.ErrorLines);
    }

    // The --require option of a run, and the sentence below its table.
    private static void AssertInRequirement(Verdict verdict)
    {
        var judgement = new Expectations(verdict.RuleSet, null, null).Evaluate(verdict.Results)!;
        Assert.Equal(verdict.FailsRequirement, judgement.IsMissed);
        Assert.Equal(verdict.Missed, judgement.Missed);
        if (verdict.RuleSet.Name == "flash" && verdict.Outcome != VerdictOutcome.NotRated)
            Assert.True(
                SuiteSummary.CreateSentences(verdict.Results).Any(line => line.StartsWith(verdict.Sentence, StringComparison.Ordinal))
                    || SuiteSummary
                        .CreateSentences(verdict.Results)
                        .Any(line => line.Contains("outstanding reach", StringComparison.Ordinal))
            );
    }

    // Summary of the workbook and of the HTML report: the sentence, and value, limit, basis, and verdict word of each metric.
    private static void AssertInReport(Verdict verdict)
    {
        foreach (var kind in new[] { "r.html", "r.xlsx" })
        {
            using var stream = new MemoryStream();
            Report.Write(stream, kind, verdict.Results, new ReportOptions { RuleSet = verdict.RuleSet.Name });
            var text = kind == "r.html" ? ReadHtml(stream) : ReadWorkbook(stream);
            Assert.Contains(verdict.Sentence, text, StringComparison.Ordinal);
            foreach (var answer in verdict.Answers)
            {
                var word = answer.Severity switch
                {
                    FindingSeverity.Good => "✔ Good",
                    FindingSeverity.Watch => "! Watch",
                    FindingSeverity.Bad => "✘ Bad",
                    FindingSeverity.Unknown => "not rated",
                    _ => "no limit",
                };
                Assert.Contains(
                    $"|{answer.Question.Words}|{answer.FigureText}|{answer.Limit ?? "-"}|{word}|{answer.RuleSet ?? "-"}|",
                    text,
                    StringComparison.Ordinal
                );
                if (answer.Basis is { } basis)
                    Assert.Contains(basis, text, StringComparison.Ordinal);
            }
            Assert.DoesNotContain(
                SummaryMetric.All.Where(question => verdict.Answers.All(answer => answer.Question != question)),
                question => text.Contains($"|{question.Words}|", StringComparison.Ordinal)
            );
        }
    }

    private static string DescribeRule(RuleVerdict rule) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{rule.Workload} {rule.Path} {rule.Metric} {rule.Measured} {rule.Limit} {rule.Outcome} {rule.Reason}"
        );

    private static string DescribeRule(JsonElement rule) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{GetText(rule, "workload")} {GetText(rule, "path")} {GetText(rule, "metric")} {GetNumber(rule, "measured")} {GetNumber(rule, "limit")} {GetText(rule, "outcome")} {GetText(rule, "reason")}"
        );

    private static string? GetText(JsonElement rule, string name) => rule.GetProperty(name).GetString();

    private static double? GetNumber(JsonElement rule, string name) =>
        rule.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetDouble() : null;

    private static string ReadHtml(MemoryStream stream)
    {
        var html = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        return FlattenMarkup(html, "</td>|</th>");
    }

    private static string ReadWorkbook(MemoryStream stream)
    {
        stream.Position = 0;
        using var archive = new ZipArchive(stream, ZipArchiveMode.Read);
        string Part(string name)
        {
            using var reader = new StreamReader(archive.GetEntry(name)!.Open());
            return reader.ReadToEnd();
        }
        var strings = Regex
            .Matches(
                archive.GetEntry("xl/sharedStrings.xml") is null ? "" : Part("xl/sharedStrings.xml"),
                "<si>(.*?)</si>",
                RegexOptions.Singleline
            )
            .Select(match => match.Groups[1].Value)
            .ToList();
        var sheet = Regex.Replace(
            Part("xl/worksheets/sheet1.xml"),
            "<c [^>]*t=\"s\"[^>]*><v>(\\d+)</v></c>",
            match => strings[int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture)] + "</c>"
        );
        return FlattenMarkup(sheet, "</c>|/>");
    }

    // Separates cells by a bar and removes all other markup.
    private static string FlattenMarkup(string markup, string ends) =>
        Regex.Replace(
            WebUtility.HtmlDecode(Regex.Replace(Regex.Replace(Regex.Replace(markup, "<(tr|row)[^>]*>", "|"), ends, "|"), "<[^>]+>", "")),
            "\\|\\s+",
            "|"
        );
}
