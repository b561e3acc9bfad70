using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal sealed class FleetView(CliConsole console, bool isQuiet) : IFleetObserver
{
    private const int MaxRows = 24;

    private readonly Dictionary<string, int> _said = [];
    private int _lines;

    public void OnWarning(IoWarning warning) => Say($"Warning: {warning.Text.Render(console.Spelling)}");

    public void OnWaiting(IReadOnlyList<FleetHost> hosts, TimeSpan time) => Say($"{FleetText.Waiting(hosts, time)}");

    public void OnTestBegun(int test, IReadOnlyList<string> hosts) => Say(FleetText.Begun(test, hosts.Count));

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_said.TryAdd(failure.ToString(), 1))
            Say(failure.Render(console.Spelling), always: true);
    }

    public void OnStatus(FleetStatus status)
    {
        if (isQuiet || !console.ErrorIsTerminal)
            return;
        // A wrapped line cannot be cleared, and a terminal without escape sequences can clear only one line.
        var (width, scene) = (ProgressLine.TerminalWidth() - 1, FleetScene.Of("", status, DateTimeOffset.Now));
        List<string> lines =
        [
            .. (TerminalMode.HasEscapes ? scene.Lines : [scene.ToString()])
                .Select(line => SafeText.Escape(line))
                .Select(line => line.Length > width ? line[..width] : line),
        ];
        End();
        console.Error.Write(
            TerminalMode.HasEscapes ? string.Concat(lines.Select(line => line + "\u001b[K\n")) : "\r" + lines[0].PadRight(width)
        );
        console.Error.Flush();
        _lines = lines.Count;
    }

    public void End()
    {
        if (_lines > 0)
            console.Error.Write(
                TerminalMode.HasEscapes ? $"\u001b[{_lines}A\u001b[J" : "\r" + new string(' ', ProgressLine.TerminalWidth() - 1) + "\r"
            );
        _lines = 0;
    }

    public static void Write(TextWriter output, FleetAnswer answer, TextSpelling spelling)
    {
        foreach (var group in answer.Groups)
        {
            output.WriteLine(group.Summary);
            foreach (var warning in group.Warnings)
                output.WriteLine($"  {warning.Render(spelling)}");
            foreach (var failure in group.Failures)
                output.WriteLine($"  {failure.Render(spelling)}");
            if (group.Hosts.Count > 1)
                WriteHosts(output, group);
            output.WriteLine();
        }
        foreach (var ramp in answer.Ramps)
        {
            output.WriteLine(ramp.Summary);
            TextTable.Write(
                output,
                [
                    .. ramp.Points.Select(point =>
                        new[]
                        {
                            Figures.Whole(point.Hosts),
                            Figures.Grouped(point.IOPS),
                            Throughput.Text(point.MBps ?? 0),
                            Figures.Grouped(point.IOPS / point.Hosts),
                            Figures.Wait(point.AverageLatencyMs),
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
        TextTable.Write(
            output,
            [
                .. shown.Select(host =>
                    new[]
                    {
                        host.Host,
                        host.Result.ComputerName ?? "",
                        Figures.Grouped(host.IOPS, 0, "-"),
                        Figures.Grouped(Throughput.In(host.MBps), 1, "-"),
                        Figures.Wait(ShownLatency.Of(host.Result).AverageMs),
                        Figures.Wait(ShownLatency.Of(host.Result).P99Ms),
                        host.SharePercent is { } share ? Figures.Whole((int)Math.Round(share)) : "-",
                        host.Result.StartOffsetSeconds is { } offset ? (offset * 1000).ToString("0.0", CultureInfo.InvariantCulture) : "-",
                        host.IsOutlier ? "outlier" : "",
                    }
                ),
            ],
            "host",
            "computer",
            "#IOPS",
            $"#{Throughput.Unit}",
            "#avg ms",
            "#p99 ms",
            "#share %",
            "#start ms",
            "note"
        );
        if (shown.Count < group.Hosts.Count)
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"the {shown.Count} slowest of {group.Hosts.Count} hosts"));
    }

    private void Say(string text, bool always = false)
    {
        if (isQuiet && !always)
            return;
        End();
        console.Error.WriteLine(text);
    }
}
