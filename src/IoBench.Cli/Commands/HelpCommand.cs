using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Explains a command, an option, a message id, or the exit codes.</summary>
internal static class HelpCommand
{
    private const string ExitCodesTopic = "exit-codes";
    private const int MaxSuggestions = 5;
    private const int MinSuggestedLength = 3;
    private const int MaxShownLength = 60;

    private static readonly (int Code, string Meaning)[] s_exitCodes =
    [
        (ExitCodes.Success, "Success. If the command rates results, the verdict is PASS or PRELIMINARY PASS."),
        (ExitCodes.Failed, "A test or an I/O failed, IoBench could not read a file, or an integrity check found errors."),
        (ExitCodes.Usage, "The command line is invalid, or IoBench refuses a file."),
        (
            ExitCodes.RequirementNotMet,
            "The verdict is FAIL or NOT RATED, content was NOT VERIFIED, a baseline or limit was not met, or an error log contains error 823, 824, or 825."
        ),
        (ExitCodes.Canceled, "The command was canceled (Ctrl+C)."),
    ];

    public static Command Create(CliConsole console)
    {
        var topic = new Argument<string>("TOPIC") { Description = "Command, option, message id, or exit-codes." };
        var command = new Command("help", "Explain a command, an option, a message id, or the exit codes.") { topic };
        command.SetAction(parsed =>
        {
            // As it appears in a command line or in a message: --qd=8, [IoBench.StorageCache].
            var name = parsed.GetValue(topic)!.Split('=')[0].Trim('[', ']');
            var root = App.CreateRootCommand(console);
            if (string.Equals(name, ExitCodesTopic, StringComparison.OrdinalIgnoreCase))
                WriteExitCodes(console.Out);
            else if (root.Subcommands.Any(other => other.Name == name))
                return App.Run([name, "--help"], console);
            else if (MessageCatalog.Find(name) is { } message)
                WriteMessage(console.Out, message);
            else if (!TryWriteOption(console.Out, root, name))
                throw CreateUnknownTopicError(root, name);
            return ExitCodes.Success;
        });
        return command;
    }

    private static void WriteExitCodes(TextWriter output)
    {
        output.WriteLine("Exit codes of iobench");
        foreach (var (code, meaning) in s_exitCodes)
            CommandHelp.WriteWrapped(output, FormattableString.Invariant($"  {code, 3}  "), meaning);
        output.WriteLine();
        output.WriteLine(
            "'iobench sqlio' also uses these exit codes. 'iobench diskspd' uses the exit codes of DiskSpd, and 130 after Ctrl+C."
        );
    }

    private static void WriteMessage(TextWriter output, (string Id, string Meaning, string Action) message)
    {
        output.WriteLine(message.Id);
        CommandHelp.WriteWrapped(output, "  Meaning     ", message.Meaning);
        CommandHelp.WriteWrapped(output, "  What to do  ", message.Action);
    }

    private static bool TryWriteOption(TextWriter output, RootCommand root, string name)
    {
        var option = "--" + name.TrimStart('-').ToLowerInvariant();
        var uses = root
            .Subcommands.SelectMany(command => command.Options.Select(own => (Command: command.Name, Option: own)))
            .Where(use => use.Option.Name == option || use.Option.Aliases.Contains(option) || use.Option.Aliases.Contains(name))
            .ToList();
        foreach (var same in uses.GroupBy(use => (use.Option.Name, use.Option.Description)))
        {
            var own = same.First().Option;
            var aliases = own.Aliases.Count == 0 ? "" : $" (also {string.Join(", ", own.Aliases)})";
            output.WriteLine($"{own.Name}{(own.HelpName is { } value ? $" {value}" : "")}{aliases}");
            CommandHelp.WriteWrapped(output, "  ", own.Description ?? "");
            CommandHelp.WriteWrapped(output, "  Commands: ", string.Join(", ", same.Select(use => use.Command).Distinct()));
        }
        return uses.Count > 0;
    }

    private static IoBenchException CreateUnknownTopicError(RootCommand root, string name)
    {
        var wanted = name.TrimStart('-');
        var topics = root
            .Subcommands.Select(command => command.Name)
            .Append(ExitCodesTopic)
            .Concat(root.Subcommands.SelectMany(command => command.Options.Select(option => option.Name)))
            .Concat(MessageCatalog.All.Select(message => message.Id))
            .Distinct();
        List<string> similar =
            wanted.Length < MinSuggestedLength
                ? []
                : [.. topics.Where(topic => topic.Contains(wanted, StringComparison.OrdinalIgnoreCase)).Take(MaxSuggestions)];
        return IoBenchException.Usage(
            "IoBench.InvalidName",
            $"The help topic '{(name.Length > MaxShownLength ? name[..MaxShownLength] + "..." : name)}' does not exist.",
            name,
            advice: similar.Count > 0
                ? (IoMessage)$"Similar topics: {string.Join(", ", similar)}."
                : (IoMessage)$"Use a command, an option, a message id such as StorageCache, or exit-codes."
        );
    }
}
