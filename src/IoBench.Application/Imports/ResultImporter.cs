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
                    : ReadFiles(ResultFiles.ReadFiles(group.Paths, options.Expected), options)
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
            files = ResultFiles.ReadFolder(folder, options.Recurse, options.Expected, notes.Add);
        }
        catch (IoBenchException error)
        {
            failure = new(folder, error);
        }
        foreach (var note in notes)
            yield return new ImportNote(folder, note);
        var isEmpty = failure is null;
        List<string> texts = [];
        foreach (var item in ReadFiles(files, options))
        {
            // Folders with results also contain other text files, such as a tool's help or the log of a failed call.
            if (item is ImportFailure { Error.ErrorId: ErrorIds.NoResults } none)
            {
                yield return new ImportNote(none.Path, $"left out: {none.Error.Message}");
                continue;
            }
            if (item is ImportedResult { Result: var text } && HasNoRun(text))
                continue;
            if (item is IncompleteResult { Result: var help } && HasNoRun(help))
            {
                texts.Add(item.Path);
                continue;
            }
            if (item is ImportedFile { Count: 0 })
                continue;
            isEmpty = false;
            yield return item;
        }
        if (texts.Count > 0)
            yield return new ImportNote(folder, DescribeFilesWithoutRun(texts));
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
    }

    private static string DescribeFilesWithoutRun(List<string> texts)
    {
        const int maxNames = 3;
        return texts.Count == 1
            ? $"{texts[0]} is left out: it is a tool's output, but holds no run."
            : $"{texts.Count} files are left out, tools' output that holds no run: {NameListFormat.Format(texts, maxNames)}.";
    }

    // Neither a specification nor values: the beginning of a tool's help text looks like the beginning of a run.
    private static bool HasNoRun(IoTestResult result) =>
        result is { Status: IoResultStatus.Incomplete, IOPS: null, IOPattern: null, Path: null };

    private static IEnumerable<ImportItem> ReadFiles(IEnumerable<ResultFileContent> files, ImportOptions options)
    {
        foreach (var file in files)
        {
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
                else if (IsFailedRunOfOtherTool(result) && failed.Count < MaxFailedNotes)
                    failed.Add(new ImportNote(file.Path, $"{file.Path}: failed run: {result.ErrorMessage}"));
                yield return new ImportedResult(file.Path, result);
                if (DescribeFailure(result) is { } why)
                    yield return new ImportNote(file.Path, $"{file.Path}: {why}");
            }
            foreach (var note in failed)
                yield return note;
            foreach (var note in file.Notes)
                yield return new ImportNote(file.Path, note);
            foreach (var cut in incomplete)
                yield return new IncompleteResult(file.Path, cut, DescribeReason(cut, file.Path));
            if (failure is not null)
                yield return failure;
            yield return new ImportedFile(file.Path, count);
        }
    }

    private const int MaxFailedNotes = 20;

    /// <summary>Tables only show that such a run failed. IoBench's own runs reported their error when they ran.</summary>
    private static bool IsFailedRunOfOtherTool(IoTestResult result) =>
        result is { Status: IoResultStatus.Failed, ErrorMessage.Length: > 0 } && result.Source != ResultFormats.OwnTool;

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
            return $"the test {result.IOPattern} failed: {error}";
        return IntegrityResult.FindProblems([result]) is [var problem] ? problem.Summary : null;
    }

    private static string DescribeReason(IoTestResult cut, string path)
    {
        var why = string.Join(' ', cut.Warnings.Prepend(cut.ErrorMessage).Where(reason => !string.IsNullOrEmpty(reason)));
        return $"{path}: {(why.Length > 0 ? why : "The run ends before its results.")} Run that test again, or copy its whole output.";
    }
}
