using System.Runtime.ExceptionServices;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs a drill: the load on a thread of its own, what is seen on the calling one.</summary>
public static class DrillRunner
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>Seconds that what is in flight at the end has to come back, and that reading back may take.</summary>
    private const double Patience = 5;

    /// <summary>Runs it to its end.</summary>
    /// <param name="plan">The drill.</param>
    /// <param name="options">What it may do.</param>
    /// <param name="observer">Shows it.</param>
    /// <param name="ends">Asked whether somebody ends it; null = nobody does.</param>
    /// <param name="cancelled">Ends it too, with what was found so far.</param>
    /// <exception cref="IoBenchException">The file is refused or cannot be made.</exception>
    /// <exception cref="OperationCanceledException">It was ended before the load began.</exception>
    public static DrillResult Run(DrillPlan plan, TestRunOptions options, IDrillObserver observer, Func<bool>? ends, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(observer);
        var pattern = plan.Test.PatternOf(plan.Test.Targets[0]);
        var settings = new DrillLoadSettings(plan.Test.TargetIops!.Value, pattern.WritePercent, (int)pattern.BlockSize, plan.Test.Seed);
        using var target = DrillTarget.Open(plan.Test, options, settings.MaxOutstanding, (step, done, total) => observer.OnPreparing(plan.Test.Targets[0].Path, step, done, total), cancelled);
        var record = new DrillRecord();
        var loop = new DrillLoop(settings, target, record);
        var startTime = DateTimeOffset.Now;
        observer.OnEvent(new DrillEvent(DrillEventKind.Begin, 0, FormattableString.Invariant($"{settings.Rate:0.###} I/Os per second, {settings.WritePercent} % writes, on {target.Path}: pull now")));
        var load = new Load(loop, plan.Test.Duration.TotalSeconds);
        var watch = new Watch(observer, record, target.Path, plan.EndsWithKey ? null : plan.Test.Duration.TotalSeconds);
        try
        {
            while (!load.IsOver(s_look))
            {
                watch.Look();
                if (cancelled.IsCancellationRequested || ends?.Invoke() == true)
                    load.Stop();
            }
        }
        finally
        {
            // Whatever the observer throws: the files stay open until nothing uses them.
            load.Stop();
            load.IsOver(TimeSpan.FromSeconds(3 * Patience));
        }
        watch.Look();
        var result = record.ToResult(target.Path, startTime, plan);
        if (result.MismatchCount == 0 && target.End() is { } open)
            observer.OnEvent(new DrillEvent(DrillEventKind.Warning, result.DurationSeconds, open));
        observer.OnEvent(new DrillEvent(DrillEventKind.End, result.DurationSeconds, result.Summary) { Result = result });
        return result;
    }

    /// <summary>The loop on a thread that does not keep the process, though it may hang with its disk.</summary>
    private sealed class Load
    {
        private readonly Thread _thread;
        private volatile bool _isStopped;
        private ExceptionDispatchInfo? _failure;

        public Load(DrillLoop loop, double seconds)
        {
            _thread = new Thread(() =>
            {
                try
                {
                    loop.Run(seconds, () => _isStopped, Patience);
                }
                catch (Exception e)
                {
                    // Handed to whoever waits for the end.
                    _failure = ExceptionDispatchInfo.Capture(e);
                }
            }) { IsBackground = true, Name = "IoBench drill" };
            _thread.Start();
        }

        public void Stop() => _isStopped = true;

        public bool IsOver(TimeSpan timeout)
        {
            if (!_thread.Join(timeout))
                return false;
            _failure?.Throw();
            return true;
        }
    }

    /// <summary>What is shown while it runs.</summary>
    private sealed class Watch(IDrillObserver observer, DrillRecord record, string path, double? duration)
    {
        private readonly HangWatch _hangs = new();
        private double _nextLine = 1;

        public void Look()
        {
            foreach (var news in record.TakeNews())
                observer.OnEvent(news);
            var live = record.Live(duration);
            var oldest = record.OldestSeconds;
            if (_hangs.Look(oldest >= 1 ? new WaitingIO(IoRequestKind.Write, path, 0, 0, oldest, 1) : null, "an I/O") is { } warning)
                observer.OnEvent(new DrillEvent(DrillEventKind.Warning, live.Seconds, warning.Text.ToString()));
            observer.OnLive(live);
            if (live.Seconds < _nextLine)
                return;
            _nextLine = Math.Floor(live.Seconds) + 1;
            observer.OnEvent(new DrillEvent(DrillEventKind.Live, live.Seconds, live.Text) { Live = live });
        }
    }
}
