using IoBench.Engine;

namespace IoBench.Formats;

internal static class BatchError
{
    internal static IoBenchException At(string? sourceFile, int line, string what) =>
        IoBenchException.Usage("IoBench.InvalidBatchFile", $"{Place(sourceFile, line)}: {what}.", sourceFile);

    internal static IoBenchException At(string? sourceFile, int line, IoBenchException error) =>
        error.About(Place(sourceFile, line), error.Target ?? sourceFile);

    internal static string Place(string? sourceFile, int line) => sourceFile is null ? $"Line {line}" : $"{sourceFile} line {line}";
}
