using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli.Tests;

public class RowTests
{
    public static TheoryData<string, IReadOnlyList<OptionRow>> Commands() =>
        new()
        {
            { "run", OptionTables.Run },
            { "run", OptionTables.Member },
            { "run", OptionTables.Shown },
            { "run", OptionTables.Output },
            { "run", OptionTables.Expectations },
            { "import", OptionTables.Import },
            { "import", OptionTables.Output },
            { "import", OptionTables.Shown },
            { "convert", OptionTables.Conversion },
            { "limit", [.. OptionTables.LimitSearch, .. OptionTables.LimitTest, .. OptionTables.Output] },
            { "cap", OptionTables.Cap },
            { "cap", OptionTables.Output },
            { "verify", OptionTables.Verify },
            { "verify", OptionTables.Output },
            { "verify", OptionTables.AfterCrash },
            { "fleet", OptionTables.FleetLead },
            { "fleet", OptionTables.FleetTests },
            { "fleet", OptionTables.FleetRating },
            { "fleet", OptionTables.Output },
            { "fleet merge", OptionTables.FleetRating },
            { "fleet merge", OptionTables.Output },
            { "drill", OptionTables.Drill },
            { "commit", OptionTables.Commit },
            { "errorlog", OptionTables.ErrorLog },
            { "where", OptionTables.LatencySource },
            { "advise", OptionTables.Advice },
            { "replica", OptionTables.Replica },
            { "check", OptionTables.Check },
            { "saturation", OptionTables.Import },
            { "saturation", OptionTables.Saturation },
            { "test", OptionTables.Import },
            { "test", OptionTables.Rules },
            { "test", OptionTables.Rating },
            { "test", OptionTables.AnalysisReport },
            { "report", OptionTables.Import },
            { "report", OptionTables.ReportOutput },
            { "report", OptionTables.Report },
            { "compare", OptionTables.Import },
            { "compare", OptionTables.Comparison },
            { "compare", OptionTables.ReportOutput },
            { "history", OptionTables.HistoryIntake },
            { "history", OptionTables.History },
            { "history", OptionTables.ReportOutput },
            { "remove", OptionTables.Removal },
        };

    [InProcessFact]
    public void Every_option_table_belongs_to_a_command()
    {
        // Only the module creates specifications from these tables; they consist of the rows of the other tables.
        string[] others =
        [
            nameof(OptionTables.Specification),
            nameof(OptionTables.TestFile),
            nameof(OptionTables.Columns),
            nameof(OptionTables.RunAndColumns),
            nameof(OptionTables.All),
        ];
        var known = Commands().SelectMany(command => (IReadOnlyList<OptionRow>)command[1]).ToHashSet();
        foreach (var table in typeof(OptionTables).GetProperties().Where(table => !others.Contains(table.Name)))
            Assert.All(
                (IReadOnlyList<OptionRow>)table.GetValue(null)!,
                row => Assert.True(known.Contains(row), $"{table.Name}: {row.Name}")
            );
    }

    [InProcessTheory]
    [MemberData(nameof(Commands))]
    public void Every_row_is_an_option_of_its_command(string name, IReadOnlyList<OptionRow> rows)
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        var command = name.Split(' ')
            .Aggregate((Command)App.CreateRootCommand(console), (outer, inner) => outer.Subcommands.Single(c => c.Name == inner));
        foreach (var row in rows)
        {
            var option = Assert.Single(command.Options, o => o.Name == row.ProgramName);
            Assert.Equal(row.Name, Assert.IsType<RowOption>(option).Row.Name);
            Assert.Equal(row.ProgramAliases.Order(StringComparer.Ordinal), option.Aliases.Order(StringComparer.Ordinal));
            Assert.Equal(row.Kind == OptionKind.Flag, option.Arity.Equals(ArgumentArity.Zero));
            Assert.Equal(row.FullHelp, option.Description);
            if (row.Kind != OptionKind.Flag)
                Assert.Equal(row.ValueName, option.HelpName);
        }
    }

    [InProcessFact]
    public void Every_allowed_value_is_accepted_in_lower_case()
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        foreach (var row in OptionTables.Run.Where(row => row.Kind.Allowed.Count > 0))
        foreach (var allowed in row.Kind.Allowed)
        {
            var rows = new IoBench.Cli.CommandOptionSet([row]);
            var command = new Command("x");
            rows.AddTo(command);
            var values = rows.ReadValues(command.Parse([row.ProgramName, allowed.ToLowerInvariant()]));
            Assert.True(values.Has(row.Option), $"{row.Name} {allowed}");
        }
    }
}
