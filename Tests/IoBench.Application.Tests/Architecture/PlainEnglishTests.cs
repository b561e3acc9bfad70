using System.Text.RegularExpressions;

namespace IoBench.Application.Tests;

/// <summary>Texts for users use the terms of the field. The list has terms that earlier texts used instead, and British spellings.</summary>
public partial class PlainEnglishTests
{
    /// <summary>Each entry is a part of a text in which a term is allowed, with the reason. The rest of the text must have no term.</summary>
    private static readonly (string Part, string Reason)[] s_allowed =
    [
        ("Quoted figures: logs 1 to 5 ms", "the title of a source"),
        ("sparse files lie beside the data files", "a fact about SQL Server files"),
        ("waits 60 seconds between tests", "IoBench really waits"),
        ("waits 4.5 s for the save", "IoBench really waits"),
        ("there is no ", "natural English for a missing thing"),
        ("there are no ", "natural English for a missing thing"),
        ("null if there are none", "natural English for a missing thing"),
        ("{kept", "the name of a variable"),
        ("{figure}", "the name of a variable"),
        ("(figures)", "the name of a variable"),
        ("figures.Where(figure => figure is not null)", "the name of a variable"),
        ("{Figure(", "the name of a method"),
        ("buffering is None", "the value None"),
        ("Complete, Cancelled, Failed", "values of Status in the order of the enum"),
        ("status Cancelled", "the value of Status"),
    ];

    [Fact]
    public void Allow_list_is_short_and_has_reasons()
    {
        Assert.InRange(s_allowed.Length, 0, 20);
        Assert.All(s_allowed, entry => Assert.NotEqual("", entry.Reason));
    }

    [Theory]
    [InlineData("No rule was missed, so the limit is kept.", "kept")]
    [InlineData("There is no cache of this colour.", "colour")]
    [InlineData("There is no cache.", null)]
    public void Terms_are_found_outside_the_allowed_parts(string text, string? term) => Assert.Equal(term, Find(text));

    [Fact]
    public void Documentation_has_no_term_of_the_old_dialect()
    {
        var root = SampleFiles.RepositoryRoot;
        var files = Directory
            .EnumerateFiles(Path.Combine(root, "docs"), "*.md", SearchOption.AllDirectories)
            .Concat(Directory.EnumerateFiles(root, "*.md"))
            .Concat(Directory.EnumerateFiles(Path.Combine(root, "en-US"), "about_*.help.txt"))
            .ToList();
        foreach (
            var name in new[] { "README.md", "windows-tests.md", "Invoke-IoTest.md", "about_IoBench.md", "about_IoBench_Messages.help.txt" }
        )
            Assert.Contains(files, file => Path.GetFileName(file) == name);
        Assert.Equal("", string.Join("\n", files.SelectMany(FindInDocument)));
    }

    [Fact]
    public void Strings_have_no_term_of_the_old_dialect()
    {
        var files = new[] { "Engine", "src", "Public", "Private" }
            .SelectMany(folder =>
                Directory.EnumerateFiles(Path.Combine(SampleFiles.RepositoryRoot, folder), "*.*", SearchOption.AllDirectories)
            )
            .Where(file =>
                Path.GetExtension(file) is ".cs" or ".json" or ".ps1" or ".psm1" or ".psd1" && !Regex.IsMatch(file, @"[/\\](obj|bin)[/\\]")
            )
            .Append(Path.Combine(SampleFiles.RepositoryRoot, "IoBench.psd1"))
            .ToList();
        foreach (var name in new[] { "workloads.json", "rule-sets.json" })
            Assert.Contains(files, file => Path.GetFileName(file) == name);
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
        var isScript = Path.GetExtension(file) is ".ps1" or ".psm1" or ".psd1";
        var isRaw = false;
        var number = 0;
        foreach (var line in File.ReadLines(file))
        {
            number++;
            if (line.AsSpan().TrimStart().StartsWith(isScript ? "#" : "//", StringComparison.Ordinal))
                continue;
            if (Regex.Count(line, "\"\"\"") % 2 == 1)
            {
                isRaw = !isRaw;
                continue;
            }
            var texts = isRaw ? [line] : (isScript ? ScriptLiteral() : Literal()).Matches(line).Select(match => match.Value);
            foreach (var text in texts)
                if (text.Split(' ').Length >= 3 && Find(text) is { } term)
                    yield return $"{Path.GetFileName(file)} line {number}: '{term}' in: {line.Trim()}";
        }
    }

    private static string? Find(string text)
    {
        foreach (var (part, _) in s_allowed)
            text = text.Replace(part, "", StringComparison.OrdinalIgnoreCase);
        return Term().Match(text) is { Success: true } match ? match.Value
            : BritishSpelling().Match(text) is { Success: true } spelling ? spelling.Value
            : null;
    }

    [GeneratedRegex("`[^`]*`")]
    private static partial Regex CodeSpan();

    [GeneratedRegex(@"""((?:[^""\\]|\\.)*)""")]
    private static partial Regex Literal();

    [GeneratedRegex(@"""(?:[^""`]|`.)*""|'(?:[^']|'')*'")]
    private static partial Regex ScriptLiteral();

    [GeneratedRegex(
        @"(?<!well-)\bkept\b(?! (?:as evidence|for the next run|in sync))|\bkeeps? (?:its word|average|p99|this rate|the limit)\b"
            + @"|\b(?:is|are|was|were) (?:told|said)\b|\bquick look|\bown load\b|\bforeign\b|\banew\b|\bso many\b|\bin place of\b"
            + @"|\bis no (?!longer)|\bare no \b|\bis none\b|\bare none\b|\bsomebody\b|\bnobody\b|\bbeside\b|\bwaits? (?:0|\d|for its|instead)"
            + @"|\b(?:a commit|a page read|an i/o) waits\b|\blies? (?:on|in|under|there)\b|\bstands? (?:on|in|there|beside|still)\b"
            + @"|\bat one moment\b|\bhouse rule\b|\byardstick|\bfigures?\b(?! \d)|\bbought\b|\bat a guessed\b|\bone answer\b|\bmended?\b"
            + @"|\bhearsay\b|\bblanks\b|\brests? on\b|\btoo close to\b|\bwithin the noise\b|\bcould have been seen\b|\bstood still\b"
            + @"|\bworking load\b|\basked for\b|\bin the care of\b|\bma(?:ke|de) longer\b|\bbroke off\b|\bpromised to survive\b"
            + @"|\bexclude each other\b|\bgoes with\b|\bnight jobs?\b|\blongest stall\b|\breckoned\b|\b(?:says|say|said) so\b|\btold apart\b"
            + @"|\bthe fronts?\b|\bin flight\b|\bjudged?\b",
        RegexOptions.IgnoreCase
    )]
    private static partial Regex Term();

    [GeneratedRegex(
        @"\bbehaviours?\b|\bcolou(?:r|rs|red)\b|\bcentres?\b|\bgrey\b|\bcatalogues?\b|\bcancell(?:ed|ing)\b|\bmodell(?:ed|ing)\b|\bneighbours?\b"
            + @"|\blabell(?:ed|ing)\b|\blicences?\b|\bwhilst\b|\banalys(?:e|ed|ing)\b"
            + @"|\b(?:recogni|synchroni|initiali|optimi|summari|normali|seriali|organi|minimi|maximi|utili)s(?:e|es|ed|ing|ation)\b",
        RegexOptions.IgnoreCase
    )]
    private static partial Regex BritishSpelling();
}
