using System.CommandLine;

namespace IoBench.Cli.Tests;

/// <summary>The help of every command as users see it.</summary>
public class HelpSnapshotTests
{
    [SnapshotFact]
    public void Help_of_every_command_is_as_recorded()
    {
        var root = Root();
        var files = new Dictionary<string, string> { ["iobench.txt"] = Page([]) };
        foreach (var command in root.Subcommands)
        {
            var pages = $"{Page([command.Name])}\n";
            if (command.Options.Any(option => option.Name == CommandHelp.HelpAllOption))
                pages += $"# --help-all\n\n{Page([command.Name], all: true)}\n";
            foreach (var inner in command.Subcommands)
                pages += $"# {inner.Name} --help\n\n{Page([command.Name, inner.Name])}\n";
            files[command.Name + ".txt"] = pages;
        }
        foreach (var tool in new[] { "sqlio", "diskspd" })
            files[tool + ".txt"] = Cli.Run(tool, "-?").Output;
        files["file-stats-query.txt"] = Cli.Run("run", "--from-file-stats", "--help").Output;
        Snapshot.Match("help", files);
    }

    [SnapshotFact]
    public void Help_all_shows_the_recorded_page()
    {
        static string[] Words(string page) => page.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(Words(Page(["run"], all: true)), Words(Cli.Run("run", "--help-all").Output));
    }

    private static RootCommand Root()
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        return App.CreateRootCommand(console);
    }

    private static string Page(string[] words, bool all = false)
    {
        var root = Root();
        IReadOnlyList<string> args = all
            ? CommandHelp.ExpandHelpRequest(root, [.. words, CommandHelp.HelpAllOption])
            : [.. words, "--help"];
        using var output = new StringWriter();
        Assert.Equal(0, root.Parse(args).Invoke(new InvocationConfiguration { Output = output }));
        return string.Join('\n', output.ToString().Split('\n').Select(line => line.TrimEnd()));
    }
}
