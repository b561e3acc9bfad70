using System.Management.Automation;
using System.Text.RegularExpressions;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary><c>-Path</c> expands wildcards unless a file with exactly this name exists.</summary>
internal static partial class PathResolver
{
    /// <summary>A path that cannot be resolved is reported to <paramref name="problem"/> and skipped.</summary>
    /// <param name="allowMissing">True if a path without wildcards need not exist.</param>
    /// <param name="exists">Null to check on this thread, which a share that does not respond can block.</param>
    public static IEnumerable<string> ResolvePaths(
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
                found = ResolvePaths(state, name, isLiteral, allowMissing, exists ?? Path.Exists);
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

    /// <summary>Returns the full path of a file or folder that need not exist.</summary>
    public static string GetFullPath(SessionState state, string name)
    {
        if (string.IsNullOrWhiteSpace(name))
            throw IoBenchException.Usage("IoBench.EmptyPath", "A path is empty.", name, advice: "Specify a file or a folder.");
        if (name.Contains('\0', StringComparison.Ordinal))
            throw IoBenchException.Usage(
                "IoBench.InvalidPath",
                $"{name} is not a path, because it contains a null character.",
                name,
                advice: "Check the source of this value."
            );
        try
        {
            var full = state.Path.GetUnresolvedProviderPathFromPSPath(name, out var provider, out _);
            return provider.Name == "FileSystem" ? full : throw CreateProviderError(name, provider);
        }
        catch (Exception error) when (IsPathError(error))
        {
            throw CreateUnresolvedError(name, error);
        }
    }

    /// <summary>Resolves paths of the user, because PowerShell's location can differ from the process's folder.</summary>
    public static Func<string, string> CreatePathResolver(SessionState state) => path => GetFullPath(state, path);

    /// <summary>Returns null if the value does not name a file.</summary>
    public static string? GetFilePath(SessionState state, object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            string name => GetFullPath(state, name),
            FileInfo file => file.FullName,
            _ => null,
        };

    /// <summary>Any other name is returned unchanged, because it can be the name of a built-in item.</summary>
    public static string GetFileOrName(SessionState state, string name)
    {
        if (string.IsNullOrWhiteSpace(name))
            return name;
        var file = GetFullPath(state, name);
        return File.Exists(file) ? file : name;
    }

    private static IReadOnlyList<string> ResolvePaths(
        SessionState state,
        string name,
        bool isLiteral,
        bool allowMissing,
        Func<string, bool> exists
    )
    {
        var full = GetFullPath(state, name);
        if (isLiteral || exists(full))
            return [full];
        if (ObjectTextPattern().IsMatch(name))
            throw CreateNotAPathError(name);
        if (WildcardPattern.ContainsWildcardCharacters(name))
            return ExpandWildcards(state, name);
        return allowMissing
            ? [full]
            : throw IoBenchException.NotFound("IoBench.FileNotFound", $"{full} does not exist.", name, advice: "Check the path.");
    }

    private static IReadOnlyList<string> ExpandWildcards(SessionState state, string name)
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
                    advice: "If the name itself contains wildcard characters, use -LiteralPath."
                );
        }
        catch (Exception error) when (IsPathError(error))
        {
            throw CreateUnresolvedError(name, error);
        }
    }

    /// <summary>PowerShell's exceptions about paths have no common base class.</summary>
    internal static bool IsPathError(Exception error) =>
        error
            is SessionStateException
                or ProviderInvocationException
                or PSArgumentException
                or PSNotSupportedException
                or PSInvalidOperationException;

    /// <summary>The error for a number, a date, or another value in the pipeline of paths.</summary>
    internal static IoBenchException CreateNotAPathError(ValueType value) =>
        IoBenchException.Usage(
            "IoBench.NotAPath",
            $"{DeserializedObject.ToText(value)} ({value.GetType().Name}) is not a path.",
            DeserializedObject.ToText(value),
            advice: "Pass paths as text, or objects with a path."
        );

    internal static IoBenchException CreateNotAPathError(string name) =>
        IoBenchException.Usage(
            "IoBench.NotAPath",
            $"The object {name} has no Path, FullName, or PhysicalName property, and no Name property that contains a full path.",
            name,
            advice: "Specify paths, or objects with one of these properties."
        );

    private static IoBenchException CreateProviderError(string name, ProviderInfo provider) =>
        IoBenchException.Usage(
            "IoBench.NotAFilePath",
            $"{name} is a path of the PowerShell provider {provider.Name}, not of the file system.",
            name,
            advice: "Specify a file or a folder in the file system."
        );

    private static IoBenchException CreateUnresolvedError(string name, Exception error) =>
        IoBenchException.NotFound(
            error is System.Management.Automation.DriveNotFoundException ? "IoBench.DriveNotFound" : "IoBench.FileNotFound",
            $"{name} cannot be resolved: {DescribeReason(error)}",
            name,
            advice: GetAdvice(error)
        );

    internal static string DescribeReason(Exception error) =>
        error is System.Management.Automation.DriveNotFoundException drive ? $"The drive {drive.ItemName} does not exist." : error.Message;

    /// <summary>Returns null if PowerShell's message is sufficient.</summary>
    internal static IoMessage? GetAdvice(Exception error) =>
        error is System.Management.Automation.DriveNotFoundException ? (IoMessage)"Check the name; Get-PSDrive lists the drives." : null;

    /// <summary>Matches the text that PowerShell creates from an object without a type if a parameter requires text.</summary>
    [GeneratedRegex(@"^@\{.*\}$", RegexOptions.Singleline)]
    private static partial Regex ObjectTextPattern();

    /// <summary>The folder must exist. <c>{date}</c> and <c>{time}</c> become the current date and time.</summary>
    public static string ResolveOutputPath(SessionState state, string path)
    {
        var name = RunOutputs.ReplacePlaceholders(path, DateTime.Now);
        var full = GetFullOutputPath(state, path, name);
        if (Directory.Exists(full))
            throw CreateInvalidOutputError(path, $"{full} is a folder.", advice: "Specify a file in the folder.");
        if (full.AsSpan().IndexOfAny('*', '?') >= 0)
            throw CreateInvalidOutputError(path, $"{path} contains wildcards.", advice: "Specify one file.");
        var folder = Path.GetDirectoryName(full);
        if (!Directory.Exists(folder))
            throw IoBenchException.NotFound(
                "IoBench.FolderNotFound",
                $"The folder {folder} does not exist.",
                path,
                advice: "Create it first."
            );
        return full;
    }

    private static string GetFullOutputPath(SessionState state, string path, string name)
    {
        if (string.IsNullOrWhiteSpace(name) || name.Contains('\0', StringComparison.Ordinal))
            throw CreateInvalidOutputError(path, "The output name is empty, or is not a valid file name.", "Specify a file.");
        try
        {
            var full = state.Path.GetUnresolvedProviderPathFromPSPath(name, out var provider, out _);
            return provider.Name == "FileSystem"
                ? full
                : throw CreateInvalidOutputError(
                    path,
                    $"{path} is a path of the PowerShell provider {provider.Name}, not of the file system.",
                    advice: "Specify a file in the file system."
                );
        }
        catch (Exception error) when (IsPathError(error))
        {
            throw CreateInvalidOutputError(path, $"{path} is not a valid output path: {DescribeReason(error)}", GetAdvice(error));
        }
    }

    private static IoBenchException CreateInvalidOutputError(string path, string problem, IoMessage? advice = null) =>
        IoBenchException.Usage("IoBench.InvalidOutputPath", problem, path, advice);

    /// <summary>Call it before a test runs, so that a long test does not end with "the file exists".</summary>
    public static void CheckNoClobber(string path, bool noClobber)
    {
        if (noClobber && File.Exists(path))
            throw IoBenchException.Refused(
                ErrorIds.FileExists,
                $"{path} exists.",
                path,
                advice: "To replace the file, remove -NoClobber. Otherwise, choose another name."
            );
    }

    /// <summary>A path that is not a full path is reported to <paramref name="problem"/> and skipped.</summary>
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
    public static void CheckRemotePath(string path, bool isLiteral)
    {
        if (!IsFullPath(path) || (!isLiteral && path.AsSpan().IndexOfAny('*', '?') >= 0))
            throw IoBenchException.Usage(
                "IoBench.SessionPath",
                $"'{path}' cannot be resolved on other hosts.",
                path,
                advice: $"With {new OptionName("Session")}, use full paths without wildcards, such as T:\\ or /data/iotest.dat."
            );
    }

    /// <summary>Returns whether a path is a full path on Windows or Linux.</summary>
    public static bool IsFullPath(string path) => FullPathPattern().IsMatch(path);

    [GeneratedRegex(@"^([\\/]|[A-Za-z]:[\\/])")]
    private static partial Regex FullPathPattern();
}
