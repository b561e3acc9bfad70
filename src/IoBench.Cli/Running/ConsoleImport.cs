using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <param name="ExitCode">0, or the exit code for the first file that could not be read or was cut off.</param>
internal sealed record ImportedResults(IReadOnlyList<IoTestResult> Results, int ExitCode)
{
    public required IReadOnlyDictionary<IoTestResult, string> Files { get; init; }

    private const int MaxFiles = 3;

    /// <summary>One line per kind of warning. Incomplete runs are left out, because they were reported as errors.</summary>
    public IEnumerable<string> Warnings(TextSpelling spelling) =>
        Lines(Results.SelectMany(r => WarningsOf(r, Files.GetValueOrDefault(r) ?? "", spelling)));

    internal static IEnumerable<(string File, string Text)> WarningsOf(IoTestResult result, string path, TextSpelling spelling) =>
        result.Status == IoResultStatus.Incomplete || !result.HasWarnings()
            ? []
            : result.GetWarnings().Select(warning => (Path.GetFileName(result.SourceFile ?? path), warning.Text.Render(spelling)));

    internal static IEnumerable<string> Lines(IEnumerable<(string File, string Text)> warnings) =>
        warnings
            .Distinct()
            .GroupBy(w => WarningDigest.Kind(w.Text))
            .Select(kind =>
            {
                var files = kind.Select(w => w.File).Where(f => f.Length > 0).Distinct().ToList();
                var more = files.Count > MaxFiles ? $" and {Figures.Counted(files.Count - MaxFiles, "more file")}" : "";
                var of = files.Count == 0 ? "" : $"{string.Join(", ", files.Take(MaxFiles))}{more}: ";
                return $"Note{(kind.Count() == 1 ? "" : $" ({kind.Count()} times)")}: {of}{kind.First().Text}";
            });
}

internal static class ConsoleImport
{
    /// <param name="names">Files, folders, and wildcards that the shell did not expand.</param>
    /// <param name="lighten">Removes unneeded details from each result; null to keep them.</param>
    public static ImportedResults Read(
        IReadOnlyList<string> names,
        ImportOptions options,
        CliConsole console,
        bool quiet,
        Action<IoTestResult>? lighten = null
    )
    {
        var at = "";
        return FileLook.Take(
            console,
            () => at,
            () =>
            {
                var reading = new Reading(names.Select(name => at = name), options, console, quiet);
                var results = new List<IoTestResult>();
                var from = new Dictionary<IoTestResult, string>();
                foreach (var found in reading.Results())
                {
                    console.Cancelled.ThrowIfCancellationRequested();
                    lighten?.Invoke(found.Result);
                    results.Add(found.Result);
                    from[found.Result] = found.Path;
                }
                return new ImportedResults(results, reading.ExitCode) { Files = from };
            }
        );
    }

    /// <summary>
    /// Reads results one by one, so that memory holds one at a time. After cancellation, the output is completed before the exception.
    /// </summary>
    /// <param name="names">Files, folders, and wildcards that the shell did not expand.</param>
    public static (int ExitCode, IReadOnlyCollection<string> Warnings) Pass(
        IReadOnlyList<string> names,
        ImportOptions options,
        CliConsole console,
        bool quiet,
        Action<IEnumerable<IoTestResult>> write
    )
    {
        var at = "";
        return FileLook.Take(
            console,
            () => at,
            () =>
            {
                var reading = new Reading(names.Select(name => at = name), options, console, quiet);
                var warnings = new HashSet<(string File, string Text)>();
                write(OneByOne());
                console.Cancelled.ThrowIfCancellationRequested();
                return (reading.ExitCode, (IReadOnlyCollection<string>)[.. ImportedResults.Lines(warnings)]);

                IEnumerable<IoTestResult> OneByOne()
                {
                    foreach (var found in reading.Results().TakeWhile(_ => !console.Cancelled.IsCancellationRequested))
                    {
                        warnings.UnionWith(ImportedResults.WarningsOf(found.Result, found.Path, console.Spelling));
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

    private sealed class Reading(IEnumerable<string> names, ImportOptions options, CliConsole console, bool quiet)
    {
        public int ExitCode { get; private set; } = ExitCodes.Done;

        public IEnumerable<ImportedResult> Results()
        {
            foreach (var item in ResultImport.Read(names.SelectMany(Files), options))
            {
                switch (item)
                {
                    case ImportedResult found:
                        yield return found;
                        break;
                    case ImportFailure failure:
                        Report(failure.Error.Text, failure.Error.ExitCode);
                        break;
                    case ImportNote note:
                        if (!quiet)
                            console.Error.WriteLine($"Note: {note.Text}");
                        break;
                    case IncompleteResult cut:
                        // Results of an incomplete file are shown, but the exit code tells a scheduled job that the file was cut off.
                        Report(cut.Reason, ExitCodes.Failed);
                        break;
                }
            }
        }

        private IReadOnlyList<string> Files(string name)
        {
            if (Expand(name) is { Count: > 0 } files)
                return files;
            var error = IoBenchException.NotFound("IoBench.FileNotFound", $"No file matches {name}.", name);
            Report(error.Text, error.ExitCode);
            return [];
        }

        private void Report(IoText message, int code)
        {
            App.WriteError(console, message);
            ExitCode = ExitCode == ExitCodes.Done ? code : ExitCode;
        }
    }

    /// <summary>
    /// Expands a wildcard that the shell did not expand (Windows); empty if nothing matches. A plain name is returned even if the file does
    /// not exist.
    /// </summary>
    private static IReadOnlyList<string> Expand(string name)
    {
        if (Path.Exists(name) || name.AsSpan().IndexOfAny('*', '?') < 0)
            return [name];
        var folder = Path.GetDirectoryName(name) is { Length: > 0 } parent ? parent : ".";
        return Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, Path.GetFileName(name)).Order(StringComparer.Ordinal)] : [];
    }
}
