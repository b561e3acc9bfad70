using System.Text;
using System.Text.Json.Nodes;

namespace IoBench.Cli.Tests;

/// <summary>On Windows, JSON on standard output is ASCII, because PowerShell decodes it with the code page of the console.</summary>
public class AsciiJsonTests
{
    private const string Label = "größe 日本 😀 \u001b";

    [InProcessFact]
    public void Non_ASCII_characters_are_escaped_and_read_back_equal()
    {
        using var folder = new TestFolder();
        var results = folder.GetPath("results.json");
        Assert.Equal(
            0,
            Cli.Run("import", SampleFiles.GetPath("documents/write-8k-sequential-BN.txt"), "--label", Label, "--output", results).ExitCode
        );
        string[] words = ["import", results, "--format", "json"];
        var (ascii, plain) = (Print(words, jsonIsAscii: true), Print(words, jsonIsAscii: false));
        Assert.True(Ascii.IsValid(ascii));
        Assert.Contains("日本", plain, StringComparison.Ordinal);
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(plain), JsonNode.Parse(ascii)));
    }

    [InProcessFact]
    public void Files_and_other_formats_are_not_escaped()
    {
        using var folder = new TestFolder();
        var results = folder.GetPath("results.json");
        _ = Print(
            ["import", SampleFiles.GetPath("documents/write-8k-sequential-BN.txt"), "--label", Label, "--output", results],
            jsonIsAscii: true
        );
        Assert.Contains("日本", File.ReadAllText(results), StringComparison.Ordinal);
        Assert.Contains("日本", Print(["import", results, "--format", "csv"], jsonIsAscii: true), StringComparison.Ordinal);
    }

    private static string Print(string[] args, bool jsonIsAscii)
    {
        using var output = new StringWriter();
        using var console = new CliConsole(output, new StringWriter(), errorIsTerminal: false, canAsk: false, jsonIsAscii: jsonIsAscii);
        Assert.Equal(0, App.Run(args, console));
        return output.ToString();
    }
}
