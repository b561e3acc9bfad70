using IoBench.Engine;

namespace IoBench.Tests;

/// <summary>
/// Random sets of results as users have them: low-load and saturation tests, rates that were not reached, preliminary tests, repeats,
/// several days, stalls, and failed runs.
/// </summary>
internal sealed class RandomResultSets(int seed)
{
    private static readonly DateTimeOffset s_start = new(2026, 1, 10, 2, 0, 0, TimeSpan.Zero);
    private readonly Random _random = new(seed);

    public List<IoTestResult> CreateSet()
    {
        Func<double, IoTestResult>[] kinds =
        [
            ms => CreateTest("log-commit", IoOperation.Write, IoAccessPattern.Interlocked, 4, 1, ms),
            ms => CreateTest("page-read-qd1", IoOperation.Read, IoAccessPattern.Random, 8, 1, ms),
            ms => CreateTest("page-read", IoOperation.Read, IoAccessPattern.Random, 8, 32, ms),
            ms => CreateTest("oltp", IoOperation.Mixed, IoAccessPattern.Random, 8, 32, ms),
            ms => CreateTest("tempdb", IoOperation.Mixed, IoAccessPattern.Random, 64, 32, ms),
            ms => CreateTest("read-ahead", IoOperation.Read, IoAccessPattern.Interlocked, 512, 16, ms),
            ms => WithTargetRate(CreateTest("canary", IoOperation.Read, IoAccessPattern.Random, 8, 32, ms)),
            ms => CreateTest("page-read-4k", IoOperation.Read, IoAccessPattern.Random, 4, 1, ms),
        ];
        var (size, seconds) = (_random.Next(4) == 0 ? 1024 : 20480, _random.Next(6) == 0 ? 3 : 30);
        List<IoTestResult> results = [];
        for (var count = _random.Next(1, 9); count > 0; count--)
        {
            var kind = kinds[_random.Next(kinds.Length)];
            var level = 0.2 * Math.Pow(2, 5 * _random.NextDouble());
            var (repeats, nights) = _random.Next(4) switch
            {
                0 => (3, false),
                1 => (_random.Next(3, 6), true),
                _ => (1, false),
            };
            for (var i = 0; i < repeats; i++)
            {
                var result = kind(level * (1 + 0.1 * _random.NextDouble()));
                (result.FileSizeMB, result.DurationSeconds, result.Path) = (size, seconds, $"T:\\{count}.dat");
                result.StartTime = s_start.AddDays(nights ? i : 0).AddMinutes(results.Count);
                result.Repeat = repeats > 1 && !nights ? i + 1 : null;
                if (_random.Next(25) == 0)
                    result.MaxLatencyMs = 20_000;
                if (_random.Next(40) == 0)
                    result.Status = IoResultStatus.Cancelled;
                results.Add(result);
            }
        }
        return results;
    }

    private IoTestResult CreateTest(
        string workload,
        IoOperation operation,
        IoAccessPattern pattern,
        double block,
        int outstanding,
        double ms
    )
    {
        var iops = outstanding * 1000 / ms;
        return new()
        {
            Workload = workload,
            IOPattern = $"{block}KB {pattern} {operation}".ToLowerInvariant(),
            Operation = operation,
            AccessPattern = pattern,
            BlockSizeKB = block,
            ThreadCount = 1,
            OutstandingIO = outstanding,
            TotalOutstanding = outstanding,
            WritePercent = operation switch
            {
                IoOperation.Read => 0,
                IoOperation.Write => 100,
                _ => 30,
            },
            LoadModel = IoLoadModel.Closed,
            ComputerName = "SQL1",
            IOPS = iops,
            BandwidthMBps = iops * block / 1024,
            AverageLatencyMs = ms,
            P99Ms = ms * (2 + 2 * _random.NextDouble()),
            MaxLatencyMs = ms * 30 + (_random.Next(8) == 0 ? 1200 : 0),
        };
    }

    private IoTestResult WithTargetRate(IoTestResult result)
    {
        (result.LoadModel, result.TargetIops, result.ResponseAverageMs, result.ResponseP99Ms) = (
            IoLoadModel.Open,
            200,
            result.AverageLatencyMs,
            result.P99Ms
        );
        result.IOPS = _random.Next(3) == 0 ? 120 : 199.5;
        return result;
    }
}
