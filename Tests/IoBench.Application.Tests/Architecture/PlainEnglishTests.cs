using System.Text.RegularExpressions;

namespace IoBench.Application.Tests;

/// <summary>Texts for users use the terms of the field. The list has terms that earlier texts used instead.</summary>
public partial class PlainEnglishTests
{
    // Each entry is a part of an allowed line, with the reason.
    private static readonly (string Part, string Reason)[] s_allowed =
    [
        ("Quoted figures: logs 1 to 5 ms", "the title of a source"),
        ("sparse files lie beside the data files", "a fact about SQL Server files"),
        ("waits 60 seconds between tests", "IoBench really waits"),
        ("there is no ", "natural English for a missing thing"),
        ("There is no ", "natural English for a missing thing"),
        ("there are no ", "natural English for a missing thing"),
        ("null if there are none", "natural English for a missing thing"),
        ("{kept", "the name of a variable"),
        ("{figure}", "the name of a variable"),
        ("(figures)", "the name of a variable"),
        ("figures.Where(figure", "the name of a variable"),
        ("{Figure(", "the name of a method"),
        ("buffering is None", "the value None"),
        ("There are no ", "natural English for a missing thing"),
        ("Equal times are no proof", "a negation of 'proof'"),
        ("it is no write of IoBench", "a negation of 'a write'"),
    ];

    [Fact]
    public void Documentation_has_no_term_of_the_old_dialect()
    {
        var root = SampleFiles.RepositoryRoot;
        var files = Directory
            .EnumerateFiles(Path.Combine(root, "docs"), "*.md", SearchOption.AllDirectories)
            .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}dev{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .Append(Path.Combine(root, "README.md"))
            .Append(Path.Combine(root, "SECURITY.md"))
            .Append(Path.Combine(root, "CHANGELOG.md"));
        Assert.Equal("", string.Join("\n", files.SelectMany(FindInDocument)));
    }

    [Fact]
    public void Strings_have_no_term_of_the_old_dialect()
    {
        var files = new[] { "Engine", "src", "Public", "Private" }
            .SelectMany(folder =>
                Directory.EnumerateFiles(Path.Combine(SampleFiles.RepositoryRoot, folder), "*.*", SearchOption.AllDirectories)
            )
            .Where(file => Path.GetExtension(file) is ".cs" or ".json" && !Regex.IsMatch(file, @"[/\\](obj|bin)[/\\]"));
        Assert.Equal("", string.Join("\n", files.SelectMany(FindInStrings)));
    }

    private static IEnumerable<string> FindInDocument(string file)
    {
        var isCode = false;
        var number = 0;
        foreach (var line in File.ReadLines(file))
        {
            number++;
            if (line.StartsWith("```", StringComparison.Ordinal))
                isCode = !isCode;
            if (!isCode && Find(CodeSpan().Replace(line, "")) is { } term)
                yield return $"{Path.GetFileName(file)} line {number}: '{term}' in: {line}";
        }
    }

    private static IEnumerable<string> FindInStrings(string file)
    {
        var number = 0;
        foreach (var line in File.ReadLines(file))
        {
            number++;
            if (line.AsSpan().TrimStart().StartsWith("//", StringComparison.Ordinal))
                continue;
            foreach (Match literal in Literal().Matches(line))
                if (literal.Value.Split(' ').Length >= 3 && Find(literal.Value) is { } term)
                    yield return $"{Path.GetFileName(file)} line {number}: '{term}' in: {line.Trim()}";
        }
    }

    private static string? Find(string text) =>
        Term().Match(text) is { Success: true } match
        && !Array.Exists(s_allowed, entry => text.Contains(entry.Part, StringComparison.Ordinal))
            ? match.Value
            : null;

    [GeneratedRegex("`[^`]*`")]
    private static partial Regex CodeSpan();

    [GeneratedRegex(@"""((?:[^""\\]|\\.)*)""")]
    private static partial Regex Literal();

    [GeneratedRegex(
        @"(?<!well-)\bkept\b(?! (?:as evidence|for the next run|in sync))|\bkeeps? (?:its word|average|p99|this rate|the limit)\b"
            + @"|\b(?:is|are|was|were) (?:told|said)\b|\bquick look|\bown load\b|\bforeign\b|\banew\b|\bso many\b|\bin place of\b"
            + @"|\bis no (?!longer)|\bare no \b|\bis none\b|\bare none\b|\bsomebody\b|\bnobody\b|\bbeside\b|\bwaits? (?:0|\d|for its|instead)"
            + @"|\b(?:a commit|a page read|an i/o) waits\b|\blies? (?:on|in|under|there)\b|\bstands? (?:on|in|there|beside)\b|\bat one moment\b"
            + @"|\bhouse rule\b|\byardstick|\bfigures?\b(?! \d)|\bbought\b|\bat a guessed\b|\bone answer\b|\bmended?\b|\bhearsay\b|\bblanks\b",
        RegexOptions.IgnoreCase
    )]
    private static partial Regex Term();
}
