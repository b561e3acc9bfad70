using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli.Tests;

/// <summary>
/// Every CLI option is created from an option row, which the cmdlet tests use too, or is listed here with the reason why only the CLI has
/// it.
/// </summary>
public class HandOptionTests
{
    private const string ObjectsReason = "cmdlets put out objects, which PowerShell shows or converts";
    private const string StreamsReason =
        "PowerShell has streams for it, and common parameters; Quiet of Test-IoResult asks for true or false";
    private const string HelpReason = "Get-Help shows every parameter";

    private static readonly Dictionary<string, string> s_cliOnlyOptions = new()
    {
        ["--help"] = HelpReason,
        ["--version"] = "Get-Module shows it",
        ["run --help-all"] = HelpReason,
        ["run --quiet"] = StreamsReason,
        ["run --verbose"] = "Verbose is a common parameter of PowerShell",
        ["import --quiet"] = StreamsReason,
        ["report --quiet"] = StreamsReason,
        ["convert --format"] = ObjectsReason,
        ["compare --format"] = ObjectsReason,
        ["test --format"] = ObjectsReason,
        ["saturation --format"] = ObjectsReason,
        ["limit --help-all"] = HelpReason,
        ["limit --quiet"] = StreamsReason,
        ["drill --format"] = ObjectsReason,
        ["drill --quiet"] = StreamsReason,
        ["fleet --help-all"] = HelpReason,
        ["fleet --document"] = "what it writes starts the program on hosts, and no cmdlet",
        ["fleet --quiet"] = StreamsReason,
        ["fleet --start-at"] = "it is for documents and members, which start the program and no cmdlet",
        ["check --format"] = ObjectsReason,
        ["cap --quiet"] = StreamsReason,
        ["commit --format"] = ObjectsReason,
        ["commit --quiet"] = StreamsReason,
        ["advise --format"] = ObjectsReason,
        ["errorlog --format"] = ObjectsReason,
        ["errorlog --quiet"] = StreamsReason,
        ["replica --quiet"] = "the module has no replica: it runs until Ctrl+C",
        ["history --format"] = ObjectsReason,
        ["verify --help-all"] = HelpReason,
        ["verify --quiet"] = StreamsReason,
        ["where --format"] = ObjectsReason,
        ["where --quiet"] = StreamsReason,
        ["witness --listen"] = "the module has no witness: it runs where PowerShell need not be",
        ["witness --output"] = "the module has no witness: it runs where PowerShell need not be",
        ["workloads --format"] = ObjectsReason,
        ["rules --format"] = ObjectsReason,
    };

    [InProcessFact]
    public void Every_option_has_a_row_or_a_reason_to_be_CLI_only() =>
        Assert.Empty(
            GetAllOptions()
                .Where(option => option.Option is not RowOption && !s_cliOnlyOptions.ContainsKey(option.Name))
                .Select(option => option.Name)
        );

    [InProcessFact]
    public void CLI_only_options_exist_and_have_no_row() =>
        Assert.Empty(
            s_cliOnlyOptions.Keys.Except(GetAllOptions().Where(option => option.Option is not RowOption).Select(option => option.Name))
        );

    /// <summary>A row that a command creates for itself is in no table, so no cmdlet is tested against it.</summary>
    [InProcessFact]
    public void Every_option_row_is_in_an_option_table()
    {
        var rows = typeof(OptionTables).GetProperties().SelectMany(table => (IReadOnlyList<OptionRow>)table.GetValue(null)!).ToHashSet();
        Assert.Empty(
            GetAllOptions().Where(option => option.Option is RowOption made && !rows.Contains(made.Row)).Select(option => option.Name)
        );
    }

    private static IReadOnlyList<(string Name, Option Option)> GetAllOptions()
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        return [.. GetOptions(App.CreateRootCommand(console), "")];
    }

    private static IEnumerable<(string Name, Option Option)> GetOptions(Command command, string path) =>
        command
            .Options.Select(option => (path + option.Name, option))
            .Concat(command.Subcommands.SelectMany(inner => GetOptions(inner, $"{path}{inner.Name} ")));
}
