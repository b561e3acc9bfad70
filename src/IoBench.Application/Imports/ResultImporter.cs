using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Reads result files and folders of result files, and labels the results. A file that fails does not affect the others.</summary>
public static class ResultImporter
{
    public static IEnumerable<ImportItem> Read(IEnumerable<string> paths, ImportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        // Consecutive files are read ahead together. The files of a folder are also read in one pass.
        foreach (var group in GroupPaths(paths))
        {
            foreach (
                var item in group.IsFolder
                    ? ReadFolder(group.Paths[0], options)
                    : ReadFiles(ResultReader.ReadFiles(group.Paths, options.Expected), options)
            )
                yield return item;
        }
    }

    private static IEnumerable<(bool IsFolder, List<string> Paths)> GroupPaths(IEnumerable<string> paths)
    {
        List<string> files = [];
        foreach (var path in paths)
        {
            if (!Directory.Exists(path))
            {
                files.Add(path);
                continue;
            }
            if (files.Count > 0)
                yield return (false, files);
            files = [];
            yield return (true, [path]);
        }
        if (files.Count > 0)
            yield return (false, files);
    }

    private static IEnumerable<ImportItem> ReadFolder(string folder, ImportOptions options)
    {
        IEnumerable<ResultFileContent> files = [];
        ImportFailure? failure = null;
        List<string> notes = [];
        try
        {
            files = ResultReader.ReadFolder(folder, options.Recurse, options.Expected, notes.Add);
        }
        catch (IoBenchException error)
        {
            failure = new(folder, error);
        }
        foreach (var note in notes)
            yield return new ImportNote(folder, note);
        var isEmpty = failure is null;
        var resultCount = 0;
        var fileCount = 0;
        var failureCount = 0;
        List<SkippedFile> skipped = [];
        List<ImportNote> messages = [];
        List<ImportNote> incomplete = [];
        foreach (var item in ReadFiles(files, options))
        {
            // Folders with results also contain other text files, such as a tool's help or the log of a failed call.
            var skippedFile = item switch
            {
                SkippedFile file => file,
                ImportFailure { Error.ErrorId: ErrorIds.NoResults } none => new SkippedFile(
                    none.Path,
                    "without results",
                    none.Error.Message
                ),
                ImportNote { Incomplete: { } help } when HasNoRun(help) => new SkippedFile(
                    item.Path,
                    "with only help text or command lines"
                ),
                _ => null,
            };
            if (skippedFile is not null)
            {
                skipped.Add(skippedFile);
                yield return skippedFile;
                continue;
            }
            if (item is ImportedFile { Count: 0 } || (item is ImportedResult { Result: var text } && HasNoRun(text)))
                continue;
            if (item is ImportedFile && skipped.Count > 0 && skipped[^1].Path == item.Path)
                continue;
            isEmpty = false;
            switch (item)
            {
                case ImportNote message:
                    (message.Incomplete is null ? messages : incomplete).Add(message);
                    continue;
                case ImportedResult:
                    resultCount++;
                    break;
                case ImportedFile { Count: > 0 }:
                    fileCount++;
                    break;
                case ImportFailure:
                    failureCount++;
                    break;
            }
            yield return item;
        }
        foreach (var note in CombineEqual(messages).Concat(CombineEqual(incomplete)))
            yield return note;
        if (failure is not null)
            yield return failure;
        else if (isEmpty)
            yield return new ImportFailure(
                folder,
                ResultReader.CreateNoResultFilesError(
                    folder,
                    options.Recurse,
                    options.Recurse ? null : (IoMessage)$"{OptionNames.Recurse} searches them."
                )
            );
        if (skipped.Count > 0 || failureCount > 0)
            yield return new ImportNote(folder, DescribeFolder(folder, resultCount, fileCount, skipped, failureCount));
    }

    /// <summary>Returns messages that differ only in the path of their file once, with the number of files.</summary>
    private static IEnumerable<ImportNote> CombineEqual(List<ImportNote> notes)
    {
        foreach (var group in notes.GroupBy(note => RemovePath(note.Text, note.Path)))
        {
            List<ImportNote> equal = [.. group];
            yield return equal.Count == 1
                ? equal[0]
                : equal[0] with
                {
                    Text = equal.TrueForAll(note => note.Path == equal[0].Path)
                        ? $"{equal[0].Path}: {equal.Count} times: {group.Key}"
                        : $"{equal.Count} times: {group.Key} First file: {equal[0].Path}",
                };
        }
    }

    private static string RemovePath(string text, string path) =>
        text.StartsWith(path + ": ", StringComparison.Ordinal) ? text[(path.Length + 2)..] : text;

    private static string DescribeFolder(string folder, int resultCount, int fileCount, List<SkippedFile> skipped, int failureCount)
    {
        const int maxNames = 3;
        var text = $"{folder}: {NumberFormat.Pluralize(resultCount, "result")} from {NumberFormat.Pluralize(fileCount, "file")}.";
        if (skipped.Count > 0)
        {
            var reasons = skipped
                .GroupBy(file => file.Reason)
                .Select(group =>
                    $"{group.Count()} {group.Key} ({NumberFormat.List([.. group.Select(file => Path.GetFileName(file.Path))], maxNames)})"
                );
            text += $" Skipped: {string.Join(", ", reasons)}.";
        }
        if (failureCount > 0)
            text += $" Failed: {NumberFormat.Pluralize(failureCount, "file")}.";
        return text;
    }

    // Neither a specification nor values: the beginning of a tool's help text looks like the beginning of a run.
    private static bool HasNoRun(IoTestResult result) =>
        result is { Status: IoResultStatus.Incomplete, IOPS: null, IOPattern: null, Path: null };

    private static IEnumerable<ImportItem> ReadFiles(IEnumerable<ResultFileContent> files, ImportOptions options)
    {
        foreach (var file in files)
        {
            if (file.SkipReason is { } reason)
            {
                yield return new SkippedFile(file.Path, reason);
                continue;
            }
            var count = 0;
            List<IoTestResult> incomplete = [];
            List<ImportNote> failed = [];
            using var results = file.Results.GetEnumerator();
            ImportFailure? failure = null;
            while (TryReadNext(results, file.Path, ref failure))
            {
                count++;
                var result = results.Current;
                result.Label = GetLabel(result, file.Path, options);
                result.SourceFile ??= file.Path;
                if (result.Status == IoResultStatus.Incomplete)
                    incomplete.Add(result);
                if (DescribeFailure(result) is { } why)
                    failed.Add(new ImportNote(file.Path, $"{file.Path}: {why}"));
                yield return new ImportedResult(file.Path, result);
            }
            foreach (var note in CombineEqual(failed))
                yield return note;
            foreach (var note in file.Notes)
                yield return new ImportNote(file.Path, note);
            foreach (var cut in incomplete)
                yield return new ImportNote(file.Path, DescribeReason(cut, file.Path), cut);
            if (failure is not null)
                yield return failure;
            yield return new ImportedFile(file.Path, count);
        }
    }

    private static bool TryReadNext(IEnumerator<IoTestResult> results, string path, ref ImportFailure? failure)
    {
        try
        {
            return results.MoveNext();
        }
        catch (IoBenchException error)
        {
            failure = new(path, error);
            return false;
        }
    }

    private static string? GetLabel(IoTestResult result, string path, ImportOptions options) =>
        options switch
        {
            { Label: { } label } => label,
            { LabelFrom: LabelSource.FileName } => Path.GetFileNameWithoutExtension(path),
            { LabelFrom: LabelSource.Folder } => Path.GetFileName(Path.GetDirectoryName(Path.GetFullPath(path))),
            _ => result.Label,
        };

    /// <summary>Returns why a test failed or could not verify its data; null for any other test.</summary>
    private static string? DescribeFailure(IoTestResult result)
    {
        if (result is { Status: IoResultStatus.Failed, ErrorMessage: { } error })
            return result.IOPattern is { } pattern ? $"the test {pattern} failed: {error}" : $"the test failed: {error}";
        return IntegrityResult.FindProblems([result]) is [var problem] ? problem.Summary : null;
    }

    private static string DescribeReason(IoTestResult cut, string path)
    {
        var why = string.Join(' ', cut.Warnings.Prepend(cut.ErrorMessage).Where(reason => !string.IsNullOrEmpty(reason)));
        return $"{path}: {(why.Length > 0 ? why : "The output ends before the results.")} Run the test again, or copy its complete output.";
    }
}
