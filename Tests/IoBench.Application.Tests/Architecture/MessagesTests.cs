using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Scripts rely on the message ids, so docs/messages.md must list exactly the ids in the code.</summary>
public class MessagesTests
{
    private static readonly string s_page = File.ReadAllText(Path.Combine(Samples.Root, "docs", "messages.md")).ReplaceLineEndings("\n");

    [Fact]
    public void Every_id_in_the_code_is_documented() => Assert.Empty(IdsInCode().Except(IdsInPage()));

    [Fact]
    public void Every_documented_id_is_in_the_code() => Assert.Empty(IdsInPage().Except(IdsInCode()));

    [Fact]
    public void An_id_has_one_row_that_says_when_and_what_to_do()
    {
        var rows = Rows(s_page).ToList();
        Assert.Equal(rows.Select(row => row[0]).Distinct(), rows.Select(row => row[0]));
        Assert.All(rows, row => Assert.True(row.Length == 3 && row.All(cell => cell.Length > 0), string.Join(" | ", row)));
    }

    [Fact]
    public void Warnings_are_among_warnings()
    {
        var warnings = Rows(s_page[..s_page.IndexOf("\n## Errors\n", StringComparison.Ordinal)]).Select(row => row[0]).ToHashSet();
        Assert.Empty(typeof(WarningCodes).GetFields().Select(field => (string)field.GetRawConstantValue()!).Except(warnings));
    }

    private static IEnumerable<string[]> Rows(string text) =>
        text.Split('\n')
            .Where(line => line.StartsWith("| `IoBench.", StringComparison.Ordinal))
            .Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim().Trim('`')).ToArray());

    private static HashSet<string> IdsInPage() => [.. Regex.Matches(s_page, @"`(IoBench\.\w+)`").Select(match => match.Groups[1].Value)];

    private static HashSet<string> IdsInCode()
    {
        var sources = new[] { "Engine", "src", "Public", "Private" }
            .SelectMany(part => Directory.EnumerateFiles(Path.Combine(Samples.Root, part), "*.*", SearchOption.AllDirectories))
            .Where(path => !Regex.IsMatch(path, @"[/\\](obj|bin)[/\\]"))
            .ToList();
        var code = sources
            .Where(path => path.EndsWith(".cs", StringComparison.Ordinal))
            .SelectMany(path => Regex.Matches(File.ReadAllText(path), @"""(IoBench\.[A-Z]\w+)""").Select(match => match.Groups[1].Value));
        // This script explains why the module cannot be imported. IoBench.Engine is an assembly in it.
        var script = sources
            .Where(path => path.EndsWith(".ps1", StringComparison.Ordinal))
            .SelectMany(path =>
                Regex
                    .Matches(File.ReadAllText(path), @"'IoBench\.(\w+)'|-Id (\w+)")
                    .Select(match => "IoBench." + match.Groups[1].Value + match.Groups[2].Value)
            )
            .Where(id => id != "IoBench.Engine");
        return [.. code, .. script];
    }
}
