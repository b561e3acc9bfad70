using System.CommandLine;
using IoBench.Cli.Options;
using IoBench.Engine;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench remove</c>: takes test files away, and nothing else.</summary>
internal static class RemoveCommand
{
    public static Command Create(CliConsole console)
    {
        var paths = new Argument<string[]>("PATH") { Description = "a test file, or a folder with iobench.dat in it.", Arity = ArgumentArity.OneOrMore };
        var force = OptionText.CreateFlag("--force", "Also a file that IoBench did not make.");
        var command = new Command("remove", "Removes test files that IoBench made.") { paths, force };
        command.SetAction(parsed =>
        {
            var exitCode = ExitCodes.Done;
            foreach (var path in parsed.GetValue(paths) ?? [])
            {
                try
                {
                    TestFiles.Remove(path, parsed.GetValue(force));
                }
                catch (IoBenchException error)
                {
                    App.WriteError(console, error.Message);
                    exitCode = exitCode == ExitCodes.Done ? error.ExitCode : exitCode;
                }
            }
            return exitCode;
        });
        return command;
    }
}
