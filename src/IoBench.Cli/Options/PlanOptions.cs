using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal sealed class PlanOptions
{
    public const string PathDescription = "Test file, or folder for iobench.dat";

    private readonly Argument<string[]> _paths;

    /// <param name="several">Text about several paths, after <see cref="PathDescription"/>; empty if only one path is accepted.</param>
    public PlanOptions(IEnumerable<OptionRow> rows, string several = "")
    {
        // No path is required if file roles have their own.
        _paths = new("PATH") { Description = $"{PathDescription}{several}.", Arity = ArgumentArity.ZeroOrMore };
        Rows = new CommandOptionSet(rows);
    }

    public CommandOptionSet Rows { get; }

    public void AddTo(Command command)
    {
        command.Add(_paths);
        Rows.AddTo(command, twoPages: true);
    }

    public PlanRequest ReadRequest(ParseResult parsed) => new(parsed.GetValue(_paths) ?? [], Rows.ReadValues(parsed));

    public IoBenchException CreateMissingPathError(IoCommand command) =>
        IoBenchException.Usage("IoBench.Usage", $"{command.ToString().ToLowerInvariant()} requires PATH: {_paths.Description}");
}
