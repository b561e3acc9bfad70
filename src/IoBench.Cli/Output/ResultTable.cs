using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>Rows that fit the width of the console. Values that are the same in every row are in the header above instead.</summary>
internal sealed class ResultTable
{
    private readonly List<(TextColumn Column, Func<IoTestResult, string?> Text)> _columns = [];
    private readonly TextTable _table;
    private readonly bool _isIntegrity;

    /// <param name="rows">Values that decide which columns are shown, and how wide.</param>
    private ResultTable(IReadOnlyCollection<IoTestResult> rows, int maxWidth)
    {
        var labels = rows.Select(r => r.Label).Where(l => l is not null).Distinct().ToList();
        var paths = rows.Select(r => r.Path).Distinct().Count();
        var workloads = rows.Any(r => r.Workload is not null);

        var files = rows.Select(GetFile).Where(file => file is not null).Distinct().Count();

        // Labels from the file names show the same.
        if (files > 1 && labels.Count < files)
            AddTextColumn("File", rows.Max(r => GetFile(r)?.Length ?? 0), GetFile, minWidth: 16);
        if (labels.Count > 0)
            AddTextColumn("Label", rows.Max(r => r.Label?.Length ?? 0), r => r.Label);
        var hasFileWithPaths = rows.GroupBy(GetFile).Any(group => group.Select(r => r.Path).Distinct().Count() > 1);
        if (paths > 1 && labels.Count < paths && hasFileWithPaths)
            AddTextColumn("Path", rows.Max(r => r.Path?.Length ?? 0), r => r.Path);
        if (workloads)
            AddTextColumn("Workload", rows.Max(r => r.Workload?.Length ?? 0), r => r.Workload);
        AddTextColumn("IOPattern", rows.Max(r => r.IOPattern?.Length ?? 0), r => r.IOPattern, minWidth: 18);
        var roles = rows.Any(r => r.WorkloadRole is not null);
        // Rows with roles have no space to spare: 999.999 is the longest latency.
        var latency = roles ? 7 : 8;
        if (roles)
            AddTextColumn("Role", rows.Max(r => GetShortRole(r.WorkloadRole)?.Length ?? 0), r => GetShortRole(r.WorkloadRole), minWidth: 4);
        if (rows.Any(r => r.Repeat is not null))
            AddMetricColumn(nameof(IoTestResult.Repeat), 3);
        AddMetricColumn(nameof(IoTestResult.ThreadCount), 3);
        AddMetricColumn(nameof(IoTestResult.OutstandingIO), 3);
        AddNumberColumn("Size", 7, r => r.FileSizeMB is { } size ? IoSize.Format((long)(size * (1 << 20))) : null);
        AddMetricColumn(nameof(IoTestResult.BandwidthMBps), 8);
        AddMetricColumn(nameof(IoTestResult.IOPS), 9);
        AddLatencyColumn(nameof(IoTestResult.AverageLatencyMs), latency, shown => shown.AverageMs);
        AddLatencyColumn(nameof(IoTestResult.P99Ms), latency, shown => shown.P99Ms);
        AddLatencyColumn(nameof(IoTestResult.MaxLatencyMs), latency, shown => shown.MaxMs);
        if (rows.Any(r => r.CpuPercent is not null))
            AddMetricColumn(nameof(IoTestResult.CpuPercent), 4);
        // If the table is too wide, drop columns whose values are in the header above or in another column.
        string[] expendable = ["CPU%", "Size"];
        // A table for a narrow terminal shows the workload or the pattern, whichever distinguishes the rows.
        if (maxWidth < TextTable.MaxWidth)
            expendable = [.. expendable, .. FindRedundantColumn(rows), "Role", "Max ms"];
        foreach (var header in expendable)
            if (TextTable.GetMinWidth([.. _columns.Select(c => c.Column)]) > maxWidth)
                _columns.RemoveAll(c => c.Column.Header == header);
        _table = new TextTable([.. _columns.Select(c => c.Column)], maxWidth);
    }

    private ResultTable(IReadOnlyList<IoTestSpecification> plan, int maxWidth)
    {
        _isIntegrity = true;
        foreach (var column in IntegrityResult.Columns)
            _columns.Add(
                (
                    new TextColumn(column.Header, column.Width, column.IsNumber, column.Width),
                    result => IntegrityResult.Format(column.Header, result)
                )
            );
        if (plan.SelectMany(test => test.Targets).Select(target => target.Path).Distinct().Count() > 1)
            AddTextColumn("Path", plan.Max(test => test.Targets[0].Path.Length), result => result.Path);
        if (plan.Select(PatternText.Describe).Distinct().Count() > 1)
            AddTextColumn("IOPattern", plan.Max(test => PatternText.Describe(test).Length), result => result.IOPattern);
        _table = new TextTable([.. _columns.Select(c => c.Column)], maxWidth);
    }

    /// <summary>The table of integrity commands: the verdict first, and the errors by kind.</summary>
    public static ResultTable CreateIntegrity(IReadOnlyList<IoTestSpecification> plan, int maxWidth) => new(plan, maxWidth);

    public static ResultTable Create(IReadOnlyList<IoTestSpecification> plan, int maxWidth = TextTable.MaxWidth) =>
        new(
            [
                .. plan.Select(test => new IoTestResult
                {
                    Label = test.Label,
                    Path = string.Join("; ", test.Targets.Select(target => target.Path)),
                    Workload = test.Workload,
                    IOPattern = PatternText.Describe(test),
                    WorkloadRole = test.WorkloadRole,
                    Repeat = test.Repeat,
                    CpuPercent = 0,
                }),
            ],
            maxWidth
        );

    public static ResultTable Create(IReadOnlyList<IoTestResult> results, int maxWidth = TextTable.MaxWidth) => new(results, maxWidth);

    private static string[] FindRedundantColumn(IReadOnlyCollection<IoTestResult> rows)
    {
        if (rows.Any(row => row.Workload is null))
            return [];
        var workloads = rows.GroupBy(row => row.Workload).ToList();
        if (workloads.TrueForAll(group => group.Select(row => row.IOPattern).Distinct().Count() == 1))
            return ["IOPattern"];
        return workloads.Count == 1 ? ["Workload"] : [];
    }

    /// <summary>Removes all values that no row shows, so that a log with very many tests fits in memory.</summary>
    public static void RemoveDetails(IoTestResult result)
    {
        result.Targets = [];
        result.Threads = [];
        result.Percentiles = [];
        result.Timeline = [];
        result.Processors = [];
        result.ResponsePercentiles = [];
        result.ToolDetails = [];
        result.Host = [];
        result.Totals = null;
        result.Histogram = null;
        result.ResponseHistogram = null;
        result.Specification = null;
    }

    public IEnumerable<string> FormatHeader() => _table.FormatHeader();

    public string FormatRow(IoTestResult result)
    {
        var row = _table.FormatRow([.. _columns.Select(c => c.Text(result))]);
        if (_isIntegrity)
            return IntegrityResult.DescribeEvidence(result) is { Length: > 0 } evidence ? $"{row}  {evidence}" : row.TrimEnd();
        string?[] notes =
        [
            DisplayLatency.FromResult(result).Word,
            result.HasMissedRate() ? "rate not reached" : null,
            result.HasWarning(WarningCodes.Stuck) ? "the longest I/O did not complete" : null,
            result.Integrity?.Outcome == IoIntegrityOutcome.NotVerified ? IntegrityMessages.NotVerified : null,
            result.Status == IoResultStatus.Complete ? null : result.Status.ToString().ToLowerInvariant(),
        ];
        var text = string.Join(", ", notes.Where(note => !string.IsNullOrEmpty(note)));
        return text.Length == 0 ? row : $"{row}  {text}";
    }

    private void AddTextColumn(string header, int width, Func<IoTestResult, string?> text, int minWidth = 10) =>
        _columns.Add((new TextColumn(header, width, IsNumber: false, minWidth), text));

    private void AddMetricColumn(string name, int width)
    {
        var metric = MetricCatalog.Get(name);
        AddNumberColumn(metric.ShownHeader, width, result => metric.FormatForTable(result, ResultFormats.IsInWholeMilliseconds(result)));
    }

    private void AddLatencyColumn(string name, int width, Func<DisplayLatency, double?> value)
    {
        var metric = MetricCatalog.Get(name);
        AddNumberColumn(
            metric.Header,
            width,
            result => metric.FormatForTable(value(DisplayLatency.FromResult(result)), ResultFormats.IsInWholeMilliseconds(result))
        );
    }

    private void AddNumberColumn(string header, int width, Func<IoTestResult, string?> text) =>
        _columns.Add((new TextColumn(header, width, IsNumber: true), text));

    private static string? GetFile(IoTestResult result) => Path.GetFileName(result.SourceFile);

    private static string? GetShortRole(string? role) => role?.Split(':')[0];
}
