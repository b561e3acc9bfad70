using IoBench.Engine;

namespace IoBench.Reports;

internal static class StallsSection
{
    /// <summary>Rows of a table. The JSON results have all of them.</summary>
    private const int MaxRows = 1000;

    private static readonly (TableColumn, Func<(string Run, IoTestResult Result, IoStall Silence), CellValue>)[] s_stallColumns =
    [
        (new("Run", false, 40, 16), row => CellValue.Create(row.Run, CellStyle.Strong)),
        (new("From (s)"), row => CellValue.Create(row.Silence.Seconds, CellStyle.ThreeDecimals)),
        (new("Length (s)"), row => CellValue.Create(row.Silence.LengthSeconds, CellStyle.ThreeDecimals)),
        (
            new("Target", false, 60),
            row => row.Silence.Target is { } target ? CellValue.Create(GetPath(row.Result, target)) : CellValue.Create("all")
        ),
    ];

    private static readonly (TableColumn, Func<(string Run, IoTestResult Result, IoSlowIO IO), CellValue>)[] s_slowestColumns =
    [
        (new("Run", false, 40, 16), row => CellValue.Create(row.Run, CellStyle.Strong)),
        (new("Start (s)"), row => CellValue.Create(row.IO.Seconds, CellStyle.ThreeDecimals)),
        (new("Latency (ms)"), row => CellValue.Create(row.IO.LatencyMs, CellStyle.Milliseconds)),
        (new("Queued before start (ms)"), row => CellValue.Create(row.IO.QueuedMs, CellStyle.Milliseconds)),
        (new("I/O", false, 16), row => CellValue.Create(row.IO.Kind + (row.IO.IsLost == true ? ", not completed" : ""))),
        (new("Offset"), row => CellValue.Create(row.IO.Offset, CellStyle.Integer)),
        (new("Size (bytes)"), row => CellValue.Create(row.IO.Size, CellStyle.Integer)),
        (new("Other outstanding I/Os"), row => CellValue.Create(row.IO.InFlight, CellStyle.Integer)),
        (new("Thread"), row => CellValue.Create(row.IO.Thread, CellStyle.Integer)),
        (new("Target", false, 60), row => CellValue.Create(GetPath(row.Result, row.IO.Target))),
    ];

    public static ReportSection? Build(ReportContext context)
    {
        var slowest = context
            .Results.Where(run => run.HasSlowIOs())
            .SelectMany(run => run.SlowestIOs.Select(io => (context.GetName(run), run, io)))
            .OrderByDescending(row => row.io.LatencyMs)
            .ToList();
        var silences = context
            .Results.Where(run => run.HasSlowIOs())
            .SelectMany(run => run.Silences.Select(silence => (context.GetName(run), run, silence)))
            .OrderByDescending(row => row.silence.LengthSeconds)
            .ToList();
        if (slowest.Count + silences.Count + context.Stalls.Count == 0)
            return null;
        var blocks = new List<SectionBlock>();
        blocks.AddRange(context.Stalls.Select(stall => new TextBlock(stall.Pattern.Describe(context.GetName(stall.Run)), CellStyle.Lead)));
        if (context.Stalls.Count == 0)
            blocks.Add(new TextBlock("No run had a stall."));
        if (silences.Count > 0)
        {
            blocks.Add(new TextBlock("Periods in which no I/O completed", CellStyle.Heading));
            blocks.Add(new TextBlock("In these periods, I/Os were outstanding, and none of them completed. The longest period is first."));
            blocks.Add(TableBlock.FromItems("Silences", [.. silences.Take(MaxRows)], s_stallColumns));
        }
        if (slowest.Count > 0)
        {
            blocks.Add(new TextBlock("Slowest I/Os", CellStyle.Heading));
            blocks.Add(
                new TextBlock(
                    Invariant(
                        $"The table shows up to {IoSlowIO.MaxCount} of the slowest I/Os of each run, in order of latency. Times are relative to the start of the measurement. Latency is measured from the start of the I/O."
                    )
                )
            );
            blocks.Add(TableBlock.FromItems("SlowestIOs", [.. slowest.Take(MaxRows)], s_slowestColumns));
        }
        return new("Stalls", "Stalls: periods without completed I/Os, and the slowest I/Os", blocks) { IsPrinted = false };
    }

    private static string GetPath(IoTestResult run, int target) => target < run.Targets.Count ? run.Targets[target].Path : run.Path ?? "";
}
