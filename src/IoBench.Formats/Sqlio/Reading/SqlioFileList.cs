namespace IoBench.Formats;

internal static class SqlioRun
{
    public static IReadOnlyList<string> GetPaths(SqlioRun run)
    {
        if (run.Files is null)
            return run.Sizes.Count > 0 ? GetSizedPaths(run) : [];
        if (!run.SeveralFiles)
            return [run.Files];
        // Names can contain commas and "and", so use the lines with the file sizes if they contain the same names.
        var sized = GetSizedPaths(run);
        return JoinPaths(sized) == run.Files ? sized : SplitPaths(run.Files);
    }

    public static string JoinPaths(IReadOnlyList<string> paths) =>
        paths.Count < 2 ? string.Concat(paths) : string.Join(", ", paths.Take(paths.Count - 1)) + " and " + paths[^1];

    private static List<string> GetSizedPaths(SqlioRun run) => run.Sizes.ConvertAll(s => s.Path).Distinct().ToList();

    private static List<string> SplitPaths(string files)
    {
        var paths = files
            .Split([", ", ","], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Take(SqlioCommandLine.MaxFiles)
            .ToList();
        if (paths.Count == 0)
            return paths;
        var last = paths[^1];
        if (last.StartsWith("and ", StringComparison.Ordinal))
        {
            paths[^1] = last[4..];
            return paths;
        }
        var and = last.LastIndexOf(" and ", StringComparison.Ordinal);
        if (and > 0)
        {
            paths[^1] = last[..and].Trim();
            paths.Add(last[(and + 5)..].Trim());
        }
        return paths;
    }
}
