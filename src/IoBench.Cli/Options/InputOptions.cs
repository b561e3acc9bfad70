using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class InputOptions
{
    private readonly Argument<string[]> _files = new("FILE")
    {
        Description = $"Result files of {ResultFormats.AllTools}, or folders.",
        Arity = ArgumentArity.ZeroOrMore,
    };

    private readonly CommandOptionSet _options = new(OptionTables.Import);

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

    /// <summary>The specified files that contain snapshots of sys.dm_io_virtual_file_stats, and whether there are other inputs.</summary>
    public (IReadOnlyList<string> Snapshots, bool HasOthers) FindSnapshotFiles(ParseResult parsed)
    {
        List<IoBenchException> missing = [];
        List<string> names = [.. (parsed.GetValue(_files) ?? []).SelectMany(name => ExpandWildcard(name, missing.Add))];
        List<string> snapshots = [.. names.Where(FileStatsSnapshot.IsSnapshotFile)];
        // For results, the import reports the error.
        if (snapshots.Count > 0 && missing.Count > 0)
            throw missing[0];
        return (snapshots, snapshots.Count < names.Count || _options.ReadValues(parsed).IsOn(new OptionName("Last")));
    }

    private (IReadOnlyList<string> Names, ImportOptions Options) GetInputs(ParseResult parsed)
    {
        var values = _options.ReadValues(parsed);
        var options = ImportOptions.Create(values);
        var files = parsed.GetValue(_files) ?? [];
        var last = values.IsOn(new OptionName("Last"));
        if (files.Length == 0 && !last)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{parsed.CommandResult.Command.Name} requires {_files.Name}: {_files.Description}"
            );
        return (last ? [RunJournal.LastFile, .. files] : files, options);
    }

    /// <param name="names">Files, folders, and wildcards that the shell did not expand.</param>
    /// <param name="lighten">Removes unneeded details from each result; null to keep them.</param>
    public static ImportedResults ReadFiles(
        IReadOnlyList<string> names,
        ImportOptions options,
        CliConsole console,
        bool quiet,
        Action<IoTestResult>? lighten = null
    )
    {
        var at = "";
        return CancellableFileCall.Run(
            console,
            () => at,
            () =>
            {
                var imported = new ImportedResults(console);
                foreach (var found in imported.ReadItems(names.Select(name => at = name), options, quiet))
                {
                    console.CancellationToken.ThrowIfCancellationRequested();
                    lighten?.Invoke(found.Result);
                    imported.Results.Add(found.Result);
                    imported.Files[found.Result] = found.Path;
                }
                return imported;
            }
        );
    }

    /// <summary>Holds one result in memory at a time. After cancellation, the output is completed before the exception.</summary>
    public static (int ExitCode, IReadOnlyCollection<string> Warnings) StreamFiles(
        IReadOnlyList<string> names,
        ImportOptions options,
        CliConsole console,
        bool quiet,
        Action<IEnumerable<IoTestResult>> write
    )
    {
        var at = "";
        return CancellableFileCall.Run(
            console,
            () => at,
            () =>
            {
                var imported = new ImportedResults(console);
                var warnings = new HashSet<(string File, string Text)>();
                write(OneByOne());
                console.CancellationToken.ThrowIfCancellationRequested();
                return (imported.ExitCode, (IReadOnlyCollection<string>)[.. ImportedResults.SummarizeWarnings(warnings)]);

                IEnumerable<IoTestResult> OneByOne()
                {
                    foreach (
                        var found in imported
                            .ReadItems(names.Select(name => at = name), options, quiet)
                            .TakeWhile(_ => !console.CancellationToken.IsCancellationRequested)
                    )
                    {
                        warnings.UnionWith(ImportedResults.GetWarnings(found.Result, found.Path, console.Spelling));
                        // The consumer of the result can hang too.
                        var file = at;
                        at = "Standard output";
                        yield return found.Result;
                        at = file;
                    }
                }
            }
        );
    }

    internal static IReadOnlyList<string> ExpandWildcard(string name, Action<IoBenchException> onError)
    {
        var files = ExpandWildcard(name);
        if (files.Count == 0)
            onError(IoBenchException.NotFound("IoBench.FileNotFound", $"No file matches {name}.", name));
        return files;
    }

    /// <summary>Windows shells do not expand wildcards. Empty if nothing matches. A plain name is returned even if the file does not
    /// exist.</summary>
    internal static IReadOnlyList<string> ExpandWildcard(string name)
    {
        if (Path.Exists(name) || name.AsSpan().IndexOfAny('*', '?') < 0)
            return [name];
        var folder = Path.GetDirectoryName(name) is { Length: > 0 } parent ? parent : ".";
        return Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, Path.GetFileName(name)).Order(StringComparer.Ordinal)] : [];
    }
}

/// <summary>The results of the inputs of a command. A file that cannot be read is an error on standard error. The other files are read
/// nevertheless.</summary>
internal sealed class ImportedResults(CliConsole console)
{
    public List<IoTestResult> Results { get; } = [];

    public Dictionary<IoTestResult, string> Files { get; } = [];

    /// <summary>0, or the exit code for the first file that could not be read or was cut off.</summary>
    public int ExitCode { get; private set; } = ExitCodes.Success;

    /// <summary>All inputs were read, and none has results.</summary>
    public bool IsEmpty => Results.Count == 0 && !_hasFailed;

    // An input could not be read. An input without results is an error too, but it was read.
    private bool _hasFailed;

    private const int MaxFiles = 3;

    /// <summary>Reads results one by one, and reports everything else.</summary>
    public IEnumerable<ImportedResult> ReadItems(IEnumerable<string> names, ImportOptions options, bool quiet)
    {
        foreach (var item in ResultImporter.Read(names.SelectMany(ExpandFiles), options))
        {
            switch (item)
            {
                case ImportedResult found:
                    yield return found;
                    break;
                case ImportFailure failure:
                    _hasFailed |= failure.Error.ErrorId is not (ErrorIds.NoResultFiles or ErrorIds.NoResults);
                    ReportError(failure.Error);
                    break;
                case ImportNote { Incomplete: not null } cut:
                    // Results of an incomplete file are shown, but the exit code tells a scheduled job that the file was cut off.
                    App.WriteError(console, cut.Text);
                    SetExitCode(ExitCodes.Failed);
                    break;
                case ImportNote note:
                    if (!quiet)
                        console.Error.WriteLine($"Note: {note.Text}");
                    break;
            }
        }
    }

    private IReadOnlyList<string> ExpandFiles(string name) =>
        InputOptions.ExpandWildcard(
            name,
            error =>
            {
                _hasFailed = true;
                ReportError(error);
            }
        );

    private void ReportError(IoBenchException error)
    {
        App.WriteError(console, error);
        SetExitCode(error.ExitCode);
    }

    private void SetExitCode(int code) => ExitCode = ExitCode == ExitCodes.Success ? code : ExitCode;

    /// <summary>One line per kind of warning. Incomplete runs are left out, because they were reported as errors.</summary>
    public IEnumerable<string> DescribeWarnings(OptionSpelling spelling) =>
        SummarizeWarnings(Results.SelectMany(r => GetWarnings(r, Files.GetValueOrDefault(r) ?? "", spelling)));

    internal static IEnumerable<(string File, string Text)> GetWarnings(IoTestResult result, string path, OptionSpelling spelling) =>
        result.Status == IoResultStatus.Incomplete || !result.HasWarnings()
            ? []
            : result.GetWarnings().Select(warning => (Path.GetFileName(result.SourceFile ?? path), warning.Text.Render(spelling)));

    internal static IEnumerable<string> SummarizeWarnings(IEnumerable<(string File, string Text)> warnings) =>
        warnings
            .Distinct()
            .GroupBy(w => WarningSummary.RemoveNumbers(w.Text))
            .Select(kind =>
            {
                var files = kind.Select(w => w.File).Where(f => f.Length > 0).Distinct().ToList();
                var more = files.Count > MaxFiles ? $" and {NumberFormat.Pluralize(files.Count - MaxFiles, "more file")}" : "";
                var of = files.Count == 0 ? "" : $"{string.Join(", ", files.Take(MaxFiles))}{more}: ";
                return $"Note{(kind.Count() == 1 ? "" : $" ({kind.Count()} times)")}: {of}{kind.First().Text}";
            });
}
