using System.Globalization;
using System.Text.Json;

namespace IoBench.Cli.Tests;

/// <summary>
/// Ctrl+C from a console stops the run. With Wine 8, Ctrl+Break did not arrive, and the program of a closed console ended at once.
/// </summary>
[Collection(WindowsProgramTestGroup.Name)]
public class WindowsEventTests(WindowsProgram windows)
{
    [RequiresFact("wine")]
    public void Ctrl_C_stops_a_run_and_saves_its_results()
    {
        var (data, results, ready) = (@"t:\event.dat", @"t:\event.json", GetDrivePath("event-ready"));
        Assert.Equal(
            0,
            windows.Run("run", data, "--size", "8MB", "--write", "100", "--duration", "100ms", "--warmup", "0", "--quiet").Code
        );
        using var driver = windows.StartInConsole(
            ready,
            "run",
            data,
            "--write",
            "100",
            "--duration",
            "1000",
            "--warmup",
            "0",
            "--output",
            results
        );
        var error = driver.StandardError.ReadToEndAsync();
        WindowsProgram.WaitUntilOpen(GetDrivePath("event.dat"));
        Thread.Sleep(2000);
        File.WriteAllText(ready, "");
        Assert.True(driver.WaitForExit(TimeSpan.FromMinutes(2)), "The program did not end.");
        Assert.True(driver.ExitCode == 0, error.Result);
        var ended = File.ReadAllText(ready + ".ended").Split(' ');
        // The exit code of a canceled run shows that the handler waited until the run had ended.
        Assert.Equal("130", ended[0]);
        Assert.True(long.Parse(ended[1], CultureInfo.InvariantCulture) < 60_000);
        Assert.Equal(
            "Cancelled",
            JsonDocument.Parse(File.ReadAllText(GetDrivePath("event.json"))).RootElement[0].GetProperty("status").GetString()
        );
        // The ownership marker was closed, so the next run accepts the file.
        Assert.Equal(0, windows.Run("run", data, "--write", "100", "--duration", "100ms", "--warmup", "0", "--quiet").Code);
        Assert.Equal(0, windows.Run("remove", data).Code);
    }

    private string GetDrivePath(string name) => Path.Combine(windows.Drive, name);
}
