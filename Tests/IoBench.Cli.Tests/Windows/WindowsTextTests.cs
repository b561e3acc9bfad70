using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>The program writes the same bytes to pipes in each code page of a console, so that file names stay correct.</summary>
[Collection(WindowsProgramTestGroup.Name)]
public class WindowsTextTests(WindowsProgram windows)
{
    private const string Name = "größe-日本.dat";

    [RequiresFact("wine")]
    public void File_names_are_correct_in_every_code_page()
    {
        foreach (var page in new[] { 437, 932, 1252, 65001 })
        {
            var (code, output, error) = windows.RunWithCodePage(
                page,
                "run",
                @"t:\" + Name,
                "--size",
                "1MB",
                "--duration",
                "100ms",
                "--warmup",
                "0",
                "--format",
                "json"
            );
            Assert.True(code == 0, $"{page}: {error}");
            // A program that captures the output can decode it with the console code page.
            Assert.True(System.Text.Ascii.IsValid(output), output);
            Assert.EndsWith(
                Name,
                JsonDocument.Parse(output).RootElement[0].GetProperty("targets")[0].GetProperty("path").GetString(),
                StringComparison.Ordinal
            );
            Assert.Contains(Name, error, StringComparison.Ordinal);
            Assert.True(File.Exists(Path.Combine(windows.Drive, Name)));
            foreach (var file in Directory.GetFiles(windows.Drive, Name + "*"))
                File.Delete(file);
        }
        Assert.Equal(0, windows.Run("run", @"t:\" + Name, "--size", "1MB", "--duration", "100ms", "--warmup", "0").Code);
        var (removed, said, _) = windows.RunWithCodePage(932, "remove", @"t:\" + Name);
        Assert.Equal(0, removed);
        Assert.False(File.Exists(Path.Combine(windows.Drive, Name)), said);
    }
}
