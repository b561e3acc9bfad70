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
            var set = IoRuleSet.Find(GetRuleSet(seed));
            var verdict = Verdict.Create(results, set);
            var file = folder.GetPath("r.json");
            using (var writer = new StreamWriter(file))
                ResultWriter.Write(writer, results, ResultFormat.Json);
            AssertInCli(verdict, file);
            AssertInRequirement(verdict);
            AssertInReport(verdict);
        }
    }

    private static string GetRuleSet(int seed) =>
        (seed % 3) switch
        {
            0 => "ms-2005",
            1 => "flash",
            _ => "flash,hard-limits",
        };

    // Table, JSON, sentence, and exit code of iobench test.
    private static void AssertInCli(Verdict verdict, string file)
    {
        var exitCode = verdict.Outcome is VerdictOutcome.Fail or VerdictOutcome.NotRated ? 3 : 0;
        var json = Cli.Run("test", file, "--require", verdict.RuleSet.Name, "--format", "json");
        using var rules = JsonDocument.Parse(json.Output);
        Assert.Equal(verdict.Rules.Select(DescribeRule), rules.RootElement.GetProperty("rules").EnumerateArray().Select(DescribeRule));
        Assert.Equal(verdict.Sentence, rules.RootElement.GetProperty("sentence").GetString());
        Assert.StartsWith(rules.RootElement.GetProperty("verdict").GetString()!, verdict.Sentence, StringComparison.Ordinal);
        Assert.Equal(exitCode, json.ExitCode);
        var table = Cli.Run("test", file, "--require", verdict.RuleSet.Name);
        Assert.Equal(exitCode, table.ExitCode);
        Assert.Equal(
            verdict.Rules.Select(DescribeRow),
            ReadTable([.. table.Output.ReplaceLineEndings("\n").Split('\n', StringSplitOptions.RemoveEmptyEntries)])
        );
        AssertFirstWord(exitCode, verdict.Sentence);
        Assert.Contains(verdict.Sentence, table.ErrorLines);
    }

    private static void AssertFirstWord(int exitCode, string sentence) =>
        Assert.Matches(exitCode == 0 ? "^(PASS|PRELIMINARY PASS) " : "^(FAIL |NOT RATED:)", sentence);

    private static string DescribeRow(RuleVerdict rule) =>
        string.Join(
            '|',
            rule.Workload ?? rule.IOPattern,
            rule.Rule,
            rule.MeasuredText,
            rule.Band,
            rule.RuleSet,
            rule.Outcome == VerdictOutcome.NotRated ? $"not rated: {rule.Reason}" : rule.Word
        );

    // A line with an empty first cell continues the row above.
    private static List<string> ReadTable(IReadOnlyList<string> lines)
    {
        if (lines.Count < 2)
            return [];
        var columns = Regex.Matches(lines[1], "-+").ToList();
        List<string[]> rows = [];
        foreach (var line in lines.Skip(2))
        {
            // Measured is aligned to the right, so two spaces or more separate it from the rule.
            var rule = Regex.Split(Cut(line, columns[1].Index, columns[2].Index + columns[2].Length), " {2,}");
            string[] cells =
            [
                Cut(line, 0, columns[1].Index),
                rule[0],
                rule.ElementAtOrDefault(1) ?? "",
                Cut(line, columns[3].Index, columns[4].Index),
                Cut(line, columns[4].Index, columns[5].Index),
                Cut(line, columns[5].Index, line.Length),
            ];
            if (cells[0].Length > 0)
                rows.Add(cells);
            else
                rows[^1] = [.. rows[^1].Zip(cells, (above, below) => $"{above} {below}".Trim())];
        }
        return rows.ConvertAll(cells => string.Join('|', cells));
    }

    private static string Cut(string line, int from, int to) => from >= line.Length ? "" : line[from..Math.Min(to, line.Length)].Trim();

    // The --require option of a run, and the sentence below its table.
    private static void AssertInRequirement(Verdict verdict)
    {
        var judgement = new Expectations(verdict.RuleSet, null, null).Evaluate(verdict.Results)!;
        Assert.Equal(verdict.FailsRequirement, judgement.IsFailed);
        Assert.Equal([verdict.Sentence], judgement.Lines);
        var defaults = Verdict.Create(verdict.Results, RuleSetChoice.ChooseFor(verdict.Results).Rules);
        if (defaults.Outcome == VerdictOutcome.NotRated)
            return;
        var sentences = SuiteSummary.CreateSentences(verdict.Results).ToList();
        Assert.True(
            sentences.Contains(defaults.Sentence)
                || sentences.Exists(line =>
                    line.Contains("saturation point", StringComparison.Ordinal) || line.Contains("inconclusive", StringComparison.Ordinal)
                )
        );
        Assert.DoesNotContain(defaults.Sentence, SuiteSummary.CreateSentences(verdict.Results, hasRequirement: true));
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
                var mark = (answer.Outcome, answer.Severity) switch
                {
                    (VerdictOutcome.Fail, _) => "✘ ",
                    (_, FindingSeverity.Warning) => "! ",
                    (VerdictOutcome.Pass, _) => "✔ ",
                    _ => "",
                };
                Assert.Contains(
                    $"|{answer.Words}|{answer.FigureText}|{answer.Limit ?? "-"}|{mark}{answer.Word}|{answer.RuleSet ?? "-"}|",
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
            $"{rule.Workload} {rule.Path} {rule.Metric} {rule.Measured} {rule.Limit} {rule.Unit} {rule.Outcome} {rule.Severity} {rule.RuleSet} {rule.Reason}"
        );

    private static string DescribeRule(JsonElement rule) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{GetText(rule, "workload")} {GetText(rule, "path")} {GetText(rule, "metric")} {GetNumber(rule, "measured")} {GetNumber(rule, "limit")} {GetText(rule, "unit")} {GetText(rule, "outcome")} {GetText(rule, "severity")} {GetText(rule, "ruleSet")} {GetText(rule, "reason")}"
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
