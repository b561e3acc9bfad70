using System.CommandLine;
using IoBench.Analysis;

namespace IoBench.Cli;

/// <summary>A command's help shows the options that most users need. <c>--help-all</c> shows all options.</summary>
internal static class ExtendedHelp
{
    public const string HelpAllOption = "--help-all";

    /// <summary>Shows the query of a captured workload for <c>--from-file-stats --help</c>. Returns false if other help is
    /// requested.</summary>
    public static bool TryShowFileStatsHelp(CliConsole console, IReadOnlyList<string> args)
    {
        if (args is not ["run", ..] || !args.Contains("--from-file-stats") || !args.Any(arg => arg is "--help" or "-h" or "-?"))
            return false;
        console.Out.WriteLine(
            "--from-file-stats BEFORE,AFTER or --from-file-stats SAMPLES: CSV files with two or more snapshots of one server."
        );
        console.Out.WriteLine(
            "Two snapshots show the average load. Several snapshots at short intervals also show the busiest window. This query takes a snapshot (for other options, see iobench run --help):"
        );
        console.Out.WriteLine();
        foreach (var line in FileStatsSnapshot.QueryText.TrimEnd('\n').Split('\n'))
            console.Out.WriteLine(line);
        console.Out.WriteLine();
        foreach (var line in FileStatsSnapshot.AzureSqlDatabaseQueryText.TrimEnd('\n').Split('\n'))
            console.Out.WriteLine(line);
        return true;
    }

    public static void AddHiddenOptions(this Command command, IEnumerable<Option> options)
    {
        foreach (var option in options)
        {
            option.Hidden = true;
            command.Add(option);
        }
        // Several sets of options of one command can have hidden options, but the command has one --help-all.
        if (command.Options.Any(option => option.Name == HelpAllOption))
            return;
        command.Add(new Option<bool>(HelpAllOption) { Description = "Show all options.", Arity = ArgumentArity.Zero });
    }

    /// <summary>Shows the hidden options and turns the arguments into a request for help.</summary>
    public static IReadOnlyList<string> ExpandHelpRequest(RootCommand root, IReadOnlyList<string> args)
    {
        foreach (var option in root.Subcommands.SelectMany(command => command.Options))
            option.Hidden = false;
        return [.. args.TakeWhile(arg => !arg.StartsWith('-')).Take(1), "--help"];
    }
}
