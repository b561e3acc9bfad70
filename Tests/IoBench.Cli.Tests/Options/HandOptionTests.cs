using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli.Tests;

/// <summary>
/// Every CLI option is created from an option row, which the cmdlet tests use too, or is listed here with the reason why only the CLI has
/// it.
/// </summary>
public class HandOptionTests
{
    private const string Objects = "cmdlets put out objects, which PowerShell shows or converts";
    private const string Streams = "PowerShell has streams for it, and common parameters; Quiet of Test-IoResult asks for true or false";
    private const string Pages = "Get-Help shows every parameter";

    private static readonly Dictionary<string, string> s_ofTheProgram = new()
    {
        ["--help"] = Pages,
        ["--version"] = "Get-Module shows it",
        ["run --help-all"] = Pages,
        ["run --quiet"] = Streams,
        ["run --verbose"] = "Verbose is a common parameter of PowerShell",
        ["import --quiet"] = Streams,
        ["report --quiet"] = Streams,
        ["convert --format"] = Objects,
        ["compare --format"] = Objects,
        ["test --format"] = Objects,
        ["saturation --format"] = Objects,
        ["limit --help-all"] = Pages,
        ["limit --quiet"] = Streams,
        ["drill --format"] = Objects,
        ["drill --quiet"] = Streams,
        ["fleet --help-all"] = Pages,
        ["fleet --document"] = "what it writes starts the program on hosts, and no cmdlet",
        ["fleet --quiet"] = Streams,
        ["cap --quiet"] = Streams,
        ["history --format"] = Objects,
        ["verify --help-all"] = Pages,
        ["verify --quiet"] = Streams,
        ["witness --listen"] = "the module has no witness: it runs where PowerShell need not be",
        ["witness --output"] = "the module has no witness: it runs where PowerShell need not be",
        ["workloads --format"] = Objects,
        ["rules --format"] = Objects,
    };

    [InProcessFact]
    public void An_option_is_made_of_a_row_or_named_here() =>
        Assert.Empty(
            Options()
                .Where(option => option.Option is not IRowOption && !s_ofTheProgram.ContainsKey(option.Name))
                .Select(option => option.Name)
        );

    [InProcessFact]
    public void What_is_named_here_is_an_option_without_a_row() =>
        Assert.Empty(s_ofTheProgram.Keys.Except(Options().Where(option => option.Option is not IRowOption).Select(option => option.Name)));

    /// <summary>A row that a command creates for itself is in no table, so no cmdlet is tested against it.</summary>
    [InProcessFact]
    public void A_row_of_an_option_stands_in_a_table()
    {
        var rows = typeof(OptionTables).GetProperties().SelectMany(table => (IReadOnlyList<OptionRow>)table.GetValue(null)!).ToHashSet();
        Assert.Empty(Options().Where(option => option.Option is IRowOption made && !rows.Contains(made.Row)).Select(option => option.Name));
    }

    private static IReadOnlyList<(string Name, Option Option)> Options()
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        return [.. Of(App.CreateRoot(console), "")];
    }

    private static IEnumerable<(string Name, Option Option)> Of(Command command, string path) =>
        command
            .Options.Select(option => (path + option.Name, option))
            .Concat(command.Subcommands.SelectMany(inner => Of(inner, $"{path}{inner.Name} ")));
}
