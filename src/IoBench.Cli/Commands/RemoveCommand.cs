using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class RemoveCommand
{
    private static readonly OptionName s_yes = new("Yes");

    public static Command Create(CliConsole console)
    {
        var paths = new Argument<string[]>("PATH")
        {
            Description = "Test file, or folder with iobench.dat.",
            Arity = ArgumentArity.OneOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Removal);
        var command = new Command("remove", "Remove test files that IoBench created.") { paths };
        options.AddTo(command);
        command.SetAction(parsed =>
        {
            var isConfirmed = options.ReadValues(parsed).IsOn(s_yes);
            var exitCode = ExitCodes.Success;
            foreach (var path in parsed.GetValue(paths) ?? [])
            {
                try
                {
                    var evidence = CancellableFileCall.Run(console, path, () => TestFiles.ReadEvidence(path));
                    if (evidence is not null && !isConfirmed)
                        ConfirmRemoval(console, path, evidence);
                    _ = CancellableFileCall.Run(
                        console,
                        path,
                        () =>
                        {
                            TestFiles.Remove(path, console.CancellationToken);
                            return true;
                        }
                    );
                }
                catch (IoBenchException error)
                {
                    App.WriteError(console, error);
                    exitCode = exitCode == ExitCodes.Success ? error.ExitCode : exitCode;
                }
            }
            return exitCode;
        });
        return command;
    }

    private static void ConfirmRemoval(CliConsole console, string path, string evidence)
    {
        IoMessage kept = $"{path} is kept as evidence: {evidence}";
        if (
            console
                .AskUser($"{kept.Render(console.Spelling)} Remove the file? [y/N] ")
                ?.Trim()
                .StartsWith("y", StringComparison.OrdinalIgnoreCase) != true
        )
            throw IoBenchException.Refused(ErrorIds.Evidence, kept, path, advice: $"Add {s_yes} to remove the file.");
    }
}
