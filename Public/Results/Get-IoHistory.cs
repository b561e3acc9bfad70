using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Returns the trend of results over time, per workload and computer.</summary>
[Cmdlet(VerbsCommon.Get, "IoHistory", HelpUri = HelpPages.Root + "Get-IoHistory")]
[OutputType(typeof(HistoryTrend), typeof(IoTestResult))]
public sealed class GetIoHistoryCommand : ResultCmdlet
{
    /// <summary>Folders or files with earlier results, in any format.</summary>
    [Parameter(Position = 0)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(ValueFromPipeline = true)]
    [AllowNull]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <summary>Metrics; default IOPS and AverageLatencyMs, or ResponseAverageMs for tests with a target rate.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[]? Metric { get; set; }

    [Parameter]
    [SupportsWildcards]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[]? Workload { get; set; }

    [Parameter]
    [SupportsWildcards]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[]? ComputerName { get; set; }

    /// <summary>Only runs at or after this time.</summary>
    [Parameter]
    public DateTime? Since { get; set; }

    /// <summary>Returns the results in order, instead of their trends.</summary>
    [Parameter]
    public SwitchParameter AsResult { get; set; }

    /// <summary>File (.prom) for metrics of the trends. Each call replaces it.</summary>
    [Parameter]
    public string? MetricsPath { get; set; }

    protected override void Process() => AddResults(InputObject);

    protected override void End()
    {
        using var metrics = this.ReserveMetrics(MetricsPath);
        foreach (
            var path in PathResolver.ResolvePaths(
                SessionState,
                Path,
                null,
                allowMissing: false,
                (error, name) => WriteNonTerminatingError(error, name)
            )
        )
            TryProcess(path, () => Results.AddRange(ResultHistory.Read(path, WriteWarning)));
        var query = new HistoryQuery(ReadParameters(OptionTables.History));
        // Files that could not be read were already reported.
        var trends = (AsResult && metrics is null) || (Results.Count == 0 && Path is not null) ? [] : query.GetTrends(Results);
        if (trends.Count > 0)
            metrics?.WriteTrends(trends);
        if (AsResult)
            WriteObject(query.SelectResults(Results), enumerateCollection: true);
        else
            WriteObject(trends, enumerateCollection: true);
    }
}
