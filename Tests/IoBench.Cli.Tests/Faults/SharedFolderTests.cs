using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>Other users place links and folders where they can write.</summary>
public class SharedFolderTests
{
    private static readonly string[] s_run = ["run", "null.dat", "--backend", "null", "--warm-up", "0", "--size", "8MB"];

    [RequiresRootFact]
    public void Link_of_another_user_is_refused_by_all_commands()
    {
        using var folder = new TestFolder();
        var shared = OtherUser.CreateStickyFolder(folder.GetPath("shared"));
        var results = folder.GetPath("res.json");
        Assert.Equal(0, Cli.Run([.. s_run, "--duration", "20ms", "--output", results]).ExitCode);
        var secret = folder.WriteFile("secret.conf", "precious");
        var empty = folder.WriteFile("empty.conf", "");
        OtherUser.CreateLink(Path.Combine(shared, "night.json"), secret);
        OtherUser.CreateLink(Path.Combine(shared, "iobench.dat"), secret);
        OtherUser.CreateLink(Path.Combine(shared, "empty.json"), empty);
        OtherUser.CreateLink(Path.Combine(shared, "folder"), folder.Path);
        string[][] commands =
        [
            ["import", results, "--output", Path.Combine(shared, "night.json"), "--force"],
            ["import", results, "--output", Path.Combine(shared, "empty.json")],
            ["import", results, "--output", Path.Combine(shared, "folder", "new.json")],
            ["report", results, "--output", Path.Combine(shared, "folder", "new.html")],
            ["run", Path.Combine(shared, "iobench.dat"), "-w", "100", "-d", "20ms", "--size", "1MB"],
            ["run", shared, "-w", "100", "-d", "20ms", "--size", "1MB"],
            ["run", Path.Combine(shared, "folder", "new.dat"), "-d", "20ms", "--size", "1MB"],
            ["remove", Path.Combine(shared, "iobench.dat")],
        ];
        var before = folder.ListContents();
        foreach (var command in commands)
        {
            var outcome = Cli.Run(command);
            Assert.True(outcome.ExitCode == 2, string.Join(' ', command) + outcome.Error);
            Assert.Contains("is or contains another user's link in a folder that other users can write to", outcome.Error);
        }
        Assert.Equal(before, folder.ListContents());
    }

    [LinuxFact]
    public async Task Results_stay_in_the_folder_that_was_swapped_during_the_run()
    {
        using var folder = new TestFolder();
        Directory.CreateDirectory(folder.GetPath("d"));
        Directory.CreateDirectory(folder.GetPath("secret"));
        File.WriteAllText(folder.GetPath("secret/conf.json"), "precious");
        using var process = Cli.StartProcess(
            folder.Path,
            [.. s_run, "--outstanding", "1,2,3", "--duration", "300ms", "--output", "d/conf.json"]
        );
        var error = process.StandardError.ReadToEndAsync();
        // The header is printed after the output files are locked.
        Assert.NotNull(process.StandardOutput.ReadLine());
        Directory.Move(folder.GetPath("d"), folder.GetPath("d2"));
        File.CreateSymbolicLink(folder.GetPath("d"), folder.GetPath("secret"));
        process.StandardOutput.ReadToEnd();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, await error);
        Assert.Contains($"The output is in {folder.GetPath("d2/conf.json")}.", await error);
        Assert.Equal([1, 2, 3], ResultReader.ReadFile(folder.GetPath("d2/conf.json")).Select(r => r.OutstandingIO!.Value));
        Assert.Equal("precious", File.ReadAllText(Assert.Single(Directory.GetFiles(folder.GetPath("secret")))));
    }

    [Fact]
    public void History_takes_a_result_once_from_eight_processes()
    {
        using var folder = new TestFolder();
        Assert.Equal(0, Cli.Run([.. s_run, "--duration", "20ms", "--output", folder.GetPath("res.json")]).ExitCode);
        var processes = Enumerable.Range(0, 8).Select(_ => Cli.StartProcess(folder.Path, "history", "h", "--add", "res.json")).ToList();
        foreach (var process in processes)
        {
            var error = process.StandardError.ReadToEnd();
            process.WaitForExit();
            Assert.True(process.ExitCode == 0, error);
            process.Dispose();
        }
        Assert.Single(File.ReadAllLines(Assert.Single(Directory.GetFiles(folder.GetPath("h")))));
    }

    [LinuxFact]
    public void Empty_output_of_a_killed_run_is_used_by_the_next_run()
    {
        using var folder = new TestFolder();
        string[] outputs = ["--output", "r.csv", "--report", "r.html"];
        using (var process = Cli.StartProcess(folder.Path, [.. s_run, "--outstanding", "1,2", "--duration", "60s", .. outputs]))
        {
            Assert.True(SpinWait.SpinUntil(() => File.Exists(folder.GetPath("r.html")), TimeSpan.FromSeconds(60)));
            process.Kill();
            process.WaitForExit();
        }
        Assert.Equal(0, new FileInfo(folder.GetPath("r.html")).Length);
        var again = Cli.RunProcess(folder.Path, [.. s_run, "--duration", "20ms", .. outputs]);
        Assert.True(again.ExitCode == 0, again.Error);
        Assert.All(["r.csv", "r.html"], (string name) => Assert.NotEqual(0, new FileInfo(folder.GetPath(name)).Length));
    }
}
