using System.CommandLine.Parsing;
using IoBench.Application;

namespace IoBench.Cli.Tests;

public class HelpCommandTests
{
    [Fact]
    public void Start_page_lists_every_command_in_79_columns()
    {
        var outcome = Cli.Run(["--help"]);
        Assert.Equal(0, outcome.ExitCode);
        Assert.All(outcome.OutputLines, line => Assert.True(line.Length <= 79, line));
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        Assert.All(
            App.CreateRootCommand(console).Subcommands,
            command => Assert.Contains(outcome.OutputLines, line => line.StartsWith($"{command.Name} ", StringComparison.Ordinal))
        );
        Assert.Equal(outcome.Output, Cli.Run(["help"]).Output);
        Assert.Equal(outcome.Output, Cli.Run(["-h"]).Output);
    }

    [Fact]
    public void Examples_of_every_command_are_valid()
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        var root = App.CreateRootCommand(console);
        var names = root.Subcommands.Where(command => !command.Hidden).Select(command => command.Name).Except(["help", "sqlio", "diskspd"]);
        Assert.Empty(names.Except(CommandHelp.Examples.Keys));
        foreach (var example in CommandHelp.Examples.Values.SelectMany(lines => lines))
        {
            Assert.InRange(example.Length, 1, 77);
            Assert.Empty(root.Parse([.. CommandLineParser.SplitCommandLine(example).Skip(1)]).Errors);
        }
        Assert.Contains("  iobench compare before.json after.json", Cli.Run(["compare", "--help"]).OutputLines.Select(line => "  " + line));
    }

    [Fact]
    public void Short_option_o_never_means_an_output_file()
    {
        foreach (var command in new[] { "report", "compare", "history", "check", "witness" })
        {
            var outcome = Cli.Run([command, "-o", "x.xlsx"]);
            Assert.Equal(2, outcome.ExitCode);
            Assert.Contains("use --output", outcome.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Messages_topic_of_the_module_has_every_message()
    {
        using var text = new StringWriter { NewLine = "\n" };
        text.Write(
            "TOPIC\n    about_IoBench_Messages\n\nSHORT DESCRIPTION\n\nMessages of IoBench by id: their meaning, and what to do.\n\nLONG DESCRIPTION\n\n"
        );
        CommandHelp.WriteWrapped(
            text,
            "",
            "Warnings and errors end with their id in brackets, such as [IoBench.StorageCache]. The program explains an id with: iobench help ID"
        );
        foreach (var (id, meaning, action) in MessageCatalog.All)
        {
            text.Write($"\n{id}\n");
            CommandHelp.WriteWrapped(text, "    Meaning     ", meaning);
            CommandHelp.WriteWrapped(text, "    What to do  ", action);
        }
        var path = Path.Combine(SampleFiles.RepositoryRoot, "en-US", "about_IoBench_Messages.help.txt");
        if (Snapshot.IsUpdate)
            File.WriteAllText(path, text.ToString());
        Assert.Equal(File.ReadAllText(path), text.ToString(), ignoreLineEndingDifferences: true);
    }

    [Fact]
    public void Command_topic_shows_the_help_of_the_command() =>
        Assert.Equal(Cli.Run(["limit", "--help"]).Output, Cli.Run(["help", "limit"]).Output);

    [Theory]
    [InlineData("IoBench.StorageCache")]
    [InlineData("storagecache")]
    [InlineData("[IoBench.StorageCache]")]
    public void Message_id_is_explained(string id)
    {
        var outcome = Cli.Run(["help", id]);
        Assert.Equal((0, "IoBench.StorageCache"), (outcome.ExitCode, outcome.OutputLines[0]));
        Assert.Contains("  What to do  Use a larger file", outcome.Output);
    }

    [Fact]
    public void Every_documented_message_has_plain_text()
    {
        Assert.True(MessageCatalog.All.Count > 250);
        Assert.All(
            MessageCatalog.All,
            message =>
            {
                Assert.EndsWith(".", message.Meaning);
                Assert.EndsWith(".", message.Action);
                Assert.DoesNotContain('`', message.Meaning + message.Action);
                Assert.DoesNotContain("](", message.Meaning + message.Action);
            }
        );
    }

    [Theory]
    [InlineData("qd", "--outstanding-io N")]
    [InlineData("--qd=8", "--outstanding-io N")]
    [InlineData("--duration", "--duration ")]
    [InlineData("-d", "--duration ")]
    public void Option_topic_names_its_commands(string topic, string first)
    {
        var outcome = Cli.Run(["help", topic]);
        Assert.Equal(0, outcome.ExitCode);
        Assert.StartsWith(first, outcome.Output);
        Assert.Contains("  Commands: run", outcome.Output);
    }

    [Theory]
    [InlineData("exit-code", "Similar topics: exit-codes.")]
    [InlineData("-", "Use a command, an option")]
    public void Unknown_topic_is_refused_with_advice(string topic, string advice) =>
        Assert.Contains(advice, Cli.Run(["help", topic]).Error, StringComparison.Ordinal);

    [Fact]
    public void Long_unknown_topic_is_shortened() => Assert.InRange(Cli.Run(["help", new string('x', 50000)]).Error.Length, 1, 400);

    [Fact]
    public void Exit_codes_topic_lists_all_codes()
    {
        var outcome = Cli.Run(["help", "exit-codes"]);
        Assert.All([" 0  ", " 1  ", " 2  ", " 3  ", "130  "], code => Assert.Contains(code, outcome.Output));
    }

    [Theory]
    [InlineData("cache", "Similar topics: --storage-cache-size")]
    [InlineData("nothing-like-it", "exit-codes")]
    public void Unknown_topic_is_a_usage_error(string topic, string advice)
    {
        var outcome = Cli.Run(["help", topic]);
        Assert.Equal(2, outcome.ExitCode);
        Assert.StartsWith($"iobench: The help topic '{topic}' does not exist. ", outcome.Error);
        Assert.Contains(advice, outcome.Error);
        Assert.EndsWith(" [IoBench.InvalidName]", outcome.Error.TrimEnd());
    }
}
