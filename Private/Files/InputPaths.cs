using System.Management.Automation;
using System.Text.RegularExpressions;

namespace IoBench.PowerShell.Files;

/// <summary>
/// Full paths of what <c>-Path</c> and <c>-LiteralPath</c> name, relative to PowerShell's location. Wildcards in <c>-Path</c> are expanded; a name that
/// exists as it stands is taken as it stands.
/// </summary>
internal static partial class InputPaths
{
    /// <summary>The paths; what cannot be resolved is reported to <paramref name="problem"/> and left out.</summary>
    /// <param name="state">The cmdlet's.</param>
    /// <param name="paths">Names that may have wildcards.</param>
    /// <param name="literalPaths">Names that are taken as they are.</param>
    /// <param name="allowMissing">A name without wildcards need not exist.</param>
    /// <param name="problem">Takes the error and the name it is about.</param>
    /// <param name="exists">Whether a path exists; null = the system is asked on this thread, which a share that does not answer holds.</param>
    public static IEnumerable<string> Resolve(
        SessionState state,
        IEnumerable<string>? paths,
        IEnumerable<string>? literalPaths,
        bool allowMissing,
        Action<Exception, string> problem,
        Func<string, bool>? exists = null
    )
    {
        foreach (var (name, isLiteral) in (paths ?? []).Select(p => (p, false)).Concat((literalPaths ?? []).Select(p => (p, true))))
        {
            IReadOnlyList<string> found;
            try
            {
                found = Resolve(state, name, isLiteral, allowMissing, exists ?? Path.Exists);
            }
            catch (IoBenchException error)
            {
                problem(error, name);
                continue;
            }
            foreach (var path in found)
                yield return path;
        }
    }

    /// <summary>One file that a parameter names: full, relative to PowerShell's location; it need not exist.</summary>
    /// <exception cref="IoBenchException">It is empty, or leads nowhere.</exception>
    public static string Full(SessionState state, string name)
    {
        if (string.IsNullOrWhiteSpace(name))
            throw IoBenchException.Usage("IoBench.EmptyPath", "A path is empty.", name, advice: "Name a file or a folder.");
        if (name.Contains('\0', StringComparison.Ordinal))
            throw IoBenchException.Usage(
                "IoBench.InvalidPath",
                $"{name} is no path: no name holds a null character.",
                name,
                advice: "Check where it comes from."
            );
        try
        {
            var full = state.Path.GetUnresolvedProviderPathFromPSPath(name, out var provider, out _);
            return provider.Name == "FileSystem" ? full : throw OtherProvider(name, provider);
        }
        catch (Exception error) when (IsOfPath(error))
        {
            throw Unresolved(name, error);
        }
    }

    /// <summary>The full path of a file that is there; what names none stays as it is: the name of something that ships.</summary>
    public static string FileOrName(SessionState state, string name) =>
        !string.IsNullOrWhiteSpace(name) && Full(state, name) is var file && File.Exists(file) ? file : name;

    private static IReadOnlyList<string> Resolve(
        SessionState state,
        string name,
        bool isLiteral,
        bool allowMissing,
        Func<string, bool> exists
    )
    {
        var full = Full(state, name);
        if (isLiteral || exists(full))
            return [full];
        if (ObjectAsText().IsMatch(name))
            throw NotAPath(name);
        if (WildcardPattern.ContainsWildcardCharacters(name))
            return Expand(state, name);
        return allowMissing
            ? [full]
            : throw IoBenchException.NotFound("IoBench.FileNotFound", $"{full} does not exist.", name, advice: "Check the path.");
    }

    private static IReadOnlyList<string> Expand(SessionState state, string name)
    {
        try
        {
            var found = state.Path.GetResolvedProviderPathFromPSPath(name, out _);
            return found.Count > 0
                ? found
                : throw IoBenchException.NotFound(
                    "IoBench.NoMatch",
                    $"Nothing matches {name}.",
                    name,
                    advice: "For a name that contains wildcard characters, use -LiteralPath."
                );
        }
        catch (Exception error) when (IsOfPath(error))
        {
            throw Unresolved(name, error);
        }
    }

    /// <summary>What PowerShell throws of a path; its classes share no base of their own.</summary>
    internal static bool IsOfPath(Exception error) =>
        error
            is SessionStateException
                or ProviderInvocationException
                or PSArgumentException
                or PSNotSupportedException
                or PSInvalidOperationException;

    /// <summary>The error of an object that stands where a path is asked for.</summary>
    internal static IoBenchException NotAPath(string name) =>
        IoBenchException.Usage(
            "IoBench.NotAPath",
            $"{name} is an object without Path, FullName or PhysicalName.",
            name,
            advice: "Give paths, or objects that have one of these properties."
        );

    private static IoBenchException OtherProvider(string name, ProviderInfo provider) =>
        IoBenchException.Usage(
            "IoBench.NotAFilePath",
            $"{name} is on the {provider.Name} provider.",
            name,
            advice: "Name a file or a folder of the file system."
        );

    private static IoBenchException Unresolved(string name, Exception error) =>
        IoBenchException.NotFound(
            error is System.Management.Automation.DriveNotFoundException ? "IoBench.DriveNotFound" : "IoBench.FileNotFound",
            $"{name} cannot be resolved: {Reason(error)}",
            name,
            advice: Advice(error)
        );

    /// <summary>Why PowerShell takes no path.</summary>
    internal static string Reason(Exception error) =>
        error is System.Management.Automation.DriveNotFoundException drive ? $"there is no drive {drive.ItemName}." : error.Message;

    /// <summary>What to do about it; null where PowerShell's own words have to do.</summary>
    internal static IoText? Advice(Exception error) =>
        error is System.Management.Automation.DriveNotFoundException ? (IoText)"Check the name; Get-PSDrive lists the drives." : null;

    /// <summary>What PowerShell makes of an object without a type where a text is asked for.</summary>
    [GeneratedRegex(@"^@\{.*\}$", RegexOptions.Singleline)]
    private static partial Regex ObjectAsText();
}
