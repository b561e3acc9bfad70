using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli;

internal sealed class CommandOptionSet
{
    private readonly List<RowOption> _options;

    public CommandOptionSet(IEnumerable<OptionRow> rows) => _options = [.. rows.Select(row => new RowOption(row))];

    public IEnumerable<OptionRow> Rows => _options.Select(option => option.Row);

    /// <param name="twoPages">Shows rarely used options only with <c>--help-all</c>.</param>
    public void AddTo(Command command, bool twoPages = false)
    {
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
