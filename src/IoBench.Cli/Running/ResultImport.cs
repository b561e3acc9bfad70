using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Running;

/// <summary>What was read, and how it went.</summary>
/// <param name="Results">All results, file by file.</param>
/// <param name="ExitCode">0, or that of the first file that could not be read or was cut off.</param>
internal sealed record ImportedResults(IReadOnlyList<IoTestResult> Results, int ExitCode)
{
    /// <summary>Every warning of a result with its file and line; those of runs that were cut off were told as errors.</summary>
    public IEnumerable<string> Warnings() => Results
        .Where(r => r.Status != IoResultStatus.Incomplete)
        .SelectMany(r => r.Warnings.Select(w => $"Note: {(r.SourceFile is null ? "" : Path.GetFileName(r.SourceFile) + ": ")}{w}"))
        .Distinct();
}

/// <summary>Reads result files and folders of them.</summary>
internal static class ResultImport
{
    public static ImportedResults Read(IReadOnlyList<string> names, bool recurse, string? label, bool labelFromFile, CliConsole console)
    {
        var results = new List<IoTestResult>();
        var exitCode = ExitCodes.Done;
        foreach (var name in names)
        {
            // A file or folder among several that cannot be read does not stop the others.
            var isEmpty = true;
            foreach (var (file, fileResults) in Attempt(() => Open(name, recurse)) ?? [])
            {
                isEmpty = false;
                console.Cancelled.ThrowIfCancellationRequested();
                if (Attempt(() => fileResults.ToList()) is not { } read)
                    continue;
                foreach (var result in read)
                    result.Label = labelFromFile ? Path.GetFileNameWithoutExtension(file) : label ?? result.Label;
                results.AddRange(read);
                TellIncomplete(file, read);
            }
            if (isEmpty && Directory.Exists(name))
                Attempt(() => FilesOf(name, recurse));
        }
        return new ImportedResults(results, exitCode);

        // What is there is shown all the same; whoever converts a folder at night learns by the exit code that a file was cut.
        void TellIncomplete(string file, List<IoTestResult> read)
        {
            foreach (var cut in read.Where(r => r.Status == IoResultStatus.Incomplete))
            {
                // Of an interrupted run its own sentence is the reason, of one that was cut off a warning.
                App.WriteError(console, $"{file}: {string.Join(' ', cut.Warnings.Prepend(cut.ErrorMessage).Where(reason => !string.IsNullOrEmpty(reason)))} Run that test again, or copy its whole output.");
                exitCode = exitCode == ExitCodes.Done ? ExitCodes.Failed : exitCode;
            }
        }

        T? Attempt<T>(Func<T> read) where T : class
        {
            try
            {
                return read();
            }
            catch (IoBenchException error)
            {
                App.WriteError(console, error.Message);
                exitCode = exitCode == ExitCodes.Done ? error.ExitCode : exitCode;
                return null;
            }
        }
    }

    private static IEnumerable<ReadResultFile> Open(string name, bool recurse)
        => Directory.Exists(name) ? ResultFiles.ReadFolder(name, recurse) : ResultFiles.Read(Expand(name));

    /// <summary>Throws where a folder holds none, and says how its subfolders are searched.</summary>
    private static IEnumerable<string> FilesOf(string folder, bool recurse)
    {
        try
        {
            return ResultReader.FindFiles(folder, recurse);
        }
        catch (IoBenchException error) when (error.ErrorId == "IoBench.NoResultFiles")
        {
            throw recurse ? error : new IoBenchException(error.ErrorId, error.Kind, $"{error.Message.TrimEnd('.')}: --recurse searches them.", error.Target, error);
        }
    }

    /// <summary>Files of a wildcard where the shell leaves it (Windows), or the file itself.</summary>
    private static List<string> Expand(string name)
    {
        if (File.Exists(name) || name.AsSpan().IndexOfAny('*', '?') < 0)
            return [name];
        var folder = Path.GetDirectoryName(name) is { Length: > 0 } parent ? parent : ".";
        var files = Directory.Exists(folder) ? Directory.EnumerateFiles(folder, Path.GetFileName(name)).Order(StringComparer.Ordinal).ToList() : [];
        return files.Count > 0 ? files : throw IoBenchException.NotFound("IoBench.FileNotFound", $"No file matches {name}.", name);
    }
}
