using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli;

internal sealed class RowOptions
{
    private readonly List<(OptionRow Row, Option Option)> _options;

    public RowOptions(IEnumerable<OptionRow> rows) => _options = [.. rows.Select(row => (row, Create(row)))];

    public IEnumerable<OptionRow> Rows => _options.Select(pair => pair.Row);

    /// <param name="twoPages">Shows rarely used options only with <c>--help-all</c>.</param>
    public void AddTo(Command command, bool twoPages = false)
    {
        foreach (var (row, option) in _options)
            if (row.FirstPage || !twoPages)
                command.Add(option);
        if (twoPages)
            command.AddSecondPage(_options.Where(pair => !pair.Row.FirstPage).Select(pair => pair.Option));
    }

    public OptionValues Read(ParseResult parsed)
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
                values.Set(row, row.Count == OptionValueCount.One ? parsed.Text(texts) : parsed.List(texts));
            }
        }
        return values;
    }

    private static Option Create(OptionRow row) => row.Kind == OptionKind.Flag ? new RowFlag(row) : new RowText(row);
}
