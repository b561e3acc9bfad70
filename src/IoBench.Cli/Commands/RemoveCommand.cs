using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class RemoveCommand
{
    public static Command Create(CliConsole console)
    {
        var paths = new Argument<string[]>("PATH")
        {
            Description = "a test file, or a folder with iobench.dat in it.",
            Arity = ArgumentArity.OneOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Removal);
        var command = new Command("remove", "Removes test files that IoBench made.") { paths };
        options.AddTo(command);
        command.SetAction(parsed =>
        {
            var force = options.ReadValues(parsed).IsOn(OptionNames.Force);
            var exitCode = ExitCodes.Success;
            foreach (var path in parsed.GetValue(paths) ?? [])
            {
                try
                {
                    _ = CancellableFileCall.Run(
                        console,
                        path,
                        () =>
                        {
                            TestFiles.Remove(path, force, console.CancellationToken);
                            return true;
                        }
                    );
                }
                catch (IoBenchException error)
                {
                    App.WriteError(console, error.Text);
                    exitCode = exitCode == ExitCodes.Success ? error.ExitCode : exitCode;
                }
            }
            return exitCode;
        });
        return command;
    }
}
