using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>What was read, and how it went.</summary>
/// <param name="Results">All results, file by file.</param>
/// <param name="ExitCode">0, or that of the first file that could not be read or was cut off.</param>
internal sealed record ImportedResults(IReadOnlyList<IoTestResult> Results, int ExitCode)
{
    /// <summary>The file that each result was read from now; a result may name another that it came from first.</summary>
    public required IReadOnlyDictionary<IoTestResult, string> Files { get; init; }

    private const int MostFiles = 3;

    /// <summary>Each kind of warning in a line, with the file that it is in, of several how many and the first; those of runs that were cut off were reported as errors.</summary>
    public IEnumerable<string> Warnings() => Results
        .Where(r => r.Status != IoResultStatus.Incomplete)
        .SelectMany(r => r.Warnings.Select(w => (File: Path.GetFileName(r.SourceFile ?? Files.GetValueOrDefault(r) ?? ""), Text: w)))
        .Distinct()
        .GroupBy(w => WarningDigest.Kind(w.Text))
        .Select(kind =>
        {
            var files = kind.Select(w => w.File).Where(f => f.Length > 0).Distinct().ToList();
            var of = files.Count == 0 ? "" : (files.Count == 1 ? files[0] : $"{string.Join(", ", files.Take(MostFiles))}{(files.Count > MostFiles ? $" and {files.Count - MostFiles} more files" : "")}") + ": ";
            return $"Note{(kind.Count() == 1 ? "" : $" ({kind.Count()} times)")}: {of}{kind.First().Text}";
        });
}

/// <summary>Reads result files and folders of them: errors go to the console, the first decides the exit code, the others are read all the same.</summary>
internal static class ResultImport
{
    public static ImportedResults Read(IReadOnlyList<string> names, ImportOptions options, CliConsole console, bool quiet = false)
    {
        var at = "";
        return FileLook.Take(console, () => at, () => Read(names.Select(name => at = name), options, console, quiet));
    }

    private static ImportedResults Read(IEnumerable<string> names, ImportOptions options, CliConsole console, bool quiet)
    {
        var results = new List<IoTestResult>();
        var from = new Dictionary<IoTestResult, string>();
        var exitCode = ExitCodes.Done;
        foreach (var item in IoBench.Application.ResultImport.Read(names.SelectMany(Files), options))
        {
            console.Cancelled.ThrowIfCancellationRequested();
            switch (item)
            {
                case ImportedResult found:
                    results.Add(found.Result);
                    from[found.Result] = found.Path;
                    break;
                case ImportFailure failure:
                    Report(MessageOf(failure.Error, options.Recurse), failure.Error.ExitCode);
                    break;
                case ImportNote note:
                    if (!quiet)
                        console.Error.WriteLine($"Note: {note.Text}");
                    break;
                case IncompleteResult cut:
                    // What is there is shown all the same; whoever converts a folder at night learns by the exit code that a file was cut.
                    Report(cut.Reason, ExitCodes.Failed);
                    break;
            }
        }
        return new ImportedResults(results, exitCode) { Files = from };

        IReadOnlyList<string> Files(string name)
        {
            if (Expand(name) is { Count: > 0 } files)
                return files;
            var error = IoBenchException.NotFound("IoBench.FileNotFound", $"No file matches {name}.", name);
            Report(error.Text, error.ExitCode);
            return [];
        }

        void Report(IoText message, int code)
        {
            App.WriteError(console, message);
            exitCode = exitCode == ExitCodes.Done ? code : exitCode;
        }
    }

    /// <summary>Where a folder holds none, how its subfolders are searched.</summary>
    private static IoText MessageOf(IoBenchException error, bool recurse)
        => error.ErrorId == "IoBench.NoResultFiles" && !recurse ? (IoText)$"{error.Message.TrimEnd('.')}: {Opt.Recurse} searches them." : error.Text;

    /// <summary>Files of a wildcard where the shell leaves it (Windows), none when nothing matches; or the file itself, which need not exist.</summary>
    private static IReadOnlyList<string> Expand(string name)
    {
        if (Path.Exists(name) || name.AsSpan().IndexOfAny('*', '?') < 0)
            return [name];
        var folder = Path.GetDirectoryName(name) is { Length: > 0 } parent ? parent : ".";
        return Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, Path.GetFileName(name)).Order(StringComparer.Ordinal)] : [];
    }
}
