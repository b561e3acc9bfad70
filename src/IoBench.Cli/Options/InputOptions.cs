using System.CommandLine;
using IoBench.Cli.Running;
using IoBench.Engine;

namespace IoBench.Cli.Options;

/// <summary>Which files are read, and what their results are called.</summary>
internal sealed class InputOptions
{
    private readonly Argument<string[]> _files = new("FILE")
    {
        Description = "result files of SQLIO, DiskSpd or IoBench, or folders of them.",
        Arity = ArgumentArity.OneOrMore,
    };

    private readonly Option<bool> _recurse = OptionText.CreateFlag("--recurse", "Folders with their subfolders.", "-r");
    private readonly Option<string[]> _label = OptionText.Create("--label", "TEXT", "Your name for the results.");
    private readonly Option<string[]> _labelFrom = OptionText.Create("--label-from", "filename", "The name of its file as a result's label.");

    /// <summary>Adds the argument and the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_files);
        command.Add(_recurse);
        command.Add(_label);
        command.Add(_labelFrom);
    }

    /// <summary>Reads all files. One that cannot be read is an error on standard error; the others are read all the same.</summary>
    public ImportedResults Read(ParseResult parsed, CliConsole console)
    {
        var label = parsed.Text(_label);
        var labelFrom = parsed.Text(_labelFrom);
        if (labelFrom is not null && !labelFrom.Replace("-", "", StringComparison.Ordinal).Equals("filename", StringComparison.OrdinalIgnoreCase))
            throw OptionText.Wrong(parsed, _labelFrom, $"'{labelFrom}' is not possible: only filename is.");
        if (label is not null && labelFrom is not null)
            throw IoBenchException.Usage("IoBench.Usage", "--label and --label-from exclude each other: give one.");
        return ResultImport.Read(parsed.GetValue(_files) ?? [], parsed.GetValue(_recurse), label, labelFrom is not null, console);
    }
}
