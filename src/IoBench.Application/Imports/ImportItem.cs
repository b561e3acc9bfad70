using IoBench.Engine;

namespace IoBench.Application;

public abstract record ImportItem(string Path);

public sealed record ImportedResult(string Path, IoTestResult Result) : ImportItem(Path);

/// <summary>File or folder that cannot be read, or only in part. The import continues with the others.</summary>
public sealed record ImportFailure(string Path, IoBenchException Error) : ImportItem(Path);

/// <summary>Note about files of a folder or values of a file that the import skipped, or about a run that ended before it had
/// values.</summary>
/// <param name="Incomplete">Already returned result of the run; null for any other note.</param>
public sealed record ImportNote(string Path, string Text, IoTestResult? Incomplete = null) : ImportItem(Path);

/// <summary>File of a folder without results.</summary>
/// <param name="Reason">The kind of file, such as <c>empty</c>.</param>
/// <param name="Detail">More about the file; null if there is nothing more to say.</param>
public sealed record SkippedFile(string Path, string Reason, string? Detail = null) : ImportItem(Path);

public sealed record ImportedFile(string Path, int Count) : ImportItem(Path);
