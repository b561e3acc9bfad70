using System.CommandLine;

namespace IoBench.Cli.Options;

/// <summary>Paths and the options that say what to test; the same rows as the parameters of the cmdlets.</summary>
internal sealed class PlanOptions
{
    /// <summary>What a path is.</summary>
    public const string PathDescription = "a test file, or a folder for iobench.dat in it";

    private readonly Argument<string[]> _paths;

    /// <summary>Paths and options of a command.</summary>
    /// <param name="several">What becomes of several paths, behind <see cref="PathDescription"/>; none where only one is taken.</param>
    public PlanOptions(IEnumerable<OptionRow> rows, string several = "")
    {
        // None where roles bring their own.
        _paths = new("PATH") { Description = $"{PathDescription}{several}.", Arity = ArgumentArity.ZeroOrMore };
        Rows = new RowOptions(rows);
    }

    public RowOptions Rows { get; }

    /// <summary>Adds path and options to a command; what few people need on the second page of its help.</summary>
    public void AddTo(Command command)
    {
        command.Add(_paths);
        Rows.AddTo(command, twoPages: true);
    }

    /// <summary>What was asked for.</summary>
    public PlanRequest Read(ParseResult parsed) => new(parsed.GetValue(_paths) ?? [], Rows.Read(parsed));

    /// <summary>That a command cannot do without a path.</summary>
    public IoBenchException NoPath(IoCommand command) =>
        IoBenchException.Usage("IoBench.Usage", $"{command.ToString().ToLowerInvariant()} needs PATH: {_paths.Description}");
}
