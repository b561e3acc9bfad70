using System.Collections;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Rows of consecutive snapshots of one server, as a pipeline passes them.</summary>
public static class FileStatsSnapshot
{
    /// <summary>Splits rows into snapshots: a new snapshot starts when a file occurs again.</summary>
    /// <param name="rows">Rows as names and values, as for <see cref="FileStatsSnapshot.FromRows"/>.</param>
    /// <param name="source">File that the rows come from; null = a pipeline.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidFileStats</c>: rows of several servers, or an error of
    /// <see cref="FileStatsSnapshot.FromRows"/>.</exception>
    public static IReadOnlyList<FileStatsSnapshot> SplitRows(IEnumerable<IDictionary> rows, string? source = null)
    {
        ArgumentNullException.ThrowIfNull(rows);
        List<List<IDictionary>> snapshots = [];
        HashSet<string> files = [];
        HashSet<string> servers = new(StringComparer.OrdinalIgnoreCase);
        foreach (var row in rows)
        {
            var values = FileStatsSnapshot.GetColumnValues(row);
            if (GetColumnText(values, "SqlInstance") is { Length: > 0 } server && servers.Add(server) && servers.Count > 1)
                throw IoBenchException.InvalidData(
                    "IoBench.InvalidFileStats",
                    $"The rows are of several servers: {string.Join(", ", servers)}.",
                    advice: "Give those of one."
                );
            if (snapshots.Count == 0 || !files.Add($"{GetColumnText(values, "database_id")}/{GetColumnText(values, "file_id")}"))
            {
                snapshots.Add([]);
                files = [$"{GetColumnText(values, "database_id")}/{GetColumnText(values, "file_id")}"];
            }
            snapshots[^1].Add(row);
        }
        if (source is not null && snapshots.Count <= 1)
            return [FileStatsSnapshot.FromRows(snapshots.SelectMany(snapshot => snapshot), source)];
        return
        [
            .. snapshots.Select(
                (snapshot, index) =>
                    FileStatsSnapshot.FromRows(
                        snapshot,
                        source is not null
                            ? $"{source}, snapshot {index + 1}"
                            : index switch
                            {
                                0 => "the first snapshot",
                                1 => "the second snapshot",
                                _ => $"snapshot {index + 1}",
                            }
                    )
            ),
        ];
    }

    private static string? GetColumnText(Dictionary<string, object?> values, string name) =>
        Convert.ToString(values.GetValueOrDefault(name), CultureInfo.InvariantCulture);
}
