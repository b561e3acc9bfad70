using IoBench.Engine;

namespace IoBench.Reports.Tests;

[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresToolFactAttribute : FactAttribute
{
    public RequiresToolFactAttribute(string tool)
    {
        if (OperatingSystem.IsWindows() || ProgramFinder.FindOnPath(tool) is null)
            Skip = $"needs {tool}";
    }
}

public class RendererTests(Xunit.Abstractions.ITestOutputHelper output)
{
    [RequiresToolFact("rsvg-convert")]
    public void Rsvg_renders_the_summary_image() => RenderSummaryImage("rsvg-convert");

    [RequiresToolFact("inkscape")]
    public void Inkscape_renders_the_summary_image() => RenderSummaryImage("inkscape");

    [RequiresToolFact("chromium")]
    public void Chromium_renders_the_summary_image() => RenderSummaryImage("chromium");

    [RequiresToolFact("soffice")]
    public void LibreOffice_renders_the_summary_image_or_reports_the_reason()
    {
        try
        {
            RenderSummaryImage("soffice");
        }
        catch (IoBenchException exception)
        {
            // Without LibreOffice Draw, soffice cannot read SVG.
            Assert.Equal("IoBench.PictureFailed", exception.ErrorId);
            Assert.Contains("could not be loaded", exception.Message, StringComparison.Ordinal);
            Assert.Contains("End the name in .svg instead.", exception.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>Renders the summary image with only this tool in the search path, and checks its size.</summary>
    private void RenderSummaryImage(string name)
    {
        var folder = Directory.CreateTempSubdirectory("iobench-renderer-").FullName;
        try
        {
            var tool = Path.Combine(folder, name);
            File.WriteAllText(tool, $"#!/bin/sh\nexec '{ProgramFinder.FindOnPath(name)}' \"$@\"\n");
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(tool, UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.UserWrite);
            using var made = new MemoryStream();

            PngRenderer
                .FindIn([folder])!
                .Render(SummaryImage.Draw(HeatMapTests.CreateContext()), made, SummaryImage.Width, SummaryImage.Height);

            var bytes = made.ToArray();
            Assert.Equal("89504E470D0A1A0A", Convert.ToHexString(bytes, 0, 8));
            var (width, height) = (
                System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(16)),
                System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(20))
            );
            output.WriteLine($"{name}: {width} x {height}, {bytes.Length} bytes");
            Assert.InRange(width, 1150, 1250);
            Assert.InRange(width / (double)height, 1.85, 1.96);
            if (Environment.GetEnvironmentVariable("IOBENCH_PICTURES") is { Length: > 0 } pictures)
                File.WriteAllBytes(Path.Combine(pictures, $"card-{name}.png"), bytes);
        }
        finally
        {
            Directory.Delete(folder, true);
        }
    }
}
