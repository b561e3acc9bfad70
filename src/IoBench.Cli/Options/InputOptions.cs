using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class InputOptions
{
    private readonly Argument<string[]> _files = new("FILE")
    {
        Description = $"result files of {ResultFormats.AllTools}, or folders of them.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private readonly CommandOptions _options = new(OptionTables.Import);

    public void AddTo(Command command)
    {
        command.Add(_files);
        _options.AddTo(command);
    }

    /// <summary>A file that cannot be read is an error on standard error. The other files are read nevertheless.</summary>
    /// <param name="lighten">Removes unneeded details from each result; null to keep them.</param>
    public ImportedResults ReadResults(ParseResult parsed, CliConsole console, bool quiet = false, Action<IoTestResult>? lighten = null)
    {
        var (names, options) = GetInputs(parsed);
        return InputOptions.ReadFiles(names, options, console, quiet, lighten);
    }

    /// <summary>Reads results one by one, so that memory holds one at a time.</summary>
    public (int ExitCode, IReadOnlyCollection<string> Warnings) StreamResults(
        ParseResult parsed,
        CliConsole console,
        bool quiet,
        Action<IEnumerable<IoTestResult>> write
    )
    {
        var (names, options) = GetInputs(parsed);
        return InputOptions.StreamFiles(names, options, console, quiet, write);
    }

    private (IReadOnlyList<string> Names, ImportOptions Options) GetInputs(ParseResult parsed)
    {
        var values = _options.ReadValues(parsed);
        var options = ImportOptions.Create(values);
        var files = parsed.GetValue(_files) ?? [];
        var last = values.IsOn(new OptionName("Last"));
        if (files.Length == 0 && !last)
            throw IoBenchException.Usage("IoBench.Usage", $"{parsed.CommandResult.Command.Name} needs {_files.Name}: {_files.Description}");
        return (last ? [RunJournal.LastFile, .. files] : files, options);
    }
}
