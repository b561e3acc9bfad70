using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class PathResolver
{
    /// <summary>
    /// Returns the full path of an output file, whose folder must exist. <c>{date}</c> becomes the current date and <c>{time}</c> the
    /// current time.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidOutputPath</c>, <c>IoBench.FolderNotFound</c>.</exception>
    public static string ResolveOutputPath(SessionState state, string path)
    {
        var name = RunOutputs.ReplacePlaceholders(path, DateTime.Now);
        var full = GetFullOutputPath(state, path, name);
        if (Directory.Exists(full))
            throw CreateInvalidOutputError(path, $"{full} is a folder.", advice: "Name a file in it.");
        if (full.AsSpan().IndexOfAny('*', '?') >= 0)
            throw CreateInvalidOutputError(path, $"{path} has wildcards.", advice: "Name one file to write.");
        var folder = Path.GetDirectoryName(full);
        if (!Directory.Exists(folder))
            throw IoBenchException.NotFound(
                "IoBench.FolderNotFound",
                $"The folder {folder} does not exist.",
                path,
                advice: "Make it first."
            );
        return full;
    }

    private static string GetFullOutputPath(SessionState state, string path, string name)
    {
        if (string.IsNullOrWhiteSpace(name) || name.Contains('\0', StringComparison.Ordinal))
            throw CreateInvalidOutputError(path, "The name of the output is empty or not a file name.", "Name a file.");
        try
        {
            var full = state.Path.GetUnresolvedProviderPathFromPSPath(name, out var provider, out _);
            return provider.Name == "FileSystem"
                ? full
                : throw CreateInvalidOutputError(
                    path,
                    $"{path} is on the {provider.Name} provider.",
                    advice: "Name a file of the file system."
                );
        }
        catch (Exception error) when (PathResolver.IsPathError(error))
        {
            throw CreateInvalidOutputError(
                path,
                $"{path} is not a path a file can be written to: {PathResolver.DescribeReason(error)}",
                PathResolver.GetAdvice(error)
            );
        }
    }

    private static IoBenchException CreateInvalidOutputError(string path, string what, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidOutputPath", what, path, advice);
}
