using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>Scripts rely on the message ids, so docs/reference/messages.md must list exactly the ids in the code.</summary>
public class MessageIdTests
{
    private static readonly string s_page = File.ReadAllText(Path.Combine(SampleFiles.RepositoryRoot, "docs", "reference", "messages.md"))
        .ReplaceLineEndings("\n");

    [Fact]
    public void Every_message_id_in_the_code_is_documented() => Assert.Empty(GetIdsInCode().Except(GetDocumentedIds()));

    [Fact]
    public void Every_documented_message_id_is_in_the_code() => Assert.Empty(GetDocumentedIds().Except(GetIdsInCode()));

    [Fact]
    public void Every_message_id_has_one_row_with_condition_and_action()
    {
        var rows = GetRows(s_page).ToList();
        Assert.Equal(rows.Select(row => row[0]).Distinct(), rows.Select(row => row[0]));
        Assert.All(rows, row => Assert.True(row.Length == 3 && row.All(cell => cell.Length > 0), string.Join(" | ", row)));
    }

    [Fact]
    public void Warning_ids_are_documented_as_warnings()
    {
        var warnings = GetRows(s_page[..s_page.IndexOf("\n## Errors\n", StringComparison.Ordinal)]).Select(row => row[0]).ToHashSet();
        Assert.Empty(typeof(WarningCodes).GetFields().Select(field => (string)field.GetRawConstantValue()!).Except(warnings));
    }

    private static IEnumerable<string[]> GetRows(string text) =>
        text.Split('\n')
            .Where(line => line.StartsWith("| `IoBench.", StringComparison.Ordinal))
            .Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim().Trim('`')).ToArray());

    private static HashSet<string> GetDocumentedIds() =>
        [.. Regex.Matches(s_page, @"`(IoBench\.\w+)`").Select(match => match.Groups[1].Value)];

    private static HashSet<string> GetIdsInCode()
    {
        var sources = new[] { "Engine", "src", "Public", "Private" }
            .SelectMany(part =>
                Directory.EnumerateFiles(Path.Combine(SampleFiles.RepositoryRoot, part), "*.*", SearchOption.AllDirectories)
            )
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
