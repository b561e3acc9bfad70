using System.CommandLine;
using IoBench.Engine;

namespace IoBench.Cli.DropIn;

/// <summary>
/// <c>iobench sqlio …</c> and <c>iobench diskspd …</c>: the old tools' own arguments, which no parser of ours must touch, and their own
/// output. Before the tool's name stands what is ours: <c>--force</c>.
/// </summary>
internal static class DropIns
{
    /// <summary>Set to 1 it stands for <c>--force</c>, for batch files that stay as they are.</summary>
    public const string ForceVariable = "IOBENCH_FORCE";

    /// <summary>Runs a drop-in when the arguments name one; null when they do not.</summary>
    public static int? TryRun(IReadOnlyList<string> args, CliConsole console)
    {
        var first = 0;
        while (first < args.Count && args[first] == "--force")
            first++;
        if (first == args.Count)
            return null;
        var force = first > 0 || Environment.GetEnvironmentVariable(ForceVariable) == "1";
        string[] own = [.. args.Skip(first + 1)];
        return args[first] switch
        {
            "sqlio" => SqlioDropIn.Run(own, force, console),
            "diskspd" => DiskSpdDropIn.Run(own, force, console),
            _ => null,
        };
    }

    /// <summary>The drop-ins for the help's list of commands; they are never parsed as such.</summary>
    public static IEnumerable<Command> Describe() =>
    [
        new Command("sqlio", "SQLIO's own arguments and output: iobench sqlio -kR -s360 -frandom -o8 -b8 -LS -Fparam.txt"),
        new Command("diskspd", "DiskSpd's own arguments and output: iobench diskspd -b8K -d60 -o8 -t4 -r -Sh -L test.dat"),
    ];

    /// <summary>A file that the old tool made is foreign to IoBench: says how to use it from a batch file.</summary>
    public static string ForceHint(IoBenchException error, string tool) => error.ErrorId != "IoBench.ForeignFile" ? error.Message
        : error.Message.Replace("Add --force to use it all the same.", $"To use it all the same: iobench --force {tool} …, or set {ForceVariable}=1.", StringComparison.Ordinal);
}
