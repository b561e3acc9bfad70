using System.CommandLine;

namespace IoBench.Cli;

/// <summary>The first page of a command's help has what most people need; <c>--help-all</c> shows every option.</summary>
internal static class HelpPages
{
    public const string AllOption = "--help-all";

    /// <summary>Leaves options to the second page.</summary>
    public static void AddSecondPage(this Command command, IEnumerable<Option> options)
    {
        foreach (var option in options)
        {
            option.Hidden = true;
            command.Add(option);
        }
        command.Add(new Option<bool>(AllOption) { Description = "Show all options, also those that few need.", Arity = ArgumentArity.Zero });
    }

    /// <summary>Brings the second page forth and turns the arguments into a request for help.</summary>
    public static IReadOnlyList<string> ShowAll(RootCommand root, IReadOnlyList<string> args)
    {
        foreach (var option in root.Subcommands.SelectMany(command => command.Options))
            option.Hidden = false;
        return [.. args.TakeWhile(arg => !arg.StartsWith('-')).Take(1), "--help"];
    }
}
