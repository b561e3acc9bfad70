using System.CommandLine;
using IoBench.Analysis;
using IoBench.Cli.Output;
using IoBench.Engine;

namespace IoBench.Cli.Options;

/// <summary>Where a server's kinds of files lie: each role is tested alone, then all at once.</summary>
internal sealed class RoleOptions
{
    private readonly Option<string[]> _data = OptionText.Create("--data-path", "PATH", "Data files lie here. With two or more roles: each alone, then all at once.");
    private readonly Option<string[]> _log = OptionText.Create("--log-path", "PATH", "Transaction logs lie here.");
    private readonly Option<string[]> _tempdb = OptionText.Create("--tempdb-path", "PATH", "tempdb lies here.");
    private readonly Option<string[]> _backup = OptionText.Create("--backup-path", "PATH", "Backups lie here.");

    /// <summary>The options.</summary>
    public IEnumerable<Option> All => [_data, _log, _tempdb, _backup];

    /// <summary>Their paths.</summary>
    public RolePaths Read(ParseResult parsed) => new(parsed.Text(_data), parsed.Text(_log), parsed.Text(_tempdb), parsed.Text(_backup));

    /// <summary>What each role loses to the others: a table under the results, and a sentence each on standard error.</summary>
    public static int Write(CliConsole console, IReadOnlyList<IoTestResult> results, bool table)
    {
        var answers = RoleInterference.Of(results);
        if (table)
            console.Out.WriteLine();
        AnswerTables.Tell(console, answers, AnswerTables.Write, answer => answer.Summary, table);
        return ExitCodes.Done;
    }
}
