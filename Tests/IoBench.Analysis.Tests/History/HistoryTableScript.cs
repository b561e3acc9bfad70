using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>
/// The script docs/examples/history-table.sql, a SQL Server table with the flat properties of <see cref="IoTestResult"/> in the order of
/// <c>ConvertTo-IoRow</c>.
/// </summary>
internal static class HistoryTableScript
{
    /// <summary>Types of names and paths with the maximum length, in characters, that SQL Server itself uses.</summary>
    private static readonly Dictionary<string, string> s_ownTypes = new(StringComparer.Ordinal)
    {
        [nameof(IoTestResult.Path)] = "nvarchar(4000)",
        [nameof(IoTestResult.SourceFile)] = "nvarchar(4000)",
        [nameof(IoTestResult.Warnings)] = "nvarchar(max)",
        [nameof(IoTestResult.ErrorMessage)] = "nvarchar(4000)",
        // A short ASCII name from a fixed list.
        [nameof(IoTestResult.Source)] = "varchar(20)",
    };

    public static IReadOnlyList<(string Name, string Type, bool IsNullable)> Columns { get; } =
    [
        .. MetricCatalog.All.Select(metric =>
            (metric.Name, GetSqlType(metric), metric.IsNullable || metric.ValueType == typeof(List<string>))
        ),
    ];

    /// <summary>Creates the table script. The result columns come first and the key last, so that a bulk copy by position works.</summary>
    public static string CreateScript(string table = "dbo.IoBenchResult")
    {
        var width = Columns.Max(c => c.Name.Length);
        List<string> lines =
        [
            "-- Results of IoBench: the columns of ConvertTo-IoRow, in its order. Latency in milliseconds, MB/s are MiB/s, what a source does not report is NULL.",
            "-- Import-IoResult *.json | ConvertTo-IoRow | Write-DbaDataTable -SqlInstance SQL1 -Database DBA -Table IoBenchResult",
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

    private static string GetSqlType(ResultMetric metric)
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
