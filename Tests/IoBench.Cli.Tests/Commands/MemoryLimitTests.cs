using System.Diagnostics;

namespace IoBench.Cli.Tests;

public class MemoryLimitTests
{
    [Fact]
    public async Task Import_names_the_file_when_memory_is_exhausted()
    {
        using var folder = new TestFolder();
        // One result that is longer than the allowed memory.
        var file = folder.WriteFile(
            "long.json",
            "[{\"iops\": 1, \"bandwidthMBps\": 1, \"label\": \"" + new string('x', 50_000_000) + "\"}]"
        );
        var start = new ProcessStartInfo(Cli.Command[0], [.. Cli.Command[1..], "import", file])
        {
            RedirectStandardError = true,
            RedirectStandardOutput = true,
        };
        start.Environment["DOTNET_GCHeapHardLimit"] = "8000000";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var error = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();

        Assert.Equal(
            $"iobench: IoBench cannot read {file}, because there is not enough memory. Close other programs, or use a computer with more memory. [IoBench.NotEnoughMemory]",
            error.Trim()
        );
        Assert.Equal((1, ""), (process.ExitCode, (await output).Trim()));
    }
}
