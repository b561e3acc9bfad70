namespace IoBench.Formats.BatchFiles;

/// <summary>Errors of batch files: file, line and what.</summary>
internal static class BatchError
{
    /// <summary>A line that cannot be understood.</summary>
    internal static IoBenchException At(string? sourceFile, int line, string what) =>
        IoBenchException.Usage("IoBench.InvalidBatchFile", $"{Place(sourceFile, line)}: {what}.", sourceFile);

    /// <summary>An error of the line's tool, with its place.</summary>
    internal static IoBenchException At(string? sourceFile, int line, IoBenchException error) =>
        error.About(Place(sourceFile, line), error.Target ?? sourceFile);

    /// <summary>File and line.</summary>
    internal static string Place(string? sourceFile, int line) => sourceFile is null ? $"Line {line}" : $"{sourceFile} line {line}";
}
