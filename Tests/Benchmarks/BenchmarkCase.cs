using IoBench.Engine;

namespace IoBench.Benchmarks;

/// <summary>A load of 8 KiB random reads that IoBench and a peer program put on the same file.</summary>
/// <param name="Group"><c>cached</c> (page cache: measures the program itself), <c>uring</c> (the same, compared with <c>t/io_uring</c>),
/// or <c>direct</c> (unbuffered).</param>
/// <param name="Depth">Outstanding I/Os per thread.</param>
/// <param name="IopsBound">Smallest acceptable ratio of IOPS, IoBench / peer.</param>
/// <param name="CpuBound">Largest acceptable ratio of CPU time per I/O, IoBench / peer.</param>
/// <param name="LatencyBound">Largest acceptable ratio of average latency, IoBench / peer; null if the queue depth determines the
/// latency.</param>
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

    public static readonly string[] Groups = ["cached", "uring", "direct"];

    public bool IsDirect => Group == "direct";

    public bool IsComparedWithUring => Group == "uring";

    public static IEnumerable<BenchmarkCase> GetAll()
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

/// <summary>Result of one program in one run.</summary>
/// <param name="Iops">I/Os per second.</param>
/// <param name="CpuUs">CPU time in microseconds per I/O, user and kernel.</param>
/// <param name="LatencyMs">Average latency in milliseconds.</param>
/// <param name="UserUs">User CPU time in microseconds per I/O.</param>
internal readonly record struct BenchmarkSample(double Iops, double CpuUs, double LatencyMs, double UserUs);
