using System.Diagnostics;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class FileCreationProgress(string path)
{
    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(100);

    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private TimeSpan _due;

    public bool IsDue()
    {
        if (_watch.Elapsed < _due)
            return false;
        _due = _watch.Elapsed + s_interval;
        return true;
    }

    /// <summary>Percent and seconds left are -1 if they are unknown.</summary>
    public (string Text, int Percent, int SecondsLeft) GetStatus(long written, long total)
    {
        var rate = written / Math.Max(_watch.Elapsed.TotalSeconds, 0.001);
        return (
            SuiteProgressMessages.FormatFileProgress(PreparationStep.Making, path, written, total, rate / (1 << 20)),
            total > 0 ? (int)Math.Clamp(100.0 * written / total, 0, 100) : -1,
            rate > 0 ? (int)Math.Min((total - written) / rate, int.MaxValue) : -1
        );
    }

    public SessionMessage CreateMessage(long written, long total)
    {
        var (text, percent, seconds) = GetStatus(written, total);
        return new SessionMessage
        {
            Kind = SessionMessageKind.Progress,
            Text = text,
            Percent = percent,
            SecondsLeft = seconds,
        };
    }
}
