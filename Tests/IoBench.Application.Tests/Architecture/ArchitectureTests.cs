using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace IoBench.Application.Tests;

public class ArchitectureTests
{
    private static readonly string[] s_layers = ["Engine", "Workloads", "Formats", "Analysis", "Reports", "Application", "Cli"];
    private static readonly string[] s_parts = ["Engine", "src", "Public", "Private"];

    [Fact]
    public void Projects_reference_only_lower_layers()
    {
        foreach (
            var project in GetProductionFiles("*.csproj").Where(path => !path.Contains("IoBench.PowerShell", StringComparison.Ordinal))
        )
        {
            var layer = Array.IndexOf(s_layers, GetLayer(project));
            Assert.True(layer >= 0, $"{project} is not a layer of docs/dev/architecture.md");
            foreach (var reference in XDocument.Load(project).Descendants("ProjectReference").Select(r => r.Attribute("Include")!.Value))
                Assert.True(Array.IndexOf(s_layers, GetLayer(reference)) < layer, $"{project} must not know {reference}");
        }
    }

    [Fact]
    public void Engine_references_no_package_and_no_project()
    {
        var project = XDocument.Load(Path.Combine(SampleFiles.RepositoryRoot, "Engine", "IoBench.Engine.csproj"));
        Assert.Empty(project.Descendants("ProjectReference"));
        Assert.Empty(project.Descendants("PackageReference"));
    }

    [Fact]
    public void Error_ids_are_compared_by_constant() =>
        Assert.DoesNotContain(
            GetProductionFiles("*.cs").SelectMany(path => File.ReadLines(path).Select(line => (path, line))),
            found =>
                Regex.IsMatch(
                    found.line,
                    """ErrorId\s*(==|!=|is|:)[^,;]*"IoBench\.|^\s*"IoBench\.\w+"( or "IoBench\.\w+")*( when .*)? =>"""
                )
        );

    [Fact]
    public void Internals_are_visible_to_tests_only() =>
        Assert.Empty(
            from project in GetProductionFiles("*.csproj")
            from friend in XDocument.Load(project).Descendants("InternalsVisibleTo").Select(e => e.Attribute("Include")!.Value)
            where !friend.EndsWith(".Tests", StringComparison.Ordinal) && friend != "IoBench.Benchmarks"
            select $"{Path.GetFileNameWithoutExtension(project)} to {friend}"
        );

    [Fact]
    public void Comments_do_not_only_repeat_the_name() =>
        Assert.Empty(
            GetProductionFiles("*.cs")
                .SelectMany(path =>
                    RedundantComments.FindComments(File.ReadAllLines(path)).Select(found => $"{path}:{found.Line} {found.Text}")
                )
        );

    [Theory]
    [InlineData("/// <summary>Its name.</summary>", "public const string Name = \"Null\";", true)]
    [InlineData("/// <summary>The <see cref=\"Slots\"/>.</summary>", "[FieldOffset(8)] public IoSlot* Slots;", true)]
    [InlineData("/// <summary>Average latency.</summary>", "public double? AverageLatencyMs { get; set; }", true)]
    [InlineData(
        "/// <summary>Average latency in milliseconds; null when not known.</summary>",
        "public double? AverageLatencyMs { get; set; }",
        false
    )]
    [InlineData(
        "/// <param name=\"target\">The target.</param>",
        "internal void Open(Dictionary<string, long> sizes, IoTarget target)",
        true
    )]
    [InlineData("/// <param name=\"plan\">The tests.</param>", "internal void Open(IReadOnlyList<IoTest> plan)", true)]
    [InlineData("/// <param name=\"size\">Bytes; 0 for a flush.</param>", "internal void Open(long size)", false)]
    public void RedundantComments_finds_comments_that_only_repeat_the_name(string comment, string declaration, bool isIdle) =>
        Assert.Equal(
            isIdle,
            RedundantComments.FindComments(["public sealed class Backend", "{", "    " + comment, "    " + declaration, "}"]).Any()
        );

    /// <summary>
    /// Public and Private are folders of one project. Class names of cmdlets are part of the error ids that scripts compare, so they must
    /// not change when a cmdlet moves.
    /// </summary>
    [Fact]
    public void Namespaces_match_projects() =>
        Assert.Empty(
            from path in GetProductionFiles("*.cs")
            let found = File.ReadLines(path).FirstOrDefault(line => line.StartsWith("namespace ", StringComparison.Ordinal))
            where found is not null && found != $"namespace {GetExpectedNamespace(path)};"
            select $"{path}: {found} is to be {GetExpectedNamespace(path)}"
        );

    /// <summary>
    /// A newcomer can ignore the formats of other tools. Only the list of formats, the conversion of command lines, and the warnings about
    /// results of different tools name their types.
    /// </summary>
    [Fact]
    public void OtherTools_are_named_only_where_they_are_registered()
    {
        string[] allowed = ["ResultFormats.cs", "CommandLineReader.cs", "Comparability.cs"];
        var files = GetProductionFiles("*.cs").ToLookup(path => path.Contains("/OtherTools/", StringComparison.Ordinal));
        var types = files[true]
            .SelectMany(File.ReadLines)
            .Select(line =>
                Regex.Match(
                    line,
                    @"^(?:(?:public|internal|static|sealed|partial|readonly) )*(?:class|record struct|record|struct|enum) (\w+)"
                )
            )
            .Where(match => match.Success)
            .Select(match => match.Groups[1].Value)
            .ToList();
        Assert.NotEmpty(types);
        var name = new Regex($@"\b({string.Join('|', types)})\b");
        Assert.Empty(
            from path in files[false]
            where !allowed.Contains(Path.GetFileName(path))
            from line in File.ReadLines(path)
            where !line.TrimStart().StartsWith("//", StringComparison.Ordinal) && name.IsMatch(line)
            select $"{path}: {line.Trim()}"
        );
    }

    private static string GetExpectedNamespace(string path)
    {
        var folders = Path.GetRelativePath(SampleFiles.RepositoryRoot, path).Replace('\\', '/').Split('/');
        return folders[0] switch
        {
            "Engine" => "IoBench.Engine",
            "Public" or "Private" => "IoBench.PowerShell",
            _ => folders[1],
        };
    }

    private static string GetLayer(string project) =>
        Path.GetFileNameWithoutExtension(project.Replace('\\', '/')).Replace("IoBench.", "", StringComparison.Ordinal);

    private static IEnumerable<string> GetProductionFiles(string pattern) =>
        s_parts.SelectMany(part => GetSourceFiles(Path.Combine(SampleFiles.RepositoryRoot, part), pattern));

    private static IEnumerable<string> GetSourceFiles(string folder, string pattern) =>
        Directory
            .EnumerateFiles(folder, pattern, SearchOption.AllDirectories)
            .Select(path => path.Replace('\\', '/'))
            .Where(path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal));
}
