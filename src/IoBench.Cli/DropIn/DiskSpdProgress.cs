using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>
/// Writes the lines that DiskSpd prints during a run: dots (<c>-P</c>) and progress (<c>-v</c>). Scripts wait for some of these lines.
/// DiskSpd's threads print in any order, IoBench thread by thread.
/// </summary>
internal sealed class DiskSpdProgress(TextWriter output)
{
    /// <summary>Maximum number of processors in a group. Processor numbers continue from one group to the next.</summary>
    private const int ProcessorsPerGroup = 64;

    private IoTestSpecification? _test;
    private IReadOnlyList<RunThread> _threads = [];
    private string? _made;
    private int _number;
    private RunPhase _told;
    private double _pending;
    private double _lastSeconds;
    private RunPhase _lastPhase;

    /// <summary>Called repeatedly during a test, the last time after its end but before <see cref="End"/>.</summary>
    public void Watch(IoTestSpecification test, TestRun run, RunProgress progress)
    {
        if (!ReferenceEquals(_test, test))
            Begin(test);
        _threads = run.Threads;
        TellOfFile(progress);
        // A run that has ended or was canceled is reported by its result.
        if (progress.Phase is RunPhase.Draining or RunPhase.Done)
            return;
        Print(progress.Phase, null);
        Dot(progress);
    }

    public void End(IoTestResult result)
    {
        if (_test is not null && result.DurationSeconds is not null)
            Print(RunPhase.Done, result);
        _test = null;
    }

    private bool IsVerbose => _test!.Origin().DiskSpd is { Verbose: true };

    private void Begin(IoTestSpecification test)
    {
        _test = test;
        _number++;
        _made = null;
        _told = RunPhase.Preparing;
        _pending = 0;
    }

    private void TellOfFile(RunProgress progress)
    {
        if (!IsVerbose || progress.PreparingPath is not { } path || path == _made || progress.PrepareTotalBytes == 0)
            return;
        _made = path;
        Line($"Creating file '{path}' of size {progress.PrepareTotalBytes}.");
    }

    /// <summary>Reports each phase up to this one once and in order, however late the call is.</summary>
    private void Print(RunPhase phase, IoTestResult? result)
    {
        while (_told < phase)
        {
            _told++;
            if (!IsVerbose)
                continue;
            switch (_told)
            {
                case RunPhase.WarmUp:
                    TellOfThreads();
                    if (_test!.WarmUp > TimeSpan.Zero)
                        Line($"starting warm up for {_test.WarmUp.TotalSeconds:0}s...");
                    break;
                case RunPhase.Measuring:
                    TellOfProcessorTimes();
                    Line($"starting measurements for {_test!.Duration.TotalSeconds:0}s...");
                    break;
                case RunPhase.CoolDown:
                    Line($"stopped measurements, total measured time {result?.DurationSeconds ?? _test!.Duration.TotalSeconds:0.00}s...");
                    TellOfProcessorTimes();
                    if (_test!.CoolDown > TimeSpan.Zero && result?.Status is null or IoResultStatus.Complete)
                        Line($"starting cool down for {_test.CoolDown.TotalSeconds:0}s...");
                    break;
                case RunPhase.Done:
                    Line($"finished test...");
                    break;
            }
        }
    }

    private void TellOfThreads()
    {
        Line($"Generating requests for timespan {_number}.");
        foreach (var thread in _threads)
        {
            Line($"creating thread {thread.Number}");
            if (!_test!.SharedThreadPool)
                Line($"thread {thread.Number} is relative thread {thread.NumberOfTarget} for {_test.Targets[thread.Targets[0]].Path}");
        }
        foreach (var thread in _threads)
            TellOf(thread);
    }

    private void TellOf(RunThread thread)
    {
        // DiskSpd binds each thread to one processor unless -n is specified.
        if (thread.Processors is [var processor])
        {
            var group = OperatingSystem.IsWindows() ? processor / ProcessorsPerGroup : 0;
            Line($"thread {thread.Number}: affinitizing to Group {group} / CPU {processor - group * ProcessorsPerGroup}");
        }
        foreach (var target in thread.Targets.Select(i => _test!.Targets[i]))
        {
            // DiskSpd seeds a thread with the seed of the run plus the thread's number. The engine does the same.
            Line(
                $"thread {thread.Number}: file '{target.Path}' relative thread {thread.NumberOfTarget} (random seed: {unchecked(_test!.Seed + (ulong)thread.Number)})"
            );
            var pattern = _test.PatternOf(target);
            var order = pattern.AccessPattern switch
            {
                IoAccessPattern.Random => "100% random IO",
                IoAccessPattern.PartRandom => FormattableString.Invariant($"{pattern.RandomPercent}% random IO"),
                IoAccessPattern.Interlocked => "interlocked sequential IO",
                _ => "sequential IO",
            };
            Line($"thread {thread.Number}: {order}");
        }
        Line($"thread {thread.Number}: waiting for a signal to start");
        Line($"thread {thread.Number}: received signal to start");
    }

    private void TellOfProcessorTimes()
    {
        foreach (var (count, group) in HostFacts.ProcessorGroups().Select((count, group) => (count, group)))
            Line($"get system perf info: queried for Group {group} ({count} CPUs)");
    }

    private void Dot(RunProgress progress)
    {
        if (
            _test!.Origin().DiskSpd is not { ProgressEvery: > 0 and var every }
            || progress.Phase is not (RunPhase.WarmUp or RunPhase.Measuring or RunPhase.CoolDown)
        )
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
        output.Write(
            DateTime.Now.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture)
                + ": "
                + text.ToString(CultureInfo.InvariantCulture)
                + DiskSpdTextWriter.DiskSpdLineEnd
        );
        output.Flush();
    }
}
