using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats.Tests;

internal sealed class DiskSpdTestGenerator(Random random, bool xml)
{
    private bool _randomWrites;

    public IoTestSpecification CreateTest()
    {
        _randomWrites = random.Next(4) == 0;
        var test = new IoTestSpecification
        {
            Duration = TimeSpan.FromSeconds(random.Next(1, 100)),
            WarmUp = TimeSpan.FromSeconds(random.Next(10)),
            CoolDown = TimeSpan.FromSeconds(random.Next(10)),
            Seed = (ulong)random.Next(),
            SharedThreadPool = random.Next(3) == 0,
            Extension = new TestOrigin
            {
                DiskSpd = new DiskSpdOptions
                {
                    MeasureLatency = NextMostlyTrue(),
                    GatherIops = NextMostlyTrue(),
                    Verbose = NextMostlyTrue(),
                    VerboseStatistics = NextMostlyTrue(),
                    ExperimentFlags = random.Next(2),
                    ProgressEvery = random.Next(2) * 7,
                },
            },
        };
        if (test.GetOrAddOrigin().DiskSpd!.GatherIops)
            test.TimelineInterval = TimeSpan.FromMilliseconds(random.Next(1, 20) * 100);
        if (test.SharedThreadPool && random.Next(2) == 0)
            test.PoolOutstandingIO = random.Next(1, 65);
        var affinity = random.Next(3) == 0 ? IoAffinityMode.Off : IoAffinityMode.RoundRobin;
        List<int> processors = affinity == IoAffinityMode.RoundRobin && random.Next(2) == 0 ? [0, 64 + random.Next(8), 3] : [];
        var threads = random.Next(1, 5);
        var count = random.Next(1, 4);
        var first = CreatePattern(test, affinity, processors, threads);
        CopyPattern(first, test);
        var several = count > 1 && random.Next(2) == 0;
        for (var i = 0; i < count; i++)
        {
            var target = new IoTargetSpecification($"D:\\folder {i}\\ä & b{i}.dat")
            {
                BaseOffset = random.Next(2) * 65536L,
                MaxOffset = random.Next(2) == 0 ? null : 1L << 30,
            };
            if (several && i > 0)
                target.Pattern = CreatePattern(test, affinity, processors, threads);
            test.Targets.Add(target);
        }
        // Completion routines are printed only if more than one I/O is outstanding.
        test.GetOrAddOrigin().DiskSpd!.CompletionRoutines =
            NextMostlyTrue() && (xml || (!test.SharedThreadPool && test.Targets.Exists(t => test.GetPattern(t).OutstandingIO > 1)));
        SetFormatSpecificProperties(test, several);
        return test;
    }

    /// <summary>
    /// The XML states for each target which files are created. The text leaves this, large pages, and progress output to its command line.
    /// </summary>
    private void SetFormatSpecificProperties(IoTestSpecification test, bool several)
    {
        var options = test.GetOrAddOrigin().DiskSpd!;
        if (xml)
        {
            foreach (var target in test.Targets.Where(_ => random.Next(2) == 0))
                target.FileSize = random.Next(1, 100) * 1048576L;
            return;
        }
        if (several || random.Next(2) == 0)
        {
            (options.VerboseStatistics, options.ProgressEvery) = (false, 0);
            foreach (var target in test.Targets)
                test.GetPattern(target).LargePages = false;
            test.GetOrAddOrigin().CommandLine = several ? "diskspd.exe -Xprofile.xml" : "diskspd.exe -b8K " + test.Targets[0].Path;
            return;
        }
        options.CreateFiles = random.Next(2) == 0;
        test.FileSize = options.CreateFiles ? random.Next(1, 100) * 1048576L : null;
        test.GetOrAddOrigin().CommandLine =
            "diskspd.exe"
            + (test.FileSize is { } size ? string.Create(CultureInfo.InvariantCulture, $" -c{size / 1048576}M") : "")
            + (test.LargePages ? " -l" : "")
            + (options.ProgressEvery > 0 ? " -P7" : "")
            + (options.VerboseStatistics ? " -vs" : "")
            + " a.dat";
    }

    private bool NextMostlyTrue() => random.Next(4) > 0;

    private IoPattern CreatePattern(IoTestSpecification test, IoAffinityMode affinity, List<int> processors, int threads)
    {
        var pattern = new IoPattern
        {
            BlockSize = 512L << random.Next(1, 12),
            ThreadCount = test.SharedThreadPool ? threads : random.Next(1, 5),
            // A pool with a request count shares the count by weight, and the text contains the weight instead of the value of each target.
            OutstandingIO = test.PoolOutstandingIO is null || xml ? random.Next(1, 65) : 2,
            WritePercent = random.Next(3) switch
            {
                0 => 0,
                1 => 100,
                _ => random.Next(1, 100),
            },
            AccessPattern = (IoAccessPattern)random.Next(4),
            Buffering = (IoBuffering)random.Next(4),
            Priority = (IoPriority)random.Next(3),
            LargePages = random.Next(2) == 0,
            SequentialScanHint = random.Next(2) == 0,
            RandomAccessHint = random.Next(2) == 0,
            TemporaryHint = random.Next(2) == 0,
            ParallelSameOffset = random.Next(4) == 0,
            Weight = test.PoolOutstandingIO is not null || xml ? random.Next(1, 10) : 1,
            AffinityMode = affinity,
            Processors = [.. processors],
        };
        SetOrder(pattern);
        SetContent(pattern);
        if (random.Next(3) == 0)
            (pattern.BurstSize, pattern.ThinkTimeMs) = (random.Next(1, 9), random.Next(1, 9));
        switch (random.Next(4))
        {
            case 0:
                pattern.MaxIopsPerThread = random.Next(1, 1000);
                break;
            case 1:
                pattern.MaxBytesPerSecondPerThread = random.Next(1, 1000) * 1000.0;
                break;
        }
        return pattern;
    }

    private void SetOrder(IoPattern pattern)
    {
        var step = random.Next(2) == 0 ? (long?)null : pattern.BlockSize * 2;
        switch (pattern.AccessPattern)
        {
            case IoAccessPattern.Random:
                pattern.Alignment = step;
                SetDistribution(pattern);
                break;
            case IoAccessPattern.PartRandom:
                // One number applies to both.
                (pattern.Alignment, pattern.Stride, pattern.RandomPercent) = (step, step, random.Next(1, 100));
                SetDistribution(pattern);
                break;
            case IoAccessPattern.Sequential:
                (pattern.Stride, pattern.ThreadStride) = (step, random.Next(2) * pattern.BlockSize * 8);
                break;
            default:
                pattern.Stride = step;
                break;
        }
    }

    private void SetDistribution(IoPattern pattern)
    {
        switch (random.Next(3))
        {
            case 0:
                pattern.Distribution = [new(60, 10), new(0, 20), new(40, 70)];
                break;
            case 1:
                (pattern.Distribution, pattern.DistributionIsAbsolute) = ([new(random.Next(1, 90), 1L << 30), new(5, 1L << 31)], true);
                break;
        }
    }

    private void SetContent(IoPattern pattern)
    {
        pattern.WriteContent = _randomWrites ? IoWriteContentKind.Random : IoWriteContentKind.Pattern;
        switch (random.Next(4))
        {
            case 0:
                pattern.WriteContent = IoWriteContentKind.Zero;
                break;
            case 1:
                (pattern.WriteContent, pattern.WriteContentSize) = (IoWriteContentKind.Random, 1L << 20);
                break;
            case 2:
                (pattern.WriteContent, pattern.WriteContentSize, pattern.WriteContentFile) = (
                    IoWriteContentKind.File,
                    1L << 21,
                    @"D:\entropy & more.bin"
                );
                break;
        }
    }

    private static void CopyPattern(IoPattern from, IoTestSpecification to)
    {
        foreach (var property in typeof(IoPattern).GetProperties().Where(p => p.CanWrite && !p.IsUnwritten()))
            property.SetValue(to, property.GetValue(from));
    }
}
