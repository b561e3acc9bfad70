using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Next item that the import read.</summary>
/// <param name="Path">File or folder of the item.</param>
public abstract record ImportItem(string Path);

/// <summary>Result with its label.</summary>
/// <param name="Path">File of the result.</param>
public sealed record ImportedResult(string Path, IoTestResult Result) : ImportItem(Path);

/// <summary>File or folder that cannot be read, or only in part. The import continues with the others.</summary>
/// <param name="Path">File or folder.</param>
/// <param name="Error">Reason.</param>
public sealed record ImportFailure(string Path, IoBenchException Error) : ImportItem(Path);

/// <summary>Note about files of a folder, or values of a file, that the import skipped.</summary>
/// <param name="Path">Folder or file.</param>
/// <param name="Text">Text of one line.</param>
public sealed record ImportNote(string Path, string Text) : ImportItem(Path);

/// <summary>Already returned result of a run that ended before it had values.</summary>
/// <param name="Path">File of the result.</param>
/// <param name="Reason">File and reason, in one line.</param>
public sealed record IncompleteResult(string Path, IoTestResult Result, string Reason) : ImportItem(Path);

/// <summary>End of a file.</summary>
/// <param name="Path">The file.</param>
/// <param name="Count">Number of results in the file.</param>
public sealed record ImportedFile(string Path, int Count) : ImportItem(Path);
