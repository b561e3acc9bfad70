using IoBench.Engine;

namespace IoBench.Formats;

internal static class BatchLineReader
{
    internal static IoBenchException CreateError(string? sourceFile, int line, string what) =>
        IoBenchException.Usage("IoBench.InvalidBatchFile", $"{DescribeLocation(sourceFile, line)}: {what}.", sourceFile);

    internal static IoBenchException CreateError(string? sourceFile, int line, IoBenchException error) =>
        error.WithSubject(DescribeLocation(sourceFile, line), error.Target ?? sourceFile);

    internal static string DescribeLocation(string? sourceFile, int line) =>
        sourceFile is null ? $"Line {line}" : $"{sourceFile} line {line}";
}
