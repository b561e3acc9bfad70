namespace IoBench.Benchmarks;

/// <summary>One load that both programs put on the same file: 8 KiB random reads.</summary>
/// <param name="Group"><c>cached</c> (memory answers: what the program itself costs), <c>uring</c> (the same beside <c>t/io_uring</c>) or <c>direct</c> (unbuffered).</param>
/// <param name="Name">For the table.</param>
/// <param name="Backend">How IoBench does it.</param>
/// <param name="FioEngine">How fio does it.</param>
/// <param name="Threads">Threads.</param>
/// <param name="Depth">Outstanding I/Os per thread.</param>
/// <param name="FioOptions">More of fio's options.</param>
/// <param name="IopsBound">IOPS, ours / fio's: the least that is good enough.</param>
/// <param name="CpuBound">CPU an I/O, ours / fio's: the most that is good enough.</param>
/// <param name="LatencyBound">Average latency, ours / fio's: the most that is good enough; null where the depth decides it.</param>
internal sealed record BenchmarkCase(
    string Group,
    string Name,
    string Backend,
    string FioEngine,
    int Threads,
    int Depth,
    string[] FioOptions,
    double IopsBound,
    double CpuBound,
    double? LatencyBound = null
)
{
    private const string IoUring = "io_uring",
        LibAio = "libaio";
    private static readonly string[] s_registered = ["--fixedbufs=1", "--registerfiles=1"];

    /// <summary>The groups.</summary>
    public static readonly string[] Groups = ["cached", "uring", "direct"];

    /// <summary>Unbuffered, or from the page cache.</summary>
    public bool Direct => Group == "direct";

    /// <summary>Beside <c>t/io_uring</c> of fio's sources, not fio.</summary>
    public bool IsBesideUring => Group == "uring";

    /// <summary>The cases: our own overhead on the page cache, beside fio and t/io_uring, then a device at several depths.</summary>
    public static IEnumerable<BenchmarkCase> All()
    {
        yield return new("cached", "cached, QD 32, fio registered", IoUringBackend.Name, IoUring, 1, 32, s_registered, 1.05, 0.90);
        yield return new(
            "cached",
            "cached, QD 32, fio registered, batched",
            IoUringBackend.Name,
            IoUring,
            1,
            32,
            [.. s_registered, "--iodepth_batch_submit=16", "--iodepth_batch_complete_max=32"],
            1.25,
            0.75
        );
        foreach (var depth in new[] { 32, 128 })
            yield return new("uring", $"cached, QD {depth}, beside t/io_uring", IoUringBackend.Name, IoUring, 1, depth, [], 1.00, 1.00);
        foreach (var (backend, engine) in new[] { (IoUringBackend.Name, IoUring), (LinuxAioBackend.Name, LibAio) })
        foreach (var threads in new[] { 1, 2 })
        foreach (var depth in new[] { 1, 8, 32, 64 })
            yield return new(
                "direct",
                $"O_DIRECT, {engine}, {threads} x QD {depth}",
                backend,
                engine,
                threads,
                depth,
                engine == IoUring ? s_registered : [],
                0.97,
                1.03,
                depth == 1 ? 1.03 : null
            );
    }
}

/// <summary>What one program reached in one run.</summary>
/// <param name="Iops">I/Os per second.</param>
/// <param name="CpuUs">Processor microseconds per I/O, user and kernel.</param>
/// <param name="LatencyMs">Average latency in milliseconds.</param>
/// <param name="UserUs">User microseconds per I/O.</param>
internal readonly record struct Sample(double Iops, double CpuUs, double LatencyMs, double UserUs);
