using System.Text.RegularExpressions;

namespace IoBench.PowerShell.Sessions;

/// <summary>Paths that are meant on other hosts: nothing here can look them up, so they must be complete.</summary>
internal static partial class SessionPaths
{
    /// <summary>The paths as they were given; what is not complete is reported to <paramref name="problem"/> and left out.</summary>
    public static IEnumerable<string> Resolve(
        IEnumerable<string>? paths,
        IEnumerable<string>? literalPaths,
        Action<Exception, string> problem
    )
    {
        foreach (var (path, isLiteral) in (paths ?? []).Select(p => (p, false)).Concat((literalPaths ?? []).Select(p => (p, true))))
        {
            try
            {
                Check(path, isLiteral);
            }
            catch (IoBenchException error)
            {
                problem(error, path);
                continue;
            }
            yield return path;
        }
    }

    /// <summary>Refuses a path that another host could not understand.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.SessionPath</c>.</exception>
    public static void Check(string path, bool isLiteral)
    {
        if (!IsFull(path) || (!isLiteral && path.AsSpan().IndexOfAny('*', '?') >= 0))
            throw IoBenchException.Usage(
                "IoBench.SessionPath",
                $"'{path}' cannot be looked up on other hosts.",
                path,
                advice: $"With {new OptionName("Session")} give full paths without wildcards, such as T:\\ or /data/iotest.dat."
            );
    }

    /// <summary>Whether a path is complete on some system.</summary>
    public static bool IsFull(string path) => Full().IsMatch(path);

    [GeneratedRegex(@"^([\\/]|[A-Za-z]:[\\/])")]
    private static partial Regex Full();
}
