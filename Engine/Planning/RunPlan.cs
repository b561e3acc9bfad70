namespace IoBench.Engine;

internal sealed class StreamPlan
{
    public required int Thread { get; init; }

    public required int TargetIndex { get; init; }

    public required int TargetThreadIndex { get; init; }

    public required int TargetThreadCount { get; init; }

    /// <summary>Slots that the stream can use: its own outstanding I/Os, or the pool of its thread.</summary>
    public required int Outstanding { get; init; }

    public required IoPattern Pattern { get; init; }

    public required TargetRange Range { get; init; }

    /// <summary>Whether sequences start at a random position of their part; other tools' sequences start at the first block.</summary>
    public bool HasRandomStart { get; init; }

    public byte[]? ContentSource { get; init; }
}

internal sealed class WorkerPlan
{
    public required int Thread { get; init; }

    public required StreamPlan[] Streams { get; init; }

    /// <summary>Outstanding I/Os that all streams share; null if each stream has its own.</summary>
    public int? PoolOutstanding { get; init; }

    public required int[] Processors { get; init; }

    public bool HasReads => Array.Exists(Streams, l => l.Pattern.WritePercent < 100);

    public bool HasWrites => Array.Exists(Streams, l => l.Pattern.WritePercent > 0);

    public int SlotCount => PoolOutstanding ?? Streams.Sum(l => l.Outstanding);

    public long LargestBlock => Streams.Max(l => l.Pattern.BlockMix?.GetLargestSize() ?? l.Pattern.BlockSize);

    public BufferLayout Layout => new(Streams, PoolOutstanding);

    public bool UsesLargePages => Array.Exists(Streams, l => l.Pattern.LargePages);

    /// <summary>Whether the file cache copies all data of the run in small blocks. The same for all workers of a run.</summary>
    public required bool UsesSmallCachedIO { get; init; }

    public long BufferBytes => Layout.Bytes;
}

internal sealed partial class RunPlan
{
    // For larger blocks, copying takes so long that the kernel's buffer lookup no longer matters.
    private const int SmallBlock = 64 << 10;

    private RunPlan(IoTestSpecification specification, CheckedTarget[] targets, WorkerPlan[] workers)
    {
        Specification = specification;
        Targets = targets;
        Workers = workers;
    }

    public IoTestSpecification Specification { get; }

    public CheckedTarget[] Targets { get; }

    public WorkerPlan[] Workers { get; }

    public int IOKindCount => Workers.Sum(w => (w.HasReads ? 1 : 0) + (w.HasWrites ? 1 : 0));

    /// <exception cref="IoBenchException">A range or pattern does not fit its target.</exception>
    public static RunPlan Create(IoTestSpecification specification, CheckedTarget[] targets)
    {
        var count = targets.Length;
        var patterns = specification.Targets.ConvertAll(specification.GetPattern);
        var ranges = new TargetRange[count];
        var sources = new byte[]?[count];
        for (var i = 0; i < count; i++)
        {
            ranges[i] = new TargetRange(specification.Targets[i], patterns[i], targets[i].Size, targets[i].Path);
            sources[i] = WriteContent.LoadSource(patterns[i]);
        }
        var isCopied = patterns.TrueForAll(pattern =>
            pattern is { Buffering: IoBuffering.Software or IoBuffering.Both }
            && (pattern.BlockMix?.GetLargestSize() ?? pattern.BlockSize) <= SmallBlock
        );
        var workers = specification.SharedThreadPool ? Pool() : ThreadsOfEachTarget();
        return new RunPlan(specification, targets, workers);

        WorkerPlan[] ThreadsOfEachTarget()
        {
            var result = new List<WorkerPlan>();
            for (var target = 0; target < count; target++)
            {
                for (var i = 0; i < patterns[target].ThreadCount; i++)
                {
                    result.Add(
                        new WorkerPlan
                        {
                            Thread = result.Count,
                            Streams = [PlanStream(result.Count, target, i, patterns[target].ThreadCount, patterns[target].OutstandingIO)],
                            Processors = ProcessorTopology.GetProcessors(patterns[target], result.Count),
                            UsesSmallCachedIO = isCopied,
                        }
                    );
                }
            }
            return [.. result];
        }

        WorkerPlan[] Pool() =>
            [
                .. Enumerable
                    .Range(0, specification.ThreadCount)
                    .Select(thread => new WorkerPlan
                    {
                        Thread = thread,
                        Streams =
                        [
                            .. Enumerable
                                .Range(0, count)
                                .Select(target =>
                                    PlanStream(
                                        thread,
                                        target,
                                        thread,
                                        specification.ThreadCount,
                                        specification.PoolOutstandingIO ?? patterns[target].OutstandingIO
                                    )
                                ),
                        ],
                        PoolOutstanding = specification.PoolOutstandingIO,
                        Processors = ProcessorTopology.GetProcessors(specification, thread),
                        UsesSmallCachedIO = isCopied,
                    }),
            ];

        StreamPlan PlanStream(int thread, int target, int threadOfTarget, int threadsOfTarget, int outstanding) =>
            new()
            {
                Thread = thread,
                TargetIndex = target,
                TargetThreadIndex = threadOfTarget,
                TargetThreadCount = threadsOfTarget,
                Outstanding = outstanding,
                Pattern = patterns[target],
                Range = ranges[target],
                HasRandomStart = specification.Extension is not { FixesSeed: true },
                ContentSource = sources[target],
            };
    }
}
