using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Options of a command, and the argument PATH of a command that runs tests.</summary>
/// <param name="paths">Description of PATH; null for a command without this argument.</param>
internal sealed class CommandOptionSet(IEnumerable<OptionRow> rows, string? paths = null)
{
    public const string PathDescription = "Test file, or folder for iobench.dat";

    private readonly List<RowOption> _options = [.. rows.Select(row => new RowOption(row))];

    // No path is required if file roles have their own.
    private readonly Argument<string[]>? _paths = paths is null
        ? null
        : new("PATH") { Description = paths, Arity = ArgumentArity.ZeroOrMore };

    public IEnumerable<OptionRow> Rows => _options.Select(option => option.Row);

    /// <param name="twoPages">Shows rarely used options only with <c>--help-all</c>.</param>
    public void AddTo(Command command, bool twoPages = false)
    {
        if (_paths is not null)
            command.Add(_paths);
        foreach (var option in _options.Where(option => option.Row.FirstPage || !twoPages))
            command.Add(option);
        if (twoPages)
            CommandHelp.AddHiddenOptions(command, _options.Where(option => !option.Row.FirstPage));
    }

    public OptionValues ReadValues(ParseResult parsed)
    {
        var values = new OptionValues([.. Rows]);
        foreach (var option in _options)
        {
            if (option.Row.Kind != OptionKind.Flag)
                values.Set(option.Row, option.Row.Count == OptionValueCount.One ? parsed.GetText(option) : parsed.GetList(option));
            else if (parsed.GetResult(option) is { Implicit: false })
                values.Set(option.Row, true);
        }
        return values;
    }

    public PlanRequest ReadRequest(ParseResult parsed) => new(parsed.GetValue(_paths!) ?? [], ReadValues(parsed));

    public IoBenchException CreateMissingPathError(IoCommand command) =>
        IoBenchException.Usage("IoBench.Usage", $"{command.ToString().ToLowerInvariant()} requires PATH: {_paths!.Description}");
}

/// <summary>An option of the CLI that a row defines. A flag takes no value.</summary>
internal sealed class RowOption : Option<string[]>
{
    public RowOption(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        Row = row;
        Description = row.FullHelp;
        if (row.Kind == OptionKind.Flag)
        {
            Arity = ArgumentArity.Zero;
            return;
        }
        HelpName = row.ValueName;
        Arity = row.ValuesPerUse > 1 ? new ArgumentArity(1, row.ValuesPerUse) : ArgumentArity.OneOrMore;
        AllowMultipleArgumentsPerToken = row.ValuesPerUse > 1;
    }

    public OptionRow Row { get; }
}
