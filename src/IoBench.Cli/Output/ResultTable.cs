using System.Globalization;
using IoBench.Engine;

namespace IoBench.Cli.Output;

/// <summary>Results as rows of at most 120 characters. Columns that say the same in every row are left to the header above.</summary>
internal sealed class ResultTable
{
    private const int MostWidth = 120;
    private readonly List<(TableColumn Column, Func<IoTestResult, string?> Text)> _columns = [];
    private readonly TextTable _table;

    private ResultTable(IReadOnlyCollection<RowNames> rows)
    {
        var labels = rows.Select(r => r.Label).Where(l => l is not null).Distinct().ToList();
        var paths = rows.Select(r => r.Path).Distinct().Count();
        var workloads = rows.Any(r => r.Workload is not null);

        if (labels.Count > 0)
            AddText("Label", rows.Max(r => r.Label?.Length ?? 0), r => r.Label);
        if (paths > 1 && labels.Count < paths)
            AddText("Path", rows.Max(r => r.Path?.Length ?? 0), r => r.Path);
        if (workloads)
            AddText("Workload", rows.Max(r => r.Workload?.Length ?? 0), r => r.Workload);
        AddText("IOPattern", rows.Max(r => r.Pattern?.Length ?? 0), r => r.IOPattern, least: 18);
        var roles = rows.Any(r => r.Role is not null);
        // With roles it is a row of a suite of ours: each character counts, and 999.999 is the longest.
        var latency = roles ? 7 : 8;
        if (roles)
            AddText("Role", rows.Max(r => r.Role?.Length ?? 0), r => ShortRole(r.WorkloadRole), least: 4);
        if (rows.Any(r => r.Repeat is not null))
            AddNumber("Run", 3, r => Number(r.Repeat, "0"));
        AddNumber("Thr", 3, r => Number(r.ThreadCount, "0"));
        AddNumber("QD", 3, r => Number(r.OutstandingIO, "0"));
        AddNumber("Size", 7, r => r.FileSizeMB is { } size ? new IoSize((long)(size * (1 << 20))).ToDisplayString() : null);
        AddNumber("MB/s", 8, r => Number(r.BandwidthMBps, "#,##0.0"));
        AddNumber("IOPS", 9, r => Number(r.IOPS, "#,##0"));
        AddNumber("Avg ms", latency, r => Latency(r, r.AverageLatencyMs));
        AddNumber("P99 ms", latency, r => Latency(r, r.P99Ms));
        AddNumber("Max ms", latency, r => Latency(r, r.MaxLatencyMs));
        if (rows.Any(r => r.HasCpu))
            AddNumber("CPU%", 4, r => Number(r.CpuPercent, "0"));
        // Narrow tables lose what the header above, or another column, tells best.
        foreach (var header in new[] { "CPU%", "Size" })
            if (TextTable.LeastWidth([.. _columns.Select(c => c.Column)]) > MostWidth)
                _columns.RemoveAll(c => c.Column.Header == header);
        _table = new TextTable([.. _columns.Select(c => c.Column)], MostWidth);
    }

    /// <summary>A table for tests that are still to run.</summary>
    public static ResultTable For(IReadOnlyList<IoTestSpecification> plan) => new([.. plan.Select(t => new RowNames(
        t.Label, string.Join("; ", t.Targets.Select(target => target.Path)), t.Workload, PatternText.Of(t), ShortRole(t.WorkloadRole), t.Repeat, HasCpu: true))]);

    /// <summary>A table for results that are there.</summary>
    public static ResultTable For(IReadOnlyList<IoTestResult> results) => new([.. results.Select(r => new RowNames(
        r.Label, r.Path, r.Workload, r.IOPattern, ShortRole(r.WorkloadRole), r.Repeat, r.CpuPercent is not null))]);

    /// <summary>The two lines above the rows.</summary>
    public IEnumerable<string> Header() => _table.Header();

    /// <summary>A result's row; what did not end as planned says so behind it.</summary>
    public string Row(IoTestResult result)
    {
        var row = _table.Line([.. _columns.Select(c => c.Text(result))]);
        return result.Status == IoResultStatus.Complete ? row : $"{row}  {result.Status.ToString().ToLowerInvariant()}";
    }

    private void AddText(string header, int width, Func<IoTestResult, string?> text, int least = 10)
        => _columns.Add((new TableColumn(header, width, IsNumber: false, least), text));

    private void AddNumber(string header, int width, Func<IoTestResult, string?> text)
        => _columns.Add((new TableColumn(header, width, IsNumber: true), text));

    /// <summary>A role's first words, which name the files it is about: <c>log</c> of <c>log: what a commit waits for</c>.</summary>
    private static string? ShortRole(string? role) => role?.Split(':')[0];

    private static string? Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture);

    /// <summary>Microseconds where they were measured; SQLIO knows whole milliseconds only.</summary>
    private static string? Latency(IoTestResult result, double? milliseconds)
        => Number(milliseconds, result.Source == IoResultSource.Sqlio || milliseconds >= 1000 ? "#,##0" : "0.000");

    /// <summary>What the widths depend on.</summary>
    private sealed record RowNames(string? Label, string? Path, string? Workload, string? Pattern, string? Role, int? Repeat, bool HasCpu);
}
