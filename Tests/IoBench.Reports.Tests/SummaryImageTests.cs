using System.Runtime.Versioning;
using System.Text;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class SummaryImageTests
{
    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    [Fact]
    public void Image_shows_verdict_values_and_repeat_command()
    {
        var card = DrawImage(ReportSamples.CreateSqlServerSuite());
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
    public void Image_escapes_user_text()
    {
        var run = ReportSamples.CreateSqlServerSuite()[0];
        (run.Path, run.ComputerName) = ("<script>alert(1)</script>", "a&b\"c");

        Assert.Empty(DrawImage([run]).Descendants(s_svg + "script"));
    }

    [Fact]
    public void Image_can_be_drawn_for_an_empty_result() => Assert.NotNull(DrawImage([new IoTestResult()]));

    [Fact]
    public void Long_verdict_is_truncated_at_a_word()
    {
        var lines = SummaryImage.WrapText(string.Join(' ', Enumerable.Repeat("word", 200)), 20, 400, 3, bold: true);

        Assert.Equal(3, lines.Count);
        Assert.EndsWith("word …", lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Renderer_is_null_when_none_is_installed()
    {
        using var folder = new TemporaryFolder();
        Assert.Null(PngRenderer.FindIn([folder.Path, ""]));
    }

    [RequiresFact("sh")]
    [UnsupportedOSPlatform("windows")]
    public void Renderer_output_becomes_the_PNG()
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
    public void Failed_renderer_is_an_error_that_suggests_SVG()
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

    private static XElement DrawImage(List<IoTestResult> results)
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
