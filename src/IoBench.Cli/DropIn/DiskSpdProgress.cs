using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.DropIn;

/// <summary>
/// What DiskSpd prints before its output while a run lasts: dots (<c>-P</c>) and what it does (<c>-v</c>). Scripts wait for some of these lines.
/// </summary>
internal sealed class DiskSpdProgress(TextWriter output)
{
    private IoTestSpecification? _test;
    private int _number;
    private RunPhase _told;
    private double _pending;
    private double _lastSeconds;
    private RunPhase _lastPhase;

    /// <summary>Looks at a running test.</summary>
    public void Watch(IoTestSpecification test, RunProgress progress)
    {
        if (!ReferenceEquals(_test, test))
            Begin(test);
        Tell(progress.Phase, null);
        Dot(progress);
    }

    /// <summary>A test has ended: lines that no look at it came early enough for.</summary>
    public void End(IoTestResult result)
    {
        if (_test is not null)
            Tell(RunPhase.Done, result);
        _test = null;
    }

    private void Begin(IoTestSpecification test)
    {
        _test = test;
        _number++;
        _told = RunPhase.Preparing;
        _pending = 0;
        if (test.DiskSpd is not { Verbose: true })
            return;
        Line($"Generating requests for timespan {_number}.");
        var thread = 0;
        foreach (var target in test.SharedThreadPool ? test.Targets.Take(1) : test.Targets)
        {
            for (var relative = 0; relative < test.PatternOf(target).ThreadCount; relative++, thread++)
            {
                Line($"creating thread {thread}");
                foreach (var file in test.SharedThreadPool ? test.Targets : [target])
                    Line($"thread {thread} is relative thread {relative} for {file.Path}");
            }
        }
    }

    /// <summary>Tells of each phase up to this one once, in order, however late it is looked at.</summary>
    private void Tell(RunPhase phase, IoTestResult? result)
    {
        while (_told < phase)
        {
            _told++;
            if (_test!.DiskSpd is not { Verbose: true })
                continue;
            switch (_told)
            {
                case RunPhase.WarmUp when _test.WarmUp > TimeSpan.Zero:
                    Line($"starting warm up for {_test.WarmUp.TotalSeconds:0}s...");
                    break;
                case RunPhase.Measuring:
                    Line($"starting measurements for {_test.Duration.TotalSeconds:0}s...");
                    break;
                case RunPhase.CoolDown:
                    Line($"stopped measurements, total measured time {result?.DurationSeconds ?? _test.Duration.TotalSeconds:0.00}s...");
                    if (_test.CoolDown > TimeSpan.Zero)
                        Line($"starting cool down for {_test.CoolDown.TotalSeconds:0}s...");
                    break;
                case RunPhase.Done:
                    Line($"finished test...");
                    break;
            }
        }
    }

    /// <summary>A dot for so many I/Os of a thread, from the rate since the last look.</summary>
    private void Dot(RunProgress progress)
    {
        if (_test!.DiskSpd is not { ProgressEvery: > 0 and var every } || progress.Phase is not (RunPhase.WarmUp or RunPhase.Measuring or RunPhase.CoolDown))
            return;
        if (progress.Phase != _lastPhase)
            (_lastPhase, _lastSeconds) = (progress.Phase, 0);
        _pending += progress.CurrentIops * Math.Max(0, progress.ElapsedSeconds - _lastSeconds);
        _lastSeconds = progress.ElapsedSeconds;
        var dots = (int)Math.Min(_pending / every, 100_000);
        _pending -= (double)dots * every;
        if (dots == 0)
            return;
        output.Write(new string('.', dots));
        output.Flush();
    }

    private void Line(FormattableString text)
    {
        output.Write(DateTime.Now.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture) + ": " + text.ToString(CultureInfo.InvariantCulture) + DiskSpdTextWriter.DiskSpdLineEnd);
        output.Flush();
    }
}
