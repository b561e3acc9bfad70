using System.CommandLine;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class WitnessCommand
{
    public static Command Create(CliConsole console)
    {
        var listen = OptionParsing.CreateOption(
            "--listen",
            "ADDRESS:PORT",
            "Where to listen: an address of this host and a port, such as 192.0.2.7:8433. Nothing listens anywhere else."
        );
        var output = OptionParsing.CreateOption("--output", "FILE", "The log of the witness: a new file of at most 4 GB.", "-o");
        var command = new Command(
            "witness",
            "Records the acknowledged writes of one iobench verify --witness HOST:PORT#SECRET on another host, until that run or its host ends. Prints the SECRET when it starts. Then: iobench verify PATH --after-crash FILE."
        );
        command.Add(listen);
        command.Add(output);
        command.SetAction(parsed =>
        {
            if (parsed.GetText(listen) is not { } where || parsed.GetText(output) is not { } file)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    $"witness needs {new OptionName("Listen")} ADDRESS:PORT and {OptionNames.OutputPath} FILE."
                );
            var place = WitnessAddress.Parse(where);
            if (place.Host is null)
                throw IoBenchException.Usage(
                    "IoBench.InvalidWitness",
                    $"{where} is not an address and port.",
                    advice: "Give for example 192.0.2.7:8433."
                );
            var path = Path.GetFullPath(file);
            var summary = CancellableFileCall.Run(
                console,
                path,
                () => WitnessServer.Run(place, path, console.Error.WriteLine, console.CancellationToken)
            );
            console.Error.WriteLine(summary);
            return ExitCodes.Success;
        });
        return command;
    }
}
