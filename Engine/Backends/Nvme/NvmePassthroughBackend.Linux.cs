using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Sends NVMe commands past the block layer to a verified and locked namespace. Only on request, unlike SQL Server.</summary>
internal sealed unsafe class NvmePassthroughBackend : IoUringBackendBase<NvmeCommandEncoder>
{
    public const string Name = "NvmePassthrough";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            Words = "io_uring",
            RunsOn = OSPlatform.Linux,
            FilesPerWorker = 1,
            CanPoll = true,
            IsOnRequestOnly = true,
            Probe = GetUnavailableReason,
            ProbePlan = GetUnavailableReason,
            Create = (_, _) => new NvmePassthroughBackend(),
        };

    /// <summary>Earlier kernels can poll a request that has already completed; kernel 6.1 crashed because of that.</summary>
    internal static readonly Version PollsCommands = new(6, 5);

    // The kernel's limit of registered buffers (IORING_MAX_REG_BUFFERS).
    private const int MostPieces = 1 << 14;

    private string? _whyPlain;
    private string _names = "";
    private long _largest = long.MaxValue;

    public override BackendDescriptor Kind => Descriptor;

    public override IReadOnlyList<string> FeatureNames => [_names, .. base.FeatureNames];

    protected override string? PlainBuffersReason => _whyPlain;

    /// <summary>Kernel 6.1 counts the pages to the end of the registered buffer as segments of the command.</summary>
    protected override long RegisteredBufferBytes => Math.Min(base.RegisteredBufferBytes, _largest);

    public static string? GetUnavailableReason() => IoUringBackend.GetUnavailableReason(NvmeCommandEncoder.RingFlags);

    public static string? GetUnavailableReason(RunPlan plan)
    {
        foreach (var target in plan.Targets)
            if (NvmeNamespace.Find(target, out var why) is null)
                return why;
        if (GetNoPollingReason(plan.Specification.Polling, Environment.OSVersion.Version) is { } reason)
            return reason;
        return plan.Workers.SelectMany(worker => worker.Streams)
                .Select(stream => GetTooLargeReason(NvmeNamespace.Find(plan.Targets[stream.TargetIndex], out _)!, stream.Pattern))
                .FirstOrDefault(why => why is not null)
            ?? IoUringBackend.GetUnavailableReason(plan, NvmeCommandEncoder.RingFlags);
    }

    /// <summary>Decides by the kernel version, because a probe could crash the kernel.</summary>
    internal static string? GetNoPollingReason(IoPolling polling, Version kernel) =>
        polling is IoPolling.Completion or IoPolling.Hybrid && kernel < PollsCommands
            ? $"a kernel before {PollsCommands} may crash when a drive's own commands are polled for, and this is {kernel.ToString(2)}"
            : null;

    internal static string? GetTooLargeReason(NvmeNamespace found, IoPattern pattern)
    {
        var largest = pattern.BlockMix?.GetLargestSize() ?? pattern.BlockSize;
        return largest <= found.LargestTransfer
            ? null
            : $"a block of {new IoSize(largest).ToDisplayString()} is more than the "
                + $"{new IoSize(found.LargestTransfer).ToDisplayString()} that one command to {found.Name} may move "
                + $"({found.LimitedBy}), and nobody cuts it on this way. Use smaller blocks";
    }

    public override void Open(BackendSetup setup)
    {
        base.Open(setup);
        _names = string.Join(" and ", setup.Targets.Select(target => target.Nvme!.Name).Distinct());
        _largest = setup.Targets.Min(target => target.Nvme!.LargestTransfer);
        foreach (var target in setup.Targets)
        {
            var answer = TryRead(target, isFixed: false);
            if (answer != 0)
                throw BackendRefusedException.CreateError(
                    Kind,
                    $"{target.Nvme!.Name} does not take a read by io_uring: {DescribeResult(answer)}"
                );
            if (TryRead(target, isFixed: true) != -Errno.EFAULT)
                _whyPlain = "this kernel has no registered ones for commands";
        }
        var pieces = BackendSetup.SplitIntoRegisteredBuffers(setup, RegisteredBufferBytes);
        if (pieces.Length > MostPieces || Array.Exists(pieces, piece => (long)piece.Length > _largest))
            _whyPlain ??= "those of an I/O have more pages than a command may have segments";
    }

    private int TryRead(TargetHandle target, bool isFixed)
    {
        var nvme = target.Nvme!;
        var buffer = (byte*)
            NativeMemory.AlignedAlloc(
                (nuint)Math.Max(Environment.SystemPageSize, 1 << nvme.SectorShift),
                (nuint)Environment.SystemPageSize
            );
        try
        {
            return NvmeCommandEncoder.TryRead(Ring!, (int)target.RawHandle, nvme, buffer, isFixed);
        }
        finally
        {
            NativeMemory.AlignedFree(buffer);
        }
    }

    private static string DescribeResult(int answer) =>
        answer > 0
            ? NvmeStatus.Describe(NvmeStatus.ToResult(answer))
            : $"{Marshal.GetPInvokeErrorMessage(-answer)} ({-answer}){answer switch
        {
            -Errno.EOPNOTSUPP or -Errno.ENOTTY => "; the kernel must be 5.19 or newer",
            -Errno.EACCES or -Errno.EPERM => "; commands to a drive are root's (CAP_SYS_ADMIN)",
            _ => "",
        }}";
}
