using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli;

internal sealed class CommandOptionSet
{
    private readonly List<(OptionRow Row, Option Option)> _options;

    public CommandOptionSet(IEnumerable<OptionRow> rows) => _options = [.. rows.Select(row => (row, CreateOption(row)))];

    public IEnumerable<OptionRow> Rows => _options.Select(pair => pair.Row);

    /// <param name="twoPages">Shows rarely used options only with <c>--help-all</c>.</param>
    public void AddTo(Command command, bool twoPages = false)
    {
        foreach (var (row, option) in _options)
            if (row.FirstPage || !twoPages)
                command.Add(option);
        if (twoPages)
            command.AddHiddenOptions(_options.Where(pair => !pair.Row.FirstPage).Select(pair => pair.Option));
    }

    public OptionValues ReadValues(ParseResult parsed)
    {
        var values = new OptionValues([.. Rows]);
        foreach (var (row, option) in _options)
        {
            if (option is Option<bool> flag)
            {
                if (parsed.GetValue(flag))
                    values.Set(row, true);
            }
            else if (option is Option<string[]> texts)
            {
                values.Set(row, row.Count == OptionValueCount.One ? parsed.GetText(texts) : parsed.GetList(texts));
            }
        }
        return values;
    }

    private static Option CreateOption(OptionRow row) => row.Kind == OptionKind.Flag ? new FlagOption(row) : new TextOption(row);
}

internal interface IDefinedOption
{
    OptionRow Row { get; }
}

internal sealed class FlagOption : Option<bool>, IDefinedOption
{
    public FlagOption(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        Row = row;
        Description = row.FullHelp;
        Arity = ArgumentArity.Zero;
    }

    public OptionRow Row { get; }
}

internal sealed class TextOption : Option<string[]>, IDefinedOption
{
    public TextOption(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        Row = row;
        HelpName = row.ValueName;
        Description = row.FullHelp;
        Arity = row.ValuesPerUse > 1 ? new ArgumentArity(1, row.ValuesPerUse) : ArgumentArity.OneOrMore;
        AllowMultipleArgumentsPerToken = row.ValuesPerUse > 1;
    }

    public OptionRow Row { get; }
}
