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

    private readonly Option<bool> _recurse = OptionText.CreateFlag("--recurse", "Folders with their subfolders.", "-r");
    private readonly Option<string[]> _label = OptionText.Create("--label", "TEXT", "Your name for the results.");
    private readonly Option<string[]> _labelFrom = OptionText.Create("--label-from", "NAME", "A result's label: filename (the name of its file) or folder (the name of its folder).");
    private readonly Option<bool> _last = OptionText.CreateFlag("--last", "The results of the last run, which are kept automatically.");

    /// <summary>Adds the argument and the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_files);
        command.Add(_recurse);
        command.Add(_label);
        command.Add(_labelFrom);
        command.Add(_last);
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
    public (int ExitCode, IReadOnlyCollection<string> Warnings) Pass(ParseResult parsed, CliConsole console, bool quiet, Action<IEnumerable<IoTestResult>> write)
    {
        var (names, options) = Chosen(parsed);
        return ConsoleImport.Pass(names, options, console, quiet, write);
    }

    private (IReadOnlyList<string> Names, ImportOptions Options) Chosen(ParseResult parsed)
    {
        var label = parsed.Text(_label);
        var labelFrom = parsed.Text(_labelFrom);
        var source = labelFrom?.Replace("-", "", StringComparison.Ordinal).ToUpperInvariant() switch
        {
            null => LabelSource.Content,
            "FILENAME" => LabelSource.FileName,
            "FOLDER" => LabelSource.Folder,
            _ => throw OptionText.Wrong(parsed, _labelFrom, $"'{labelFrom}' is not one of filename, folder."),
        };
        if (label is not null && labelFrom is not null)
            throw IoBenchException.Usage("IoBench.Usage", $"{Opt.Label} and {new OptionName("LabelFrom")} exclude each other: give one.");
        var files = parsed.GetValue(_files) ?? [];
        var last = parsed.GetValue(_last);
        if (files.Length == 0 && !last)
            throw IoBenchException.Usage("IoBench.Usage", $"{parsed.CommandResult.Command.Name} needs {_files.Name}: {_files.Description}");
        return (last ? [RunJournal.LastFile, .. files] : files, new ImportOptions { Recurse = parsed.GetValue(_recurse), Label = label, LabelFrom = source });
    }
}
