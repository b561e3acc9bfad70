using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class StallsSection
{
    /// <summary>Rows of a table. The JSON results have all of them.</summary>
    private const int MaxRows = 1000;

    private static readonly (TableColumn, Func<(string Run, IoTestResult Result, IoSilence Silence), CellValue>)[] s_silences =
    [
        (new("Run", false, 40, 16), row => CellValue.Of(row.Run, CellStyle.Strong)),
        (new("From (s)"), row => CellValue.Of(row.Silence.Seconds, CellStyle.ThreeDecimals)),
        (new("Length (s)"), row => CellValue.Of(row.Silence.LengthSeconds, CellStyle.ThreeDecimals)),
        (
            new("Target", false, 60),
            row => row.Silence.Target is { } target ? CellValue.Of(PathOf(row.Result, target)) : CellValue.Of("all")
        ),
    ];

    private static readonly (TableColumn, Func<(string Run, IoTestResult Result, IoSlowIO IO), CellValue>)[] s_slowest =
    [
        (new("Run", false, 40, 16), row => CellValue.Of(row.Run, CellStyle.Strong)),
        (new("Began at (s)"), row => CellValue.Of(row.IO.Seconds, CellStyle.ThreeDecimals)),
        (new("Latency (ms)"), row => CellValue.Of(row.IO.LatencyMs, CellStyle.Milliseconds)),
        (new("Queued before (ms)"), row => CellValue.Of(row.IO.QueuedMs, CellStyle.Milliseconds)),
        (new("I/O", false, 16), row => CellValue.Of(row.IO.Kind + (row.IO.IsLost == true ? ", never back" : ""))),
        (new("Offset"), row => CellValue.Of(row.IO.Offset, CellStyle.Whole)),
        (new("Size (bytes)"), row => CellValue.Of(row.IO.Size, CellStyle.Whole)),
        (new("Others in flight"), row => CellValue.Of(row.IO.InFlight, CellStyle.Whole)),
        (new("Thread"), row => CellValue.Of(row.IO.Thread, CellStyle.Whole)),
        (new("Target", false, 60), row => CellValue.Of(PathOf(row.Result, row.IO.Target))),
    ];

    public static Section? Build(ReportContext context)
    {
        var slowest = context
            .Results.Where(run => run.HasSlowIOs())
            .SelectMany(run => run.SlowestIOs.Select(io => (context.NameOf(run), run, io)))
            .OrderByDescending(row => row.io.LatencyMs)
            .ToList();
        var silences = context
            .Results.Where(run => run.HasSlowIOs())
            .SelectMany(run => run.Silences.Select(silence => (context.NameOf(run), run, silence)))
            .OrderByDescending(row => row.silence.LengthSeconds)
            .ToList();
        if (slowest.Count + silences.Count + context.Stalls.Count == 0)
            return null;
        var blocks = new List<Block>();
        blocks.AddRange(context.Stalls.Select(stall => new TextBlock(stall.Pattern.Say(context.NameOf(stall.Run)), CellStyle.Lead)));
        if (context.Stalls.Count == 0)
            blocks.Add(new TextBlock("No run stalled."));
        if (silences.Count > 0)
        {
            blocks.Add(new TextBlock("Times in which nothing came back", CellStyle.Heading));
            blocks.Add(new TextBlock("I/Os were in flight, and none of them ended. The longest first."));
            blocks.Add(ColumnSet.Table("Silences", [.. silences.Take(MaxRows)], s_silences));
        }
        if (slowest.Count > 0)
        {
            blocks.Add(new TextBlock("Slowest I/Os", CellStyle.Heading));
            blocks.Add(
                new TextBlock(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"Of each run its {IoSlowIO.MaxCount} slowest, the slowest of all first. Times count from the start of the measurement; latency counts from the I/O's start."
                    )
                )
            );
            blocks.Add(ColumnSet.Table("SlowestIOs", [.. slowest.Take(MaxRows)], s_slowest));
        }
        return new("Stalls", "Stalls: what stood still, and the slowest I/Os", blocks) { IsPrinted = false };
    }

    private static string PathOf(IoTestResult run, int target) => target < run.Targets.Count ? run.Targets[target].Path : run.Path ?? "";
}
