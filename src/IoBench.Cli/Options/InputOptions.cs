using System.CommandLine;

namespace IoBench.Cli.Options;

/// <summary>Which files are read, and what their results are called.</summary>
internal sealed class InputOptions
{
    private readonly Argument<string[]> _files = new("FILE")
    {
        Description = $"result files of {ResultFormats.AllTools}, or folders of them.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private readonly RowOptions _options = new(OptionTables.Import);

    /// <summary>Adds the argument and the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_files);
        _options.AddTo(command);
    }

    /// <summary>Reads all files. One that cannot be read is an error on standard error; the others are read all the same.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="console">Where errors go.</param>
    /// <param name="quiet">Whether only errors are written.</param>
    /// <param name="lighten">Takes from each result what is not needed; null = nothing.</param>
    public ImportedResults Read(ParseResult parsed, CliConsole console, bool quiet = false, Action<IoTestResult>? lighten = null)
    {
        var (names, options) = Chosen(parsed);
        return ConsoleImport.Read(names, options, console, quiet, lighten);
    }

    /// <summary>The same one by one, for what needs one at a time.</summary>
    public (int ExitCode, IReadOnlyCollection<string> Warnings) Pass(
        ParseResult parsed,
        CliConsole console,
        bool quiet,
        Action<IEnumerable<IoTestResult>> write
    )
    {
        var (names, options) = Chosen(parsed);
        return ConsoleImport.Pass(names, options, console, quiet, write);
    }

    private (IReadOnlyList<string> Names, ImportOptions Options) Chosen(ParseResult parsed)
    {
        var values = _options.Read(parsed);
        var options = ImportOptions.Create(values);
        var files = parsed.GetValue(_files) ?? [];
        var last = values.IsOn(new OptionName("Last"));
        if (files.Length == 0 && !last)
            throw IoBenchException.Usage("IoBench.Usage", $"{parsed.CommandResult.Command.Name} needs {_files.Name}: {_files.Description}");
        return (last ? [RunJournal.LastFile, .. files] : files, options);
    }
}
