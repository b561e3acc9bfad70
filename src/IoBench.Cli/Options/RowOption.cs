using System.CommandLine;

namespace IoBench.Cli.Options;

/// <summary>An option that is made of a row, and knows it.</summary>
internal interface IRowOption
{
    OptionRow Row { get; }
}

/// <summary>An option that is there or not.</summary>
internal sealed class RowFlag : Option<bool>, IRowOption
{
    public RowFlag(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        (Row, Description, Arity) = (row, row.FullHelp, ArgumentArity.Zero);
    }

    public OptionRow Row { get; }
}

/// <summary>An option that takes text, or a list of it: its row reads it.</summary>
internal sealed class RowText : Option<string[]>, IRowOption
{
    public RowText(OptionRow row)
        : base(row.ProgramName, [.. row.ProgramAliases])
    {
        (Row, HelpName, Description, Arity) = (row, row.ValueName, row.FullHelp, ArgumentArity.OneOrMore);
    }

    public OptionRow Row { get; }
}
