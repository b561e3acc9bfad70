using System.Runtime.InteropServices;
using static IoBench.Engine.Interop.Linux.IoUringAbi;

namespace IoBench.Engine.Backends;

/// <summary>What of a ring differs by whose requests it carries. A structure, so that a backend is compiled for it: nothing is looked up per I/O or per batch.</summary>
internal unsafe interface IUringRequests
{
    /// <summary>What the ring is made with beside what any ring is: entries that have room for more. Flags of the set-up.</summary>
    static abstract uint RingForm { get; }

    /// <summary>Gets ready, on the worker's thread.</summary>
    void Open(BackendSetup setup, int[] descriptors);

    /// <summary>What is registered changed.</summary>
    void Use(bool registeredFiles, bool registeredBuffers);

    /// <summary>Puts the I/Os of slots at the queue's end; there is room for them.</summary>
    void Queue(IoUringRing ring, int* ready, int count);

    /// <summary>Takes what is complete; returns how many.</summary>
    int Reap(IoUringRing ring, IoCompletion* completions);
}

/// <summary>Linux io_uring by raw system calls: one ring per worker; submission and waiting are one call.</summary>
/// <typeparam name="TRequests">Whose requests it carries.</typeparam>
internal abstract unsafe class UringBackend<TRequests> : IoBackend
    where TRequests : struct, IUringRequests
{
    /// <summary>Bytes of the largest registered piece of memory: the kernel takes at most 1 GiB; less only in tests.</summary>
    internal long LargestPiece { get; init; } = 1L << 30;

    /// <summary>The same where what is behind the ring takes less.</summary>
    protected virtual long PieceBytes => LargestPiece;

    private IoUringRing? _ring;
    private int[] _descriptors = [];

    // No readonly field: it changes itself.
    private TRequests _requests = new();
    private bool _registeredFiles;
    private bool _registeredBuffers;
    private uint _unsubmitted;
    private BackendSetup? _setup;

    /// <inheritdoc/>
    public override IReadOnlyList<string> Grants =>
        [
            .. new[]
            {
                _ring?.Mode,
                _registeredFiles ? "registered files" : null,
                _registeredBuffers ? "registered buffers" : PlainBuffers,
            }.OfType<string>(),
        ];

    /// <inheritdoc/>
    public override bool HasExtras => true;

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        _setup = setup;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.Raw);
        _requests.Open(setup, _descriptors);
        _ring =
            IoUringRing.Create((uint)setup.SlotCount, out var error, setup.Polling, TRequests.RingForm)
            ?? throw BackendRefusal.Error(Kind, IoUringBackend.Reason(error));
        _ring.RegisterDescriptor();
    }

    /// <inheritdoc/>
    public override BackendExtras TakeExtras()
    {
        fixed (int* descriptors = _descriptors)
            _registeredFiles = _ring!.Register(REGISTER_FILES, descriptors, (uint)_descriptors.Length) >= 0;
        // A registered buffer spares the kernel to look up pages for a device. Where the processor copies, it only makes the copy a longer way: piece by piece.
        _registeredBuffers = WhyPlainBuffers is null && RegisterBuffers(_setup!);
        _requests.Use(_registeredFiles, _registeredBuffers);
        return (_registeredFiles ? BackendExtras.RegisteredFiles : BackendExtras.None)
            | (_registeredBuffers ? BackendExtras.RegisteredBuffers : BackendExtras.None);
    }

    /// <inheritdoc/>
    public override void Keep(BackendExtras common)
    {
        if (_registeredBuffers && !common.HasFlag(BackendExtras.RegisteredBuffers))
            _registeredBuffers = _ring!.Register(UNREGISTER_BUFFERS, null, 0) < 0;
        if (_registeredFiles && !common.HasFlag(BackendExtras.RegisteredFiles))
            _registeredFiles = _ring!.Register(UNREGISTER_FILES, null, 0) < 0;
        _requests.Use(_registeredFiles, _registeredBuffers);
    }

    /// <inheritdoc/>
    public override int Submit(int* ready, int count)
    {
        var ring = _ring!;
        count = Math.Min((int)(ring.SqEntries - _unsubmitted), count);
        Queue(ring, ready, count);
        // What is refused now stays queued and goes with the next.
        _unsubmitted -= (uint)Math.Max(0, ring.Submit(_unsubmitted));
        return count;
    }

    /// <inheritdoc/>
    public override bool HasCompletions => *_ring!.CqHead != Volatile.Read(ref *_ring.CqTail);

    /// <inheritdoc/>
    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        var ring = _ring!;
        var got = 0;
        while (count > 0)
        {
            var room = (int)(ring.SqEntries - _unsubmitted);
            var now = Math.Min(room, count);
            Queue(ring, ready, now);
            ready += now;
            count -= now;
            if (count > 0)
                got += Enter(ring, wait: false, until, completions + got);
        }
        return got > 0 ? got + Enter(ring, wait: false, until, completions + got) : Enter(ring, wait: true, until, completions);
    }

    /// <inheritdoc/>
    public override void Close()
    {
        if (_ring is null)
            return;
        // The kernel takes a closed ring apart in its own time: buffers and files are given back now, so that the next run, or an unmount, finds them free.
        if (_registeredBuffers)
            _ = _ring.Register(UNREGISTER_BUFFERS, null, 0);
        if (_registeredFiles)
            _ = _ring.Register(UNREGISTER_FILES, null, 0);
        _ring.Dispose();
    }

    private void Queue(IoUringRing ring, int* ready, int count)
    {
        _requests.Queue(ring, ready, count);
        _unsubmitted += (uint)count;
    }

    /// <summary>
    /// Submits what is queued and takes what is complete. EINTR (the garbage collector's signals), EAGAIN (no memory for requests now)
    /// and EBUSY (completions must be taken first) only mean: take what is there and try again.
    /// </summary>
    private int Enter(IoUringRing ring, bool wait, long until, IoCompletion* completions)
    {
        var got = 0;
        while (true)
        {
            var result = ring.Enter(_unsubmitted, wait && got == 0 ? 1u : 0u, until);
            if (result >= 0)
                _unsubmitted -= (uint)result;
            got += _requests.Reap(ring, completions + got);
            if (result < 0 && result is not (-Errno.EINTR or -Errno.EAGAIN or -Errno.EBUSY or -Errno.ETIME))
                throw IoBenchException.Failure(
                    "IoBench.BackendFailed",
                    $"io_uring_enter failed: {Marshal.GetPInvokeErrorMessage(-result)} ({-result}).",
                    advice: $"Use {Opt.Backend.With(LinuxAioBackend.Name)}."
                );
            if (_unsubmitted == 0 && (got > 0 || !wait))
                return got;
            if (got > 0 && result < 0)
                return got;
            if (until != long.MaxValue && Clock.Now >= until)
                return got;
            if (result is -Errno.EAGAIN or -Errno.EBUSY)
                Thread.Yield();
        }
    }

    /// <summary>One registration for all of a worker's buffers. Refused (the limit of locked memory): plain buffers do.</summary>
    private bool RegisterBuffers(BackendSetup setup)
    {
        var vectors = RegisteredPieces.Cut(setup, PieceBytes);
        fixed (IoVector* all = vectors)
            return _ring!.Register(REGISTER_BUFFERS, all, (uint)vectors.Length) >= 0;
    }

    /// <summary>The ring; null before it is open.</summary>
    protected IoUringRing? Ring => _ring;

    /// <summary>Why buffers are better not registered; null when they are to be.</summary>
    protected virtual string? WhyPlainBuffers => _setup is { IsCopied: true } ? "the file cache copies" : null;

    private string PlainBuffers =>
        WhyPlainBuffers is { } why ? $"plain buffers ({why})"
        : LinuxLimits.LockedMemory() is { } limit
            ? $"plain buffers (locked memory is limited to {new IoSize(limit).ToDisplayString()}: ulimit -l)"
        : "plain buffers";
}
