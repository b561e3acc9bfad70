using System.Text.RegularExpressions;

namespace IoBench.Application.Tests;

public partial class LinkTests
{
    private static readonly string[] s_folders = ["docs", "Engine", "src", "Public", "Private"];

    private static IEnumerable<string> Files(string pattern) =>
        s_folders
            .SelectMany(folder =>
                Directory.EnumerateFiles(Path.Combine(SampleFiles.RepositoryRoot, folder), pattern, SearchOption.AllDirectories)
            )
            .Concat(Directory.EnumerateFiles(SampleFiles.RepositoryRoot, pattern))
            .Where(file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal));

    [Fact]
    public void Links_of_the_documentation_lead_to_files()
    {
        var broken = Files("*.md")
            .SelectMany(file =>
                Link()
                    .Matches(File.ReadAllText(file))
                    .Select(match => match.Groups["path"].Value)
                    .Where(path => path.Length > 0 && !path.Contains(':', StringComparison.Ordinal))
                    .Where(path => !Path.Exists(Path.Combine(Path.GetDirectoryName(file)!, path)))
                    .Select(path => $"{Path.GetRelativePath(SampleFiles.RepositoryRoot, file)}: {path}")
            )
            .ToList();
        Assert.True(broken.Count == 0, string.Join("\n", broken));
    }

    [Fact]
    public void Pages_that_texts_of_the_program_name_exist()
    {
        var missing = Files("*.cs")
            .SelectMany(file =>
                Page()
                    .Matches(File.ReadAllText(file))
                    .Select(match => match.Value)
                    .Where(page => !Path.Exists(Path.Combine(SampleFiles.RepositoryRoot, page)))
                    .Select(page => $"{Path.GetFileName(file)}: {page}")
            )
            .ToList();
        Assert.True(missing.Count == 0, string.Join("\n", missing));
    }

    [GeneratedRegex(@"\]\((?<path>[^)#\s]*)(?:#[^)]*)?\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"\bdocs/[\w/-]+\.(?:md|sql|ps1)\b")]
    private static partial Regex Page();
}
