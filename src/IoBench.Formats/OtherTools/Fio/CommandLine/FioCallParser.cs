using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class FioCallParser(string? folder)
{
    private readonly FioOptions _global = new();
    private FioOptions? _own;
    private readonly HashSet<string> _sectionFilter = [];
    private readonly List<string> _files = [];

    internal List<FioJobDefinition> Sections { get; } = [];

    internal string? OutputFile { get; private set; }

    internal void ParseArguments(IReadOnlyList<string> args)
    {
        for (var i = 0; i < args.Count; i++)
        {
            var word = args[i];
            if (CommandLineSplitter.TryReadRedirection(args, ref i, out var outputFile))
                OutputFile = outputFile ?? OutputFile;
            else if (word.Length == 0)
                continue;
            else if (word[0] != '-')
                _files.Add(word);
            else
                ParseOption(word.TrimStart('-'), args, ref i);
        }
        foreach (var file in _files)
            ReadJobFile(file);
        if (Sections.Count == 0)
            throw CreateError("the command line has no job. Specify --name=NAME with options, or a job file.");
    }

    private void ParseOption(string word, IReadOnlyList<string> args, ref int i)
    {
        var at = word.IndexOf('=', StringComparison.Ordinal);
        var name = at < 0 ? word : word[..at];
        var value = at >= 0 ? word[(at + 1)..] : "";
        if (
            at < 0
            && !FioOptionCatalog.IsSwitch(name)
            && i + 1 < args.Count
            && args[i + 1] is { Length: > 0 } next
            && next[0] is not ('-' or '>')
        )
            value = args[++i];
        switch (name)
        {
            case "help"
            or "h"
            or "cmdhelp"
            or "enghelp"
            or "version"
            or "v"
            or "parse-only"
            or "showcmd"
            or "crctest"
            or "cpuclock-test"
            or "warnings-fatal":
                throw CreateError($"a fio command line with --{name} does not run a test.");
            case "client" or "server" or "remote-config" or "profile":
                throw IoBenchException.Usage("IoBench.NotSupported", $"fio: IoBench does not support --{name}.");
            case "section":
                _sectionFilter.Add(value);
                return;
            case "output":
                OutputFile = value;
                return;
            case "name":
                _own = new FioOptions(_global);
                Sections.Add(new FioJobDefinition(value.Length == 0 ? "job" : value, null, _own));
                return;
        }
        FioOptionCatalog.SetOption(
            _own ?? _global,
            name,
            FioOptionCatalog.ExpandVariables(value, missing => CreateError($"the environment variable {missing} is not set."))
        );
    }

    private void ReadJobFile(string name)
    {
        var path = folder is null ? name : Path.Combine(folder, name);
        var sections = TextInput.ReadText(path, reader => FioCommandLine.ReadSections(reader, _global));
        Sections.AddRange(sections.Where(section => _sectionFilter.Count == 0 || _sectionFilter.Contains(section.Name)));
    }

    private static IoBenchException CreateError(string message) => IoBenchException.Usage("IoBench.InvalidCommandLine", "fio: " + message);
}
