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
            "Address and port of this host to listen on, such as 192.0.2.7:8433."
        );
        var output = OptionParsing.CreateOption("--output", "FILE", "Log of the write witness: a new file of at most 4 GB.");
        var command = new Command(
            "witness",
            "Record the acknowledged writes of a verification that runs on another host. Afterwards, iobench verify PATH --after-crash FILE shows whether these writes survived a power loss."
        );
        command.Add(listen);
        command.Add(output);
        command.SetAction(parsed =>
        {
            if (parsed.GetText(listen) is not { } where || parsed.GetText(output) is not { } file)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    $"iobench witness requires {new OptionName("Listen")} ADDRESS:PORT and {OptionNames.OutputPath} FILE."
                );
            var place = WitnessAddress.Parse(where);
            if (place.Host is null)
                throw IoBenchException.Usage(
                    "IoBench.InvalidWitness",
                    $"{where} is not a valid address and port.",
                    advice: "Use for example 192.0.2.7:8433."
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
