using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static partial class PathResolver
{
    /// <summary>
    /// Returns the paths unchanged. A path that is not a full path is reported to <paramref name="problem"/> and skipped.
    /// </summary>
    public static IEnumerable<string> ResolveRemotePaths(
        IEnumerable<string>? paths,
        IEnumerable<string>? literalPaths,
        Action<Exception, string> problem
    )
    {
        foreach (var (path, isLiteral) in (paths ?? []).Select(p => (p, false)).Concat((literalPaths ?? []).Select(p => (p, true))))
        {
            try
            {
                CheckRemotePath(path, isLiteral);
            }
            catch (IoBenchException error)
            {
                problem(error, path);
                continue;
            }
            yield return path;
        }
    }

    /// <summary>This computer cannot resolve a path of another host, so the path must be a full path without wildcards.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.SessionPath</c>.</exception>
    public static void CheckRemotePath(string path, bool isLiteral)
    {
        if (!IsFullPath(path) || (!isLiteral && path.AsSpan().IndexOfAny('*', '?') >= 0))
            throw IoBenchException.Usage(
                "IoBench.SessionPath",
                $"'{path}' cannot be looked up on other hosts.",
                path,
                advice: $"With {new OptionName("Session")} give full paths without wildcards, such as T:\\ or /data/iotest.dat."
            );
    }

    /// <summary>Returns whether a path is a full path on Windows or Linux.</summary>
    public static bool IsFullPath(string path) => FullPathPattern().IsMatch(path);

    [GeneratedRegex(@"^([\\/]|[A-Za-z]:[\\/])")]
    private static partial Regex FullPathPattern();
}
