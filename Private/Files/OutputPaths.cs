using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class OutputPaths
{
    /// <summary>
    /// Returns the full path of an output file, whose folder must exist. <c>{date}</c> becomes the current date and <c>{time}</c> the
    /// current time.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidOutputPath</c>, <c>IoBench.FolderNotFound</c>.</exception>
    public static string Resolve(SessionState state, string path)
    {
        var name = OutputName.FillIn(path, DateTime.Now);
        var full = Full(state, path, name);
        if (Directory.Exists(full))
            throw Invalid(path, $"{full} is a folder.", advice: "Name a file in it.");
        if (full.AsSpan().IndexOfAny('*', '?') >= 0)
            throw Invalid(path, $"{path} has wildcards.", advice: "Name one file to write.");
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

    private static string Full(SessionState state, string path, string name)
    {
        if (string.IsNullOrWhiteSpace(name) || name.Contains('\0', StringComparison.Ordinal))
            throw Invalid(path, "The name of the output is empty or not a file name.", "Name a file.");
        try
        {
            var full = state.Path.GetUnresolvedProviderPathFromPSPath(name, out var provider, out _);
            return provider.Name == "FileSystem"
                ? full
                : throw Invalid(path, $"{path} is on the {provider.Name} provider.", advice: "Name a file of the file system.");
        }
        catch (Exception error) when (InputPaths.IsOfPath(error))
        {
            throw Invalid(path, $"{path} is not a path a file can be written to: {InputPaths.Reason(error)}", InputPaths.Advice(error));
        }
    }

    private static IoBenchException Invalid(string path, string what, IoText? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidOutputPath", what, path, advice);
}
