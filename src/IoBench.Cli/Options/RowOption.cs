using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli;

internal interface IRowOption
{
    OptionRow Row { get; }
}

internal sealed class FlagOption : Option<bool>, IRowOption
{
    public FlagOption(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        (Row, Description, Arity) = (row, row.FullHelp, ArgumentArity.Zero);
    }

    public OptionRow Row { get; }
}

internal sealed class TextOption : Option<string[]>, IRowOption
{
    public TextOption(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        (Row, HelpName, Description, Arity) = (row, row.ValueName, row.FullHelp, ArgumentArity.OneOrMore);
    }

    public OptionRow Row { get; }
}
