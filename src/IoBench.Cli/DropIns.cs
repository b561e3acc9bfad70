using System.CommandLine;

namespace IoBench.Cli;

/// <summary><c>iobench sqlio …</c> and <c>iobench diskspd …</c>: the old tools' own arguments, which no parser of ours must touch.</summary>
internal static class DropIns
{
    /// <summary>Runs a drop-in when the arguments begin with one, after <c>--force</c> perhaps; null when they do not.</summary>
    public static int? TryRun(IReadOnlyList<string> args, CliConsole console) => null;

    /// <summary>The drop-ins for the help's list of commands.</summary>
    public static IEnumerable<Command> Describe() => [];
}
