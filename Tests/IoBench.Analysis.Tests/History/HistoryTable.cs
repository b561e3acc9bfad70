namespace IoBench.Analysis.Tests;

/// <summary>docs/history-table.sql, a SQL Server table for results: the flat properties of <see cref="IoTestResult"/> as <c>ConvertTo-IoRow</c> gives them, in their order.</summary>
internal static class HistoryTable
{
    /// <summary>Longest text of names and paths, in characters; longer ones of SQL Server's own do not exist.</summary>
    private static readonly Dictionary<string, string> s_ownTypes = new(StringComparer.Ordinal)
    {
        [nameof(IoTestResult.Path)] = "nvarchar(4000)",
        [nameof(IoTestResult.SourceFile)] = "nvarchar(4000)",
        [nameof(IoTestResult.Warnings)] = "nvarchar(max)",
        [nameof(IoTestResult.ErrorMessage)] = "nvarchar(4000)",
        // A short name without letters beyond ASCII, as the words of a fixed list.
        [nameof(IoTestResult.Source)] = "varchar(20)",
    };

    /// <summary>The columns: name, SQL Server's type and whether it may be null.</summary>
    public static IReadOnlyList<(string Name, string Type, bool IsNullable)> Columns { get; } =
    [.. MetricCatalog.All.Select(metric => (metric.Name, SqlType(metric), metric.IsNullable || metric.ValueType == typeof(List<string>)))];

    /// <summary>The table's script: a table with these columns first and its key last, so that a bulk copy by position fits too, and an index for trends.</summary>
    public static string CreateScript(string table = "dbo.IoBenchResult")
    {
        var width = Columns.Max(c => c.Name.Length);
        List<string> lines =
        [
            "-- Results of IoBench: the columns of ConvertTo-IoRow, in its order. Latency in milliseconds, MB/s are MiB/s, what a source does not report is NULL.",
            "-- Import-IoResult *.json | ConvertTo-IoRow | Write-DbaDbTableData -SqlInstance SQL1 -Database DBA -Table IoBenchResult",
            $"CREATE TABLE {table}",
            "(",
            .. Columns.Select(c => $"    {c.Name.PadRight(width)} {c.Type} {(c.IsNullable ? "NULL" : "NOT NULL")},"),
            $"    {"IoBenchResultId".PadRight(width)} bigint IDENTITY(1, 1) NOT NULL CONSTRAINT PK_IoBenchResult PRIMARY KEY",
            ");",
            $"CREATE INDEX IX_IoBenchResult_Trend ON {table} (ComputerName, Workload, StartTime) INCLUDE (IOPS, BandwidthMBps, AverageLatencyMs, P99Ms);",
            "",
        ];
        return string.Join('\n', lines);
    }

    private static string SqlType(ResultMetric metric)
    {
        var type = metric.ValueType;
        return s_ownTypes.TryGetValue(metric.Name, out var text) ? text
            : type.IsEnum ? "varchar(20)"
            : type == typeof(string) ? "nvarchar(256)"
            : type == typeof(double) ? "float"
            : type == typeof(int) ? "int"
            : type == typeof(long) ? "bigint"
            : type == typeof(DateTimeOffset) ? "datetimeoffset(3)"
            : throw new NotSupportedException($"No SQL Server type is known for {metric.Name} ({type.Name}).");
    }
}
