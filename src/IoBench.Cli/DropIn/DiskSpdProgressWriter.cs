using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>Writes dots (<c>-P</c>) and progress (<c>-v</c>), because scripts wait for some of these lines. DiskSpd's threads print in any
/// order.</summary>
internal sealed class DiskSpdProgressWriter(TextWriter output)
{
    /// <summary>Maximum number of processors in a group. Processor numbers continue from one group to the next.</summary>
    private const int ProcessorsPerGroup = 64;

    private IoTestSpecification? _test;
    private IReadOnlyList<RunThread> _threads = [];
    private string? _createdPath;
    private int _number;
    private RunPhase _reportedPhase;
    private double _pending;
    private double _lastSeconds;
    private RunPhase _lastPhase;

    /// <summary>Called repeatedly during a test, the last time after its end but before <see cref="ReportEnd"/>.</summary>
    public void ReportProgress(IoTestSpecification test, TestRun run, RunProgress progress)
    {
        if (!ReferenceEquals(_test, test))
            StartTest(test);
        _threads = run.Threads;
        WriteFileCreation(progress);
        // A run that has ended or was canceled is reported by its result.
        if (progress.Phase is RunPhase.Draining or RunPhase.Done)
            return;
        WritePhases(progress.Phase, null);
        WriteDots(progress);
    }

    public void ReportEnd(IoTestResult result)
    {
        if (_test is not null && result.DurationSeconds is not null)
            WritePhases(RunPhase.Done, result);
        _test = null;
    }

    private bool IsVerbose => _test!.GetOrAddOrigin().DiskSpd is { Verbose: true };

    private void StartTest(IoTestSpecification test)
    {
        _test = test;
        _number++;
        _createdPath = null;
        _reportedPhase = RunPhase.Preparing;
        _pending = 0;
    }

    private void WriteFileCreation(RunProgress progress)
    {
        if (!IsVerbose || progress.PreparingPath is not { } path || path == _createdPath || progress.PrepareTotalBytes == 0)
            return;
        _createdPath = path;
        WriteLine($"Creating file '{path}' of size {progress.PrepareTotalBytes}.");
    }

    /// <summary>Reports each phase up to this one once and in order, however late the call is.</summary>
    private void WritePhases(RunPhase phase, IoTestResult? result)
    {
        while (_reportedPhase < phase)
        {
            _reportedPhase++;
            if (!IsVerbose)
                continue;
            switch (_reportedPhase)
            {
                case RunPhase.WarmUp:
                    WriteThreads();
                    if (_test!.WarmUp > TimeSpan.Zero)
                        WriteLine($"starting warm up for {_test.WarmUp.TotalSeconds:0}s...");
                    break;
                case RunPhase.Measuring:
                    WriteProcessorGroups();
                    WriteLine($"starting measurements for {_test!.Duration.TotalSeconds:0}s...");
                    break;
                case RunPhase.CoolDown:
                    WriteLine(
                        $"stopped measurements, total measured time {result?.DurationSeconds ?? _test!.Duration.TotalSeconds:0.00}s..."
                    );
                    WriteProcessorGroups();
                    if (_test!.CoolDown > TimeSpan.Zero && result?.Status is null or IoResultStatus.Complete)
                        WriteLine($"starting cool down for {_test.CoolDown.TotalSeconds:0}s...");
                    break;
                case RunPhase.Done:
                    WriteLine($"finished test...");
                    break;
            }
        }
    }

    private void WriteThreads()
    {
        WriteLine($"Generating requests for timespan {_number}.");
        foreach (var thread in _threads)
        {
            WriteLine($"creating thread {thread.Number}");
            if (!_test!.SharedThreadPool)
                WriteLine($"thread {thread.Number} is relative thread {thread.NumberOfTarget} for {_test.Targets[thread.Targets[0]].Path}");
        }
        foreach (var thread in _threads)
            WriteThread(thread);
    }

    private void WriteThread(RunThread thread)
    {
        // DiskSpd binds each thread to one processor unless -n is specified.
        if (thread.Processors is [var processor])
        {
            var group = OperatingSystem.IsWindows() ? processor / ProcessorsPerGroup : 0;
            WriteLine($"thread {thread.Number}: affinitizing to Group {group} / CPU {processor - group * ProcessorsPerGroup}");
        }
        foreach (var target in thread.Targets.Select(i => _test!.Targets[i]))
        {
            // DiskSpd seeds a thread with the seed of the run plus the thread's number. The engine does the same.
            WriteLine(
                $"thread {thread.Number}: file '{target.Path}' relative thread {thread.NumberOfTarget} (random seed: {unchecked(_test!.Seed + (ulong)thread.Number)})"
            );
            var pattern = _test.GetPattern(target);
            var order = pattern.AccessPattern switch
            {
                IoAccessPattern.Random => "100% random IO",
                IoAccessPattern.PartRandom => FormattableString.Invariant($"{pattern.RandomPercent}% random IO"),
                IoAccessPattern.Interlocked => "interlocked sequential IO",
                _ => "sequential IO",
            };
            WriteLine($"thread {thread.Number}: {order}");
        }
        WriteLine($"thread {thread.Number}: waiting for a signal to start");
        WriteLine($"thread {thread.Number}: received signal to start");
    }

    private void WriteProcessorGroups()
    {
        foreach (var (count, group) in HostFacts.GetProcessorGroups().Select((count, group) => (count, group)))
            WriteLine($"get system perf info: queried for Group {group} ({count} CPUs)");
    }

    private void WriteDots(RunProgress progress)
    {
        var every = _test!.GetOrAddOrigin().DiskSpd?.ProgressEvery ?? 0;
        if (every <= 0 || progress.Phase is not (RunPhase.WarmUp or RunPhase.Measuring or RunPhase.CoolDown))
            return;
        if (progress.Phase != _lastPhase)
        {
            _lastPhase = progress.Phase;
            _lastSeconds = 0;
        }
        _pending += progress.CurrentIops * Math.Max(0, progress.ElapsedSeconds - _lastSeconds);
        _lastSeconds = progress.ElapsedSeconds;
        var dots = (int)Math.Min(_pending / every, 100_000);
        _pending -= (double)dots * every;
        if (dots == 0)
            return;
        output.Write(new string('.', dots));
        output.Flush();
    }

    private void WriteLine(FormattableString text)
    {
        output.Write(
            DateTime.Now.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture)
                + ": "
                + text.ToString(CultureInfo.InvariantCulture)
                + DiskSpdFormat.DiskSpdLineEnd
        );
        output.Flush();
    }
}
