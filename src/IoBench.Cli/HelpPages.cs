using System.CommandLine;

namespace IoBench.Cli;

/// <summary>The first page of a command's help has what most people need; <c>--help-all</c> shows every option.</summary>
internal static class HelpPages
{
    public const string AllOption = "--help-all";

    /// <summary>Shows the query of a server's own load: <c>iobench run --from-file-stats --help</c>. False: another help is meant.</summary>
    public static bool TryShowQuery(CliConsole console, IReadOnlyList<string> args)
    {
        if (args is not ["run", ..] || !args.Contains("--from-file-stats") || !args.Any(arg => arg is "--help" or "-h" or "-?"))
            return false;
        console.Out.WriteLine(
            "--from-file-stats BEFORE,AFTER or --from-file-stats SAMPLES: CSV files with two or more snapshots of one server."
        );
        console.Out.WriteLine(
            "Two give the mean; several at short intervals also give the busiest window. iobench run --help has the other options. This query takes them:"
        );
        console.Out.WriteLine();
        foreach (var line in FileStatsQuery.Text.TrimEnd('\n').Split('\n'))
            console.Out.WriteLine(line);
        return true;
    }

    /// <summary>Leaves options to the second page.</summary>
    public static void AddSecondPage(this Command command, IEnumerable<Option> options)
    {
        foreach (var option in options)
        {
            option.Hidden = true;
            command.Add(option);
        }
        // Several rows of options of one command have second pages; the way to them is one.
        if (command.Options.Any(option => option.Name == AllOption))
            return;
        command.Add(
            new Option<bool>(AllOption) { Description = "Show all options, including those that few need.", Arity = ArgumentArity.Zero }
        );
    }

    /// <summary>Brings the second page forth and turns the arguments into a request for help.</summary>
    public static IReadOnlyList<string> ShowAll(RootCommand root, IReadOnlyList<string> args)
    {
        foreach (var option in root.Subcommands.SelectMany(command => command.Options))
            option.Hidden = false;
        return [.. args.TakeWhile(arg => !arg.StartsWith('-')).Take(1), "--help"];
    }
}
