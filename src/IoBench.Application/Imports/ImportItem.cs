namespace IoBench.Application.Imports;

/// <summary>What reading came to next.</summary>
/// <param name="Path">The file, or the folder, that it is about.</param>
public abstract record ImportItem(string Path);

/// <summary>A result, labelled.</summary>
/// <param name="Path">Its file.</param>
public sealed record ImportedResult(string Path, IoTestResult Result) : ImportItem(Path);

/// <summary>A file or folder that cannot be read, or not further; the others are read all the same.</summary>
/// <param name="Path">The file or folder.</param>
/// <param name="Error">Why.</param>
public sealed record ImportFailure(string Path, IoBenchException Error) : ImportItem(Path);

/// <summary>What of a folder, or of a file's values, was left out.</summary>
/// <param name="Path">The folder or the file.</param>
/// <param name="Text">In one line.</param>
public sealed record ImportNote(string Path, string Text) : ImportItem(Path);

/// <summary>A result that was given and whose run ends before its figures.</summary>
/// <param name="Path">Its file.</param>
/// <param name="Reason">Where it is and why, in a line.</param>
public sealed record IncompleteResult(string Path, IoTestResult Result, string Reason) : ImportItem(Path);

/// <summary>The end of a file, with the number of its results.</summary>
/// <param name="Path">The file.</param>
/// <param name="Count">Its results.</param>
public sealed record ImportedFile(string Path, int Count) : ImportItem(Path);
