using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace IoBench.Application.Tests;

/// <summary>The shape that lets a newcomer find things: arrows between the layers point one way, files and folders stay small.</summary>
public class ShapeTests
{
    private const int MaxLines = 400;
    private const int MaxFiles = 20;
    private const int MaxMethodLines = 60;

    private static readonly string[] s_layers = ["Engine", "Workloads", "Formats", "Analysis", "Reports", "Application", "Cli"];
    private static readonly string[] s_parts = ["Engine", "src", "Public", "Private"];

    [Fact]
    public void A_project_references_only_the_layers_below_it()
    {
        foreach (var project in Production("*.csproj").Where(path => !path.Contains("IoBench.PowerShell", StringComparison.Ordinal)))
        {
            var layer = Array.IndexOf(s_layers, Layer(project));
            Assert.True(layer >= 0, $"{project} is not a layer of docs/architecture.md");
            foreach (var reference in XDocument.Load(project).Descendants("ProjectReference").Select(r => r.Attribute("Include")!.Value))
                Assert.True(Array.IndexOf(s_layers, Layer(reference)) < layer, $"{project} must not know {reference}");
        }
    }

    [Fact]
    public void The_engine_uses_no_package_and_no_other_project()
    {
        var project = XDocument.Load(Path.Combine(Samples.Root, "Engine", "IoBench.Engine.csproj"));
        Assert.Empty(project.Descendants("ProjectReference"));
        Assert.Empty(project.Descendants("PackageReference"));
    }

    [Fact]
    public void No_file_is_long()
        => Assert.DoesNotContain(Production("*.cs"), path => File.ReadLines(path).Count() > MaxLines);

    /// <summary>A member ends with the brace in the column it began in; what a member holds is indented further.</summary>
    [Fact]
    public void No_method_is_long()
    {
        var longest = from path in Production("*.cs")
                      let lines = File.ReadAllLines(path)
                      from length in MemberLengths(lines)
                      where length.Lines > MaxMethodLines
                      select $"{path}:{length.At + 1} has {length.Lines} lines";
        Assert.Empty(longest);
    }

    /// <summary>What is told apart by its id is told apart by the constant that it is thrown with.</summary>
    [Fact]
    public void No_id_of_an_error_is_compared_as_a_text()
        => Assert.DoesNotContain(Production("*.cs").SelectMany(path => File.ReadLines(path).Select(line => (path, line))),
            found => Regex.IsMatch(found.line, """ErrorId\s*(==|!=|is|:)[^,;]*"IoBench\.|^\s*"IoBench\.\w+"( or "IoBench\.\w+")*( when .*)? =>"""));

    [Fact]
    public void No_comment_only_repeats_the_name_beside_it()
        => Assert.Empty(Production("*.cs").SelectMany(path => IdleComments.Find(File.ReadAllLines(path)).Select(found => $"{path}:{found.Line} {found.Text}")));

    [Theory]
    [InlineData("/// <summary>Its name.</summary>", "public const string Name = \"Null\";", true)]
    [InlineData("/// <summary>The <see cref=\"Slots\"/>.</summary>", "[FieldOffset(8)] public IoSlot* Slots;", true)]
    [InlineData("/// <summary>Average latency.</summary>", "public double? AverageLatencyMs { get; set; }", true)]
    [InlineData("/// <summary>Average latency in milliseconds; null when not known.</summary>", "public double? AverageLatencyMs { get; set; }", false)]
    [InlineData("/// <param name=\"target\">The target.</param>", "internal void Open(Dictionary<string, long> sizes, IoTarget target)", true)]
    [InlineData("/// <param name=\"plan\">The tests.</param>", "internal void Open(IReadOnlyList<IoTest> plan)", true)]
    [InlineData("/// <param name=\"size\">Bytes; 0 for a flush.</param>", "internal void Open(long size)", false)]
    public void A_comment_that_only_repeats_the_name_is_known(string comment, string declaration, bool isIdle)
        => Assert.Equal(isIdle, IdleComments.Find(["public sealed class Backend", "{", "    " + comment, "    " + declaration, "}"]).Any());

    [Fact]
    public void No_folder_is_crowded()
        => Assert.DoesNotContain(Production("*.cs").GroupBy(path => Path.GetDirectoryName(path)!), files => files.Count() > MaxFiles);

    /// <summary>Public and Private are folders of one project. The names of cmdlets' classes are part of the ids of their errors, which scripts compare: those stay when a cmdlet moves.</summary>
    [Fact]
    public void Namespaces_follow_folders()
        => Assert.Empty(from path in Production("*.cs")
                        let found = File.ReadLines(path).FirstOrDefault(line => line.StartsWith("namespace ", StringComparison.Ordinal))
                        where found is not null && found != $"namespace {NamespaceOf(path)};"
                        select $"{path}: {found} is to be {NamespaceOf(path)}");

    private static string NamespaceOf(string path)
    {
        var folder = Path.GetRelativePath(Samples.Root, Path.GetDirectoryName(path)!).Replace('\\', '/').Replace("src/", "", StringComparison.Ordinal);
        return Regex.Replace(Regex.Replace(folder, "^Engine", "IoBench.Engine"), "^(Public.*|Private)", "IoBench.PowerShell").Replace('/', '.');
    }

    /// <summary>First line and number of lines of each body of a type's member, nested types' too, from the line before its opening brace to the closing one.</summary>
    private static IEnumerable<(int At, int Lines)> MemberLengths(string[] lines)
    {
        foreach (var member in new[] { "    ", "        " })
            for (var i = 1; i < lines.Length; i++)
            {
                if (lines[i] != member + "{" || Regex.IsMatch(lines[i - 1], @"\b(class|struct|record|interface|enum)\b"))
                    continue;
                var end = Array.FindIndex(lines, i, line => line.StartsWith(member + "}", StringComparison.Ordinal));
                yield return (i - 1, end - i + 2);
            }
    }

    private static string Layer(string project) => Path.GetFileNameWithoutExtension(project.Replace('\\', '/')).Replace("IoBench.", "", StringComparison.Ordinal);

    private static IEnumerable<string> Production(string pattern) => s_parts.SelectMany(part => Sources(Path.Combine(Samples.Root, part), pattern));

    private static IEnumerable<string> Sources(string folder, string pattern) => Directory.EnumerateFiles(folder, pattern, SearchOption.AllDirectories)
        .Select(path => path.Replace('\\', '/'))
        .Where(path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal));
}
