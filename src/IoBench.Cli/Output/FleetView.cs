using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal sealed class FleetView(CliConsole console, bool isQuiet) : IFleetObserver
{
    private const int MaxRows = 24;

    private readonly Dictionary<string, int> _reportedFailures = [];
    private int _lines;

    public void OnWarning(IoWarning warning) => WriteLine($"Warning: {warning.RenderWithId(console.Spelling)}");

    public void OnProgress(string line) => WriteLine(line);

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_reportedFailures.TryAdd(failure.ToString(), 1))
            WriteLine(failure.Render(console.Spelling), always: true);
    }

    public void OnStatus(IReadOnlyList<string> status)
    {
        if (isQuiet || !console.IsErrorTerminal)
            return;
        // A wrapped line cannot be cleared, and a terminal without escape sequences can clear only one line.
        var width = ProgressLine.GetTerminalWidth() - 1;
        List<string> lines =
        [
            .. (TerminalMode.SupportsEscapeSequences ? status : [string.Join("; ", status)])
                .Select(line => SafeText.Escape(line))
                .Select(line => line.Length > width ? line[..width] : line),
        ];
        ClearLines();
        console.Error.Write(
            TerminalMode.SupportsEscapeSequences
                ? string.Concat(lines.Select(line => line + "\u001b[K\n"))
                : "\r" + lines[0].PadRight(width)
        );
        console.Error.Flush();
        _lines = lines.Count;
    }

    public void ClearLines()
    {
        if (_lines > 0)
            console.Error.Write(
                TerminalMode.SupportsEscapeSequences
                    ? $"\u001b[{_lines}A\u001b[J"
                    : "\r" + new string(' ', ProgressLine.GetTerminalWidth() - 1) + "\r"
            );
        _lines = 0;
    }

    public static void WriteResults(TextWriter output, FleetResult answer, OptionSpelling spelling)
    {
        foreach (var group in answer.Groups)
        {
            output.WriteLine(group.Summary);
            foreach (var warning in group.Warnings)
                output.WriteLine($"  {warning.Text.Render(spelling)}");
            foreach (var failure in group.Failures)
                output.WriteLine($"  {failure.Render(spelling)}");
            if (group.Hosts.Count > 1)
                WriteHosts(output, group);
            output.WriteLine();
        }
        foreach (var ramp in answer.Ramps)
        {
            output.WriteLine(ramp.Summary);
            TextTable.WriteTable(
                output,
                [
                    .. ramp.Points.Select(point =>
                        new[]
                        {
                            NumberFormat.Integer(point.Hosts),
                            NumberFormat.Grouped(point.IOPS),
                            ThroughputDisplay.Format(point.MBps ?? 0),
                            NumberFormat.Grouped(point.IOPS / point.Hosts),
                            NumberFormat.Latency(point.AverageLatencyMs),
                        }
                    ),
                ],
                "#hosts",
                "#IOPS",
                "#throughput",
                "#per host",
                "#avg ms"
            );
            output.WriteLine();
        }
    }

    private static void WriteHosts(TextWriter output, FleetGroup group)
    {
        var shown = group.Hosts.Count <= MaxRows ? group.Hosts : [.. group.Hosts.OrderBy(host => host.IOPS).Take(MaxRows / 2)];
        TextTable.WriteTable(
            output,
            [
                .. shown.Select(host =>
                    new[]
                    {
                        host.Host,
                        host.Result.ComputerName ?? "",
                        NumberFormat.Grouped(host.IOPS, 0, "-"),
                        NumberFormat.Grouped(ThroughputDisplay.ToUnit(host.MBps), 1, "-"),
                        NumberFormat.Latency(DisplayLatency.FromResult(host.Result).AverageMs),
                        NumberFormat.Latency(DisplayLatency.FromResult(host.Result).P99Ms),
                        host.SharePercent is { } share ? NumberFormat.Integer((int)Math.Round(share)) : "-",
                        host.Result.StartOffsetSeconds is { } offset ? (offset * 1000).ToString("0.0", CultureInfo.InvariantCulture) : "-",
                        host.IsOutlier ? "outlier" : "",
                    }
                ),
            ],
            "host",
            "computer",
            "#IOPS",
            $"#{ThroughputDisplay.Unit}",
            "#avg ms",
            "#p99 ms",
            "#share %",
            "#start ms",
            "note"
        );
        if (shown.Count < group.Hosts.Count)
            output.WriteLine(Invariant($"the {shown.Count} slowest of {group.Hosts.Count} hosts"));
    }

    private void WriteLine(string text, bool always = false)
    {
        if (isQuiet && !always)
            return;
        ClearLines();
        console.Error.WriteLine(text);
    }
}
