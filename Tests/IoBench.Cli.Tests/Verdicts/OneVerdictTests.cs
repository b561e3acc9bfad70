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
    private static readonly int s_setsOfATheory = TestedProgram.IsOther ? 3 : 20;

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
        for (var seed = from; seed < from + s_setsOfATheory; seed++)
        {
            var results = new MadeUpResults(seed).Set();
            var set = RuleSets.Find(seed % 3 == 0 ? "ms-2005" : "flash");
            var verdict = Verdict.Of(results, set);
            var file = folder.File("r.json");
            using (var writer = new StreamWriter(file))
                ResultWriter.Write(writer, results, ResultFormat.Json);
            IsInTheProgram(verdict, file);
            IsInTheRequirement(verdict);
            IsInTheReport(verdict);
        }
    }

    // Table, JSON, sentence, and exit code of iobench test.
    private static void IsInTheProgram(Verdict verdict, string file)
    {
        var exitCode = verdict.Outcome is VerdictOutcome.Missed or VerdictOutcome.NotRated ? 3 : 0;
        var json = Cli.Run("test", file, "--require", verdict.RuleSet.Name, "--format", "json");
        using var rules = JsonDocument.Parse(json.Output);
        Assert.Equal(verdict.Rules.Select(Line), rules.RootElement.EnumerateArray().Select(Line));
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
    private static void IsInTheRequirement(Verdict verdict)
    {
        var judgement = new Expectations(verdict.RuleSet, null, null).Judge(verdict.Results)!;
        Assert.Equal(verdict.FailsRequirement, judgement.IsMissed);
        Assert.Equal(verdict.Missed, judgement.Missed);
        if (verdict.RuleSet.Name == "flash" && verdict.Outcome != VerdictOutcome.NotRated)
            Assert.True(
                SuiteVerdict.Of(verdict.Results).Any(line => line.StartsWith(verdict.Sentence, StringComparison.Ordinal))
                    || SuiteVerdict.Of(verdict.Results).Any(line => line.Contains("outstanding reach", StringComparison.Ordinal))
            );
    }

    // Summary of the workbook and of the HTML report: the sentence, and value, limit, basis, and verdict word of each metric.
    private static void IsInTheReport(Verdict verdict)
    {
        foreach (var kind in new[] { "r.html", "r.xlsx" })
        {
            using var stream = new MemoryStream();
            Report.Write(stream, kind, verdict.Results, new ReportOptions { RuleSet = verdict.RuleSet.Name });
            var text = kind == "r.html" ? Page(stream) : Workbook(stream);
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
                VerdictQuestion.All.Where(question => verdict.Answers.All(answer => answer.Question != question)),
                question => text.Contains($"|{question.Words}|", StringComparison.Ordinal)
            );
        }
    }

    private static string Line(RuleVerdict rule) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{rule.Workload} {rule.Path} {rule.Metric} {rule.Measured} {rule.Limit} {rule.Outcome} {rule.Reason}"
        );

    private static string Line(JsonElement rule) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Text(rule, "workload")} {Text(rule, "path")} {Text(rule, "metric")} {Number(rule, "measured")} {Number(rule, "limit")} {Text(rule, "outcome")} {Text(rule, "reason")}"
        );

    private static string? Text(JsonElement rule, string name) => rule.GetProperty(name).GetString();

    private static double? Number(JsonElement rule, string name) =>
        rule.GetProperty(name) is { ValueKind: JsonValueKind.Number } number ? number.GetDouble() : null;

    private static string Page(MemoryStream stream)
    {
        var html = System.Text.Encoding.UTF8.GetString(stream.ToArray());
        return Flat(html, "</td>|</th>");
    }

    private static string Workbook(MemoryStream stream)
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
        return Flat(sheet, "</c>|/>");
    }

    // Separates cells by a bar and removes all other markup.
    private static string Flat(string markup, string ends) =>
        Regex.Replace(
            WebUtility.HtmlDecode(Regex.Replace(Regex.Replace(Regex.Replace(markup, "<(tr|row)[^>]*>", "|"), ends, "|"), "<[^>]+>", "")),
            "\\|\\s+",
            "|"
        );
}
