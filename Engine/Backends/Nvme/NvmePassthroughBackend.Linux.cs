using System.Runtime.InteropServices;

namespace IoBench.Engine.Backends.Nvme;

/// <summary>
/// NVMe's own commands by io_uring, past the block layer, to a whole namespace that was proved and is held as any raw device. Only on request: a file system, a
/// partition table and the kernel's splitting and merging of requests are not on this way, and SQL Server never takes it.
/// </summary>
internal sealed unsafe class NvmePassthroughBackend : UringBackend<NvmeRequests>
{
    /// <summary>What <c>-Backend</c> calls it, and a result that it measured.</summary>
    public const string Name = "NvmePassthrough";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            Words = "io_uring",
            RunsOn = OSPlatform.Linux,
            FilesPerWorker = 1,
            CanPoll = true,
            IsOnRequestOnly = true,
            Probe = WhyNot,
            Rehearse = WhyNotFor,
            Create = (_, _) => new NvmePassthroughBackend(),
        };

    /// <summary>The first kernel whose poll of commands is sound: those before poll what is gone already, which ended one of them (6.1) with a fault of its own.</summary>
    internal static readonly Version PollsCommands = new(6, 5);

    // The kernel's own limit of registered pieces (IORING_MAX_REG_BUFFERS).
    private const int MostPieces = 1 << 14;

    private string? _whyPlain;
    private string _names = "";
    private long _largest = long.MaxValue;

    /// <inheritdoc/>
    public override BackendDescriptor Kind => Descriptor;

    /// <inheritdoc/>
    public override IReadOnlyList<string> Grants => [_names, .. base.Grants];

    /// <inheritdoc/>
    protected override string? WhyPlainBuffers => _whyPlain;

    /// <summary>
    /// The kernel (6.1) counts the pages from an I/O's buffer to the end of its registered piece, and takes them for the command's segments: a piece has no more than a command may have.
    /// </summary>
    protected override long PieceBytes => Math.Min(base.PieceBytes, _largest);

    /// <summary>Whether a ring can be had here that has room for commands: tried, not guessed. The reason when it cannot.</summary>
    public static string? WhyNot() => IoUringBackend.WhyNot(NvmeRequests.RingForm);

    /// <summary>Whether every target is a whole NVMe namespace that takes the plan's I/Os whole, and the workers' rings can be had; the reason when not.</summary>
    public static string? WhyNotFor(RunPlan plan)
    {
        foreach (var target in plan.Targets)
            if (NvmeNamespace.Find(target, out var why) is null)
                return why;
        if (WhyNoPolling(plan.Specification.Polling, Environment.OSVersion.Version) is { } reason)
            return reason;
        return plan.Workers.SelectMany(worker => worker.Streams)
                .Select(stream => WhyTooLarge(NvmeNamespace.Find(plan.Targets[stream.TargetIndex], out _)!, stream.Pattern))
                .FirstOrDefault(why => why is not null)
            ?? IoUringBackend.WhyNotFor(plan, NvmeRequests.RingForm);
    }

    /// <summary>Why commands cannot be polled for here; null when they can, or nobody asks the device. A fault of the kernel cannot be tried, so that its version decides.</summary>
    internal static string? WhyNoPolling(IoPolling polling, Version kernel) =>
        polling is IoPolling.Completion or IoPolling.Hybrid && kernel < PollsCommands
            ? $"a kernel before {PollsCommands} may crash when a drive's own commands are polled for, and this is {kernel.ToString(2)}"
            : null;

    /// <summary>Why a pattern's I/Os are too large for a command; null when they are not.</summary>
    internal static string? WhyTooLarge(NvmeNamespace found, IoPattern pattern)
    {
        var largest = pattern.BlockMix?.Largest() ?? pattern.BlockSize;
        return largest <= found.LargestTransfer
            ? null
            : $"a block of {new IoSize(largest).ToDisplayString()} is more than the {new IoSize(found.LargestTransfer).ToDisplayString()} that one command to {found.Name} may move ({found.LimitedBy}), and nobody cuts it on this way. Use smaller blocks";
    }

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        base.Open(setup);
        _names = string.Join(" and ", setup.Targets.Select(target => target.Nvme!.Name).Distinct());
        _largest = setup.Targets.Min(target => target.Nvme!.LargestTransfer);
        foreach (var target in setup.Targets)
        {
            if (Try(target, isFixed: false) is not 0 and var answer)
                throw BackendRefusal.Error(Kind, $"{target.Nvme!.Name} does not take a read by io_uring: {TextOf(answer)}");
            if (Try(target, isFixed: true) != -Errno.EFAULT)
                _whyPlain = "this kernel has no registered ones for commands";
        }
        if (
            RegisteredPieces.Cut(setup, PieceBytes) is var pieces
            && (pieces.Length > MostPieces || Array.Exists(pieces, piece => (long)piece.Length > _largest))
        )
            _whyPlain ??= "those of an I/O have more pages than a command may have segments";
    }

    private int Try(TargetHandle target, bool isFixed)
    {
        var nvme = target.Nvme!;
        var buffer = (byte*)
            NativeMemory.AlignedAlloc(
                (nuint)Math.Max(Environment.SystemPageSize, 1 << nvme.SectorShift),
                (nuint)Environment.SystemPageSize
            );
        try
        {
            return NvmeRequests.Try(Ring!, (int)target.Raw, nvme, buffer, isFixed);
        }
        finally
        {
            NativeMemory.AlignedFree(buffer);
        }
    }

    private static string TextOf(int answer) =>
        answer > 0
            ? NvmeStatus.TextOf(NvmeStatus.ToResult(answer))
            : $"{Marshal.GetPInvokeErrorMessage(-answer)} ({-answer}){answer switch
        {
            -Errno.EOPNOTSUPP or -Errno.ENOTTY => "; the kernel must be 5.19 or newer",
            -Errno.EACCES or -Errno.EPERM => "; commands to a drive are root's (CAP_SYS_ADMIN)",
            _ => "",
        }}";
}
