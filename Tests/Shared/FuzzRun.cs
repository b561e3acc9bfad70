using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;
using Xunit.Abstractions;

namespace IoBench.Tests;

/// <summary>A reader under test.</summary>
/// <param name="MaxBytes">Bytes that the reader can allocate in addition to those that the input length justifies.</param>
internal sealed record FuzzReader(string Name, Action<byte[]> Read, long MaxBytes = 8_000_000);

/// <summary>
/// Passes mutated inputs to readers: no exception except the documented one, no hang, and bounded memory. IOBENCH_FUZZ is the number of
/// inputs of each test (default 3,000). IOBENCH_FUZZ_SEED is the first seed; each input has its own seed, so it can be repeated alone.
/// IOBENCH_FUZZ_PROGRESS is a file that gets a line after each 10,000 inputs. A long run also fails if an input takes 2 s or longer. Set
/// DOTNET_GCHeapHardLimit=0x6400000 so that it fails if the heap exceeds 100 MB.
/// </summary>
internal sealed class FuzzRun(ITestOutputHelper output)
{
    /// <summary>No input takes a thousandth of this time, so a busy computer does not look like a hang.</summary>
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private static readonly TimeSpan s_maxTime = TimeSpan.FromSeconds(2);

    private const int DefaultCount = 3000;
    private const int MaxFailures = 20;
    private const int ProgressInterval = 10_000;

    private readonly int _first = ReadNumber("IOBENCH_FUZZ_SEED", Random.Shared.Next(1 << 30));
    private readonly List<string> _failures = [];
    private readonly ConcurrentDictionary<string, (long Inputs, long Refused, TimeSpan Slowest, long MostBytes)> _readers = new();

    public static int Count { get; } = ReadNumber("IOBENCH_FUZZ", DefaultCount);

    private static int ReadNumber(string variable, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var number) ? number : otherwise;

    /// <summary>Calls the action with each seed, and fails with the inputs that a reader did not handle.</summary>
    public async Task RunAll(Action<int> tryOne)
    {
        output.WriteLine($"IOBENCH_FUZZ_SEED={_first} IOBENCH_FUZZ={Count}");
        var at = 0;
        // A separate thread, so that a reader that never ends is detected.
        var work = Task.Factory.StartNew(
            () =>
            {
                for (; at < Count && _failures.Count < MaxFailures; at++)
                {
                    tryOne(unchecked(_first + at));
                    if ((at + 1) % ProgressInterval == 0)
                        WriteProgress(at + 1);
                }
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        for (var seen = -1; await Task.WhenAny(work, Task.Delay(s_timeout)) != work; seen = Volatile.Read(ref at))
            Assert.True(
                seen != Volatile.Read(ref at),
                $"IOBENCH_FUZZ_SEED={_first + seen} IOBENCH_FUZZ=1: no end after {s_timeout.TotalSeconds} s"
            );
        await work;
        WriteProgress(at);
        output.WriteLine(DescribeReaders());
        Assert.True(_failures.Count == 0, string.Join('\n', _failures));
    }

    public void TryInput(int seed, byte[] input, FuzzReader reader)
    {
        var (allocated, time, isRefused) = Measure(seed, input, reader);
        // Another process can stop this one for seconds, so a slow input must be slow each time.
        for (var i = 0; i < 2 && time >= s_maxTime; i++)
            time = Measure(seed, input, reader).Time is var again && again < time ? again : time;
        if (time >= s_maxTime && Count > DefaultCount)
            AddFailure(seed, input, $"{reader.Name}: {time.TotalSeconds:0.0} s for an input of {input.Length}");
        if (allocated >= reader.MaxBytes + (300L * input.Length))
            AddFailure(seed, input, $"{reader.Name}: {allocated} bytes allocated for an input of {input.Length}");
        var sum = _readers.GetValueOrDefault(reader.Name);
        _readers[reader.Name] = (
            sum.Inputs + 1,
            sum.Refused + (isRefused ? 1 : 0),
            time > sum.Slowest ? time : sum.Slowest,
            Math.Max(sum.MostBytes, allocated)
        );
    }

    private (long Allocated, TimeSpan Time, bool IsRefused) Measure(int seed, byte[] input, FuzzReader reader)
    {
        var isRefused = false;
        var before = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        try
        {
            reader.Read(input);
        }
        catch (IoBenchException e)
        {
            isRefused = true;
            if (e.Message.Contains('\n', StringComparison.Ordinal))
                AddFailure(seed, input, $"{reader.Name}: the message has several lines: {e.Message}");
        }
        catch (Exception e)
        {
            AddFailure(seed, input, $"{reader.Name}: {e}");
        }
        return (GC.GetAllocatedBytesForCurrentThread() - before, Stopwatch.GetElapsedTime(start), isRefused);
    }

    private void AddFailure(int seed, byte[] input, string what)
    {
        var file = Path.Combine(Path.GetTempPath(), $"iobench-fuzz-{seed}");
        File.WriteAllBytes(file, input);
        _failures.Add($"IOBENCH_FUZZ_SEED={seed} IOBENCH_FUZZ=1 ({file}), {what}");
    }

    private void WriteProgress(int count)
    {
        if (Environment.GetEnvironmentVariable("IOBENCH_FUZZ_PROGRESS") is { Length: > 0 } file)
            File.AppendAllText(
                file,
                $"{DateTime.UtcNow:HH:mm:ss} {count} inputs, {_failures.Count} failures, next seed {unchecked(_first + count)}\n{DescribeReaders()}\n{string.Concat(_failures.Select(failure => failure + "\n"))}"
            );
    }

    private string DescribeReaders() =>
        string.Join(
            '\n',
            _readers
                .OrderBy(reader => reader.Key, StringComparer.Ordinal)
                .Select(reader =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"  {reader.Key}: {reader.Value.Inputs} inputs, {reader.Value.Refused} refused, slowest {reader.Value.Slowest.TotalMilliseconds:0} ms, at most {reader.Value.MostBytes / 1e6:0.0} MB allocated"
                    )
                )
                .Append(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"  heap {GC.GetTotalMemory(false) / 1e6:0} MB, peak memory of the process {Process.GetCurrentProcess().PeakWorkingSet64 / 1e6:0} MB"
                    )
                )
        );
}
