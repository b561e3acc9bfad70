using System.Globalization;

namespace IoBench.Cli.DropIn;

/// <summary>
/// What DiskSpd prints before its output while a run lasts: dots (<c>-P</c>) and what it does (<c>-v</c>). Scripts wait for some of these lines.
/// What its own threads print in any order stands here thread by thread.
/// </summary>
internal sealed class DiskSpdProgress(TextWriter output)
{
    /// <summary>Processors of a group at most: numbers of threads' processors count on from there.</summary>
    private const int ProcessorsPerGroup = 64;

    private IoTestSpecification? _test;
    private IReadOnlyList<RunThread> _threads = [];
    private string? _made;
    private int _number;
    private RunPhase _told;
    private double _pending;
    private double _lastSeconds;
    private RunPhase _lastPhase;

    /// <summary>Looks at a running test; the last time after its end, before <see cref="End"/>.</summary>
    public void Watch(IoTestSpecification test, TestRun run, RunProgress progress)
    {
        if (!ReferenceEquals(_test, test))
            Begin(test);
        _threads = run.Threads;
        TellOfFile(progress);
        // A run that is over, by itself or because somebody ended it, is reported by its result.
        if (progress.Phase is RunPhase.Draining or RunPhase.Done)
            return;
        Print(progress.Phase, null);
        Dot(progress);
    }

    /// <summary>A test has ended: lines that no look at it came early enough for.</summary>
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

    /// <summary>A file that is being made, as far as a look at the run falls into it.</summary>
    private void TellOfFile(RunProgress progress)
    {
        if (!IsVerbose || progress.PreparingPath is not { } path || path == _made || progress.PrepareTotalBytes == 0)
            return;
        _made = path;
        Line($"Creating file '{path}' of size {progress.PrepareTotalBytes}.");
    }

    /// <summary>Reports each phase up to this one once, in order, however late it is looked at.</summary>
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
        // Bound to one processor, as DiskSpd's threads are unless -n says otherwise.
        if (thread.Processors is [var processor])
        {
            var group = OperatingSystem.IsWindows() ? processor / ProcessorsPerGroup : 0;
            Line($"thread {thread.Number}: affinitizing to Group {group} / CPU {processor - group * ProcessorsPerGroup}");
        }
        foreach (var target in thread.Targets.Select(i => _test!.Targets[i]))
        {
            // DiskSpd's seed of a thread: the run's and its number, which is what the thread's sequence follows from here too.
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

    /// <summary>A dot for so many I/Os of a thread, from the rate since the last look.</summary>
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
