namespace IoBench.Cli.Running;

/// <summary>What was read, and how it went.</summary>
/// <param name="Results">All results, file by file.</param>
/// <param name="ExitCode">0, or that of the first file that could not be read or was cut off.</param>
internal sealed record ImportedResults(IReadOnlyList<IoTestResult> Results, int ExitCode)
{
    /// <summary>The file that each result was read from now; a result may name another that it came from first.</summary>
    public required IReadOnlyDictionary<IoTestResult, string> Files { get; init; }

    private const int MaxFiles = 3;

    /// <summary>Each kind of warning in a line, with the file that it is in, of several how many and the first; those of runs that were cut off were reported as errors.</summary>
    /// <param name="spelling">How options are named.</param>
    public IEnumerable<string> Warnings(TextSpelling spelling) =>
        Lines(Results.SelectMany(r => WarningsOf(r, Files.GetValueOrDefault(r) ?? "", spelling)));

    /// <summary>The warnings of one result, each with the name of its file.</summary>
    internal static IEnumerable<(string File, string Text)> WarningsOf(IoTestResult result, string path, TextSpelling spelling) =>
        result.Status == IoResultStatus.Incomplete || !result.HasWarnings()
            ? []
            : result.GetWarnings().Select(warning => (Path.GetFileName(result.SourceFile ?? path), warning.Text.Render(spelling)));

    /// <summary>A line for each kind.</summary>
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

/// <summary>Reads result files and folders of them: errors go to the console, the first decides the exit code, the others are read all the same.</summary>
internal static class ConsoleImport
{
    /// <summary>Reads all of them.</summary>
    /// <param name="names">Files, folders and, where the shell leaves them, wildcards.</param>
    /// <param name="options">How.</param>
    /// <param name="console">Where errors go.</param>
    /// <param name="quiet">Whether only errors are written.</param>
    /// <param name="lighten">Takes from each result what is not needed; null = nothing.</param>
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

    /// <summary>Hands them on one by one, so that memory holds one at a time; when the console is cancelled, what was begun is ended properly before.</summary>
    /// <param name="names">Files, folders and, where the shell leaves them, wildcards.</param>
    /// <param name="options">How.</param>
    /// <param name="console">Where errors go.</param>
    /// <param name="quiet">Whether only errors are written.</param>
    /// <param name="write">Takes them.</param>
    /// <returns>The exit code, and the lines about results.</returns>
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
                        // Whoever takes it may be what does not answer.
                        var file = at;
                        at = "Standard output";
                        yield return found.Result;
                        at = file;
                    }
                }
            }
        );
    }

    /// <summary>One go through all files.</summary>
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
                        // What is there is shown all the same; whoever converts a folder at night learns by the exit code that a file was cut.
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

    /// <summary>Files of a wildcard where the shell leaves it (Windows), none when nothing matches; or the file itself, which need not exist.</summary>
    private static IReadOnlyList<string> Expand(string name)
    {
        if (Path.Exists(name) || name.AsSpan().IndexOfAny('*', '?') < 0)
            return [name];
        var folder = Path.GetDirectoryName(name) is { Length: > 0 } parent ? parent : ".";
        return Directory.Exists(folder) ? [.. Directory.EnumerateFiles(folder, Path.GetFileName(name)).Order(StringComparer.Ordinal)] : [];
    }
}
