namespace IoBench.Engine.Planning;

/// <summary>One thread's work on one target, as planned.</summary>
internal sealed class StreamPlan
{
    /// <summary>Number of the thread within the run, from 0.</summary>
    public required int Thread { get; init; }

    /// <summary>Number of the target within the run, from 0.</summary>
    public required int TargetIndex { get; init; }

    /// <summary>Number of the thread among those of the target.</summary>
    public required int ThreadOfTarget { get; init; }

    /// <summary>How many threads work on the target.</summary>
    public required int ThreadsOfTarget { get; init; }

    /// <summary>Outstanding I/Os of this thread on this target.</summary>
    public required int Outstanding { get; init; }

    /// <summary>Slots it may use: its own outstanding I/Os, or the whole pool's of its thread.</summary>
    public required int SlotCount { get; init; }

    /// <summary>What is done.</summary>
    public required IoPattern Pattern { get; init; }

    /// <summary>Where.</summary>
    public required TargetRange Range { get; init; }

    /// <summary>Whether sequences begin anywhere in their share, by the seed; the old tools' begin at its first block.</summary>
    public bool DrawsStart { get; init; }

    /// <summary>The bytes that writes are cut from, when they come from a file.</summary>
    public byte[]? ContentSource { get; init; }
}

/// <summary>One worker thread, as planned.</summary>
internal sealed class WorkerPlan
{
    /// <summary>Number of the thread within the run, from 0.</summary>
    public required int Thread { get; init; }

    /// <summary>Its work: one target, or all of them in a shared pool.</summary>
    public required StreamPlan[] Streams { get; init; }

    /// <summary>Outstanding I/Os shared by all its streams; null when each stream has its own.</summary>
    public int? PoolOutstanding { get; init; }

    /// <summary>Processors it is bound to; empty = any.</summary>
    public required int[] Processors { get; init; }

    /// <summary>Whether it can read.</summary>
    public bool Reads => Array.Exists(Streams, l => l.Pattern.WritePercent < 100);

    /// <summary>Whether it can write.</summary>
    public bool Writes => Array.Exists(Streams, l => l.Pattern.WritePercent > 0);

    /// <summary>The highest number of I/Os it can have outstanding.</summary>
    public int SlotCount => PoolOutstanding ?? Streams.Sum(l => l.Outstanding);

    /// <summary>Bytes of its largest I/O.</summary>
    public long LargestBlock => Streams.Max(l => l.Pattern.BlockMix?.Largest() ?? l.Pattern.BlockSize);

    /// <summary>Where the buffers of its I/Os lie: the plan takes their size from it, the worker their places.</summary>
    public BufferLayout Layout => new(Streams, PoolOutstanding);

    /// <summary>Whether its buffers shall lie in large pages.</summary>
    public bool LargePages => Array.Exists(Streams, l => l.Pattern.LargePages);

    /// <summary>Whether the file cache copies all of the run's data, in small blocks: of all workers, or of none.</summary>
    public required bool IsCopied { get; init; }

    /// <summary>Bytes of its buffers.</summary>
    public long BufferBytes => Layout.Bytes;
}

/// <summary>Threads, targets and who does what: all of a run that can be said before it begins.</summary>
internal sealed class RunPlan
{
    // Beyond it a copy takes so long that how the kernel finds the buffer is lost in it.
    private const int SmallBlock = 64 << 10;

    private RunPlan(IoTestSpecification specification, CheckedTarget[] targets, WorkerPlan[] workers)
    {
        Specification = specification;
        Targets = targets;
        Workers = workers;
    }

    /// <summary>What was asked for.</summary>
    public IoTestSpecification Specification { get; }

    /// <summary>The targets, as they were checked.</summary>
    public CheckedTarget[] Targets { get; }

    /// <summary>The threads.</summary>
    public WorkerPlan[] Workers { get; }

    /// <summary>Kinds of I/O (read, write) of all threads together.</summary>
    public int KindsOfIO => Workers.Sum(w => (w.Reads ? 1 : 0) + (w.Writes ? 1 : 0));

    /// <exception cref="IoBenchException">A range or pattern does not fit its target.</exception>
    public static RunPlan Make(IoTestSpecification specification, CheckedTarget[] targets)
    {
        var count = targets.Length;
        var patterns = specification.Targets.ConvertAll(specification.PatternOf);
        var ranges = new TargetRange[count];
        var sources = new byte[]?[count];
        for (var i = 0; i < count; i++)
        {
            ranges[i] = new TargetRange(specification.Targets[i], patterns[i], targets[i].Size, targets[i].Path);
            sources[i] = WriteContent.LoadSource(patterns[i]);
        }
        var isCopied = patterns.TrueForAll(pattern =>
            pattern is { Buffering: IoBuffering.Software or IoBuffering.Both }
            && (pattern.BlockMix?.Largest() ?? pattern.BlockSize) <= SmallBlock
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
                    var outstanding = patterns[target].OutstandingIO;
                    result.Add(
                        new WorkerPlan
                        {
                            Thread = result.Count,
                            Streams = [PlanStream(result.Count, target, i, patterns[target].ThreadCount, outstanding, outstanding)],
                            Processors = ThreadAffinity.ProcessorsOf(patterns[target], result.Count),
                            IsCopied = isCopied,
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
                                        specification.PoolOutstandingIO ?? patterns[target].OutstandingIO,
                                        specification.PoolOutstandingIO ?? patterns[target].OutstandingIO
                                    )
                                ),
                        ],
                        PoolOutstanding = specification.PoolOutstandingIO,
                        Processors = ThreadAffinity.ProcessorsOf(specification, thread),
                        IsCopied = isCopied,
                    }),
            ];

        StreamPlan PlanStream(int thread, int target, int threadOfTarget, int threadsOfTarget, int outstanding, int slots) =>
            new()
            {
                Thread = thread,
                TargetIndex = target,
                ThreadOfTarget = threadOfTarget,
                ThreadsOfTarget = threadsOfTarget,
                Outstanding = outstanding,
                SlotCount = slots,
                Pattern = patterns[target],
                Range = ranges[target],
                DrawsStart = specification.Extension is not { FixesSeed: true },
                ContentSource = sources[target],
            };
    }
}
