using System.Globalization;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>The one live line on a terminal's standard error; writes nothing where there is no terminal.</summary>
/// <param name="error">Standard error.</param>
/// <param name="isTerminal">It is a terminal.</param>
/// <param name="hasEscapes">That understands escape sequences; null = as the process's own does.</param>
internal sealed class ProgressLine(TextWriter error, bool isTerminal, bool? hasEscapes = null)
{
    private readonly bool _hasEscapes = hasEscapes ?? TerminalMode.HasEscapes;
    private readonly TextWriter _error = error is ConsoleWriter console ? console.ForControl : error;
    private bool _shown;

    /// <summary>Shows what a run is doing: <c>6/9 checkpoint   12 s left   25,380 IOPS   397 MiB/s   p99 6.4 ms</c>.</summary>
    public void Show(int number, int count, string name, TimeSpan rest, RunProgress progress) => Write(Text(number, count, name, rest, progress));

    /// <summary>Shows a text as it is.</summary>
    public void Show(string text) => Write(text);

    /// <summary>Takes the line away, before anything else is written.</summary>
    public void Clear()
    {
        if (!_shown)
            return;
        _error.Write(_hasEscapes ? "\r\u001b[K" : "\r" + new string(' ', TerminalWidth() - 1) + "\r");
        _error.Flush();
        _shown = false;
    }

    internal static string Text(int number, int count, string name, TimeSpan rest, RunProgress progress)
    {
        string[] parts = progress switch
        {
            { Phase: RunPhase.Preparing or RunPhase.Waiting, PreparingPath: { } path } =>
            [
                $"{progress.Step.Words()} {path}",
                $"{Size(progress.PreparedBytes)} of {Size(progress.PrepareTotalBytes)}",
                progress.CurrentMBps > 0 ? Speed(progress.CurrentMBps) : "",
                Left(progress.RemainingSeconds),
                Silence(progress),
            ],
            { Call: { } call } when progress.Phase is RunPhase.Preparing or RunPhase.Waiting => [$"{number}/{count} {name}", $"{call}", Silence(progress)],
            // Files are checked in no time when they are there: what is left of the phase is the rest that was asked for.
            { Phase: RunPhase.Preparing or RunPhase.Waiting } when rest.TotalSeconds - progress.ElapsedSeconds > 0 =>
                [$"{number}/{count} {name}", "resting", Left(rest.TotalSeconds - progress.ElapsedSeconds)],
            { Phase: RunPhase.Preparing or RunPhase.Waiting } => [$"{number}/{count} {name}", "preparing"],
            _ =>
            [
                $"{number}/{count} {name}",
                progress.Phase switch { RunPhase.WarmUp => "warming up", RunPhase.CoolDown => "cooling down", RunPhase.Draining => "ending", _ => "" },
                Left(progress.RemainingSeconds),
                string.Create(CultureInfo.InvariantCulture, $"{progress.CurrentIops:#,##0} IOPS"),
                $"{Figures.Grouped(Throughput.In(progress.CurrentMBps))} {Throughput.Unit}",
                progress.P99Ms is { } p99 ? string.Create(CultureInfo.InvariantCulture, $"{(progress.IsResponse ? "response p99" : "p99")} {p99:0.0##} ms") : "",
                Silence(progress),
            ],
        };
        return string.Join("   ", parts.Where(part => part.Length > 0));
    }

    private void Write(string text)
    {
        if (!isTerminal)
            return;
        // A line that wraps would leave its beginning behind.
        var width = TerminalWidth() - 1;
        text = SafeText.Escape(text);
        text = text.Length > width ? text[..width] : text;
        _error.Write("\r" + (_hasEscapes ? text + "\u001b[K" : text.PadRight(width)));
        _error.Flush();
        _shown = true;
    }

    private static string Silence(RunProgress progress)
        => (progress.Waiting?.Seconds ?? progress.Call?.Seconds) is { } seconds ? string.Create(CultureInfo.InvariantCulture, $"no answer for {Math.Floor(seconds):0} s") : "";

    private static string Left(double? seconds) => seconds is null ? ""
        : seconds < 100 ? string.Create(CultureInfo.InvariantCulture, $"{Math.Ceiling(seconds.Value):0} s left")
        : TestPlanEstimate.Words(TimeSpan.FromSeconds(seconds.Value)) + " left";

    private static string Size(long bytes) => new IoSize(bytes).ToDisplayString();

    private static string Speed(double mebibytes) => Size((long)(mebibytes * (1 << 20))) + "/s";

    /// <summary>Columns of the terminal.</summary>
    internal static int TerminalWidth()
    {
        try
        {
            return Console.WindowWidth > 10 ? Console.WindowWidth : 80;
        }
        catch (IOException)
        {
            return 80; // a terminal that does not say
        }
    }
}
