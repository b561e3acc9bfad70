using System.Runtime.Versioning;
using System.Text;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class CardTests
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void The_card_says_verdict_figures_and_what_repeats_it()
    {
        var card = Draw(Runs.SqlServerSuite());
        var texts = card.Descendants(s_svg + "text").Select(text => text.Value).ToList();

        Assert.Equal("0 0 1200 630", (string?)card.Attribute("viewBox"));
        Assert.Contains(texts, text => text.StartsWith("Good: a commit waits 0.238 ms", StringComparison.Ordinal));
        Assert.Contains("A commit waits", texts);
        Assert.Contains("0.238 ms", texts);
        Assert.Contains("✔ Good", texts);
        Assert.Contains(texts, text => text.StartsWith(@"First test: iobench run T:\iobench.dat --block 8KB", StringComparison.Ordinal));
        Assert.Contains(texts, text => text.Contains("SQL01, T:", StringComparison.Ordinal));
    }

    [Fact]
    public void What_users_name_is_text_on_the_card()
    {
        var run = Runs.SqlServerSuite()[0];
        (run.Path, run.ComputerName) = ("<script>alert(1)</script>", "a&b\"c");

        Assert.Empty(Draw([run]).Descendants(s_svg + "script"));
    }

    [Fact]
    public void A_result_that_knows_nothing_makes_a_card() => Assert.NotNull(Draw([new IoTestResult()]));

    [Fact]
    public void A_long_verdict_is_cut_at_a_word()
    {
        var lines = CardPicture.Lines(string.Join(' ', Enumerable.Repeat("word", 200)), 20, 400, 3, bold: true);

        Assert.Equal(3, lines.Count);
        Assert.EndsWith("word …", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_renderer_there_is_no_png()
    {
        using var folder = new TemporaryFolder();
        Assert.Null(PngRenderer.FindIn([folder.Path, ""]));
    }

    [RequiresFact("sh")]
    [UnsupportedOSPlatform("windows")]
    public void A_renderer_makes_a_png()
    {
        using var folder = new TemporaryFolder();
        var tool = Path.Combine(folder.Path, "rsvg-convert");
        File.WriteAllText(tool, "#!/bin/sh\nprintf 'picture %s %s' \"$1\" \"$2\" > \"$4\"\n");
        File.SetUnixFileMode(tool, UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.UserWrite);
        using var made = new MemoryStream();

        PngRenderer.FindIn([folder.Path])!.Render("<svg/>", made, 1200, 630);

        Assert.Equal("picture -w 1200", Encoding.ASCII.GetString(made.ToArray()));
    }

    [RequiresFact("sh")]
    [UnsupportedOSPlatform("windows")]
    public void A_renderer_that_fails_says_so_and_names_the_way_out()
    {
        using var folder = new TemporaryFolder();
        var tool = Path.Combine(folder.Path, "rsvg-convert");
        File.WriteAllText(tool, "#!/bin/sh\nexit 7\n");
        File.SetUnixFileMode(tool, UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.UserWrite);

        var error = Assert.Throws<IoBenchException>(() =>
            PngRenderer.FindIn([folder.Path])!.Render("<svg/>", new MemoryStream(), 1200, 630)
        );

        Assert.Equal("IoBench.PictureFailed", error.ErrorId);
        Assert.Contains("code 7", error.Message, StringComparison.Ordinal);
        Assert.Contains(".svg", error.Message, StringComparison.Ordinal);
    }

    private static XElement Draw(List<IoTestResult> results)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "card.svg", results, new());
        return XElement.Parse(Encoding.UTF8.GetString(stream.ToArray()));
    }

    private sealed class TemporaryFolder : IDisposable
    {
        public string Path { get; } = Directory.CreateTempSubdirectory("iobench-card-test-").FullName;

        public void Dispose() => Directory.Delete(Path, true);
    }
}
