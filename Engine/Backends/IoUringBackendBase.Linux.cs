using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>Encodes the requests of a ring. Implementations are structs, so that calls are direct.</summary>
internal unsafe interface IUringRequestEncoder
{
    static abstract uint RingFlags { get; }

    void Initialize(BackendSetup setup, int[] descriptors);

    void SetRegistration(bool registeredFiles, bool registeredBuffers);

    void QueueRequests(IoUringRing ring, int* ready, int count);

    int Reap(IoUringRing ring, IoCompletion* completions);
}

/// <summary>Linux io_uring with raw system calls. Each worker has one ring. One call submits and waits.</summary>
internal abstract unsafe class IoUringBackendBase<TRequests> : IoBackend
    where TRequests : struct, IUringRequestEncoder
{
    /// <summary>Maximum bytes of a registered buffer. The kernel accepts at most 1 GiB; only tests use less.</summary>
    internal long MaxRegisteredBytes { get; init; } = 1L << 30;

    protected virtual long RegisteredBufferBytes => MaxRegisteredBytes;

    private IoUringRing? _ring;
    private int[] _descriptors = [];

    // Not readonly, because the struct changes its own fields.
    private TRequests _requests = new();
    private bool _registeredFiles;
    private bool _registeredBuffers;
    private uint _unsubmitted;
    private BackendSetup? _setup;

    public override IReadOnlyList<string> FeatureNames =>
        [
            .. new[]
            {
                _ring?.CompletionMode,
                _registeredFiles ? "registered files" : null,
                _registeredBuffers ? "registered buffers" : PlainBuffersName,
            }.OfType<string>(),
        ];

    public override bool HasOptionalFeatures => true;

    public override void Open(BackendSetup setup)
    {
        _setup = setup;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.RawHandle);
        _requests.Initialize(setup, _descriptors);
        _ring =
            IoUringRing.Create((uint)setup.SlotCount, out var error, setup.Polling, TRequests.RingFlags)
            ?? throw BackendRefusedException.CreateError(Kind, IoUringBackend.DescribeError(error));
        _ring.RegisterDescriptor();
    }

    public override BackendFeatures EnableOptionalFeatures()
    {
        fixed (int* descriptors = _descriptors)
            _registeredFiles = _ring!.Register(REGISTER_FILES, descriptors, (uint)_descriptors.Length) >= 0;
        // A registered buffer saves the lookup of pages for a device, but makes a copy by the CPU slower.
        _registeredBuffers = PlainBuffersReason is null && RegisterBuffers(_setup!);
        _requests.SetRegistration(_registeredFiles, _registeredBuffers);
        return (_registeredFiles ? BackendFeatures.RegisteredFiles : BackendFeatures.None)
            | (_registeredBuffers ? BackendFeatures.RegisteredBuffers : BackendFeatures.None);
    }

    public override void DisableFeaturesExcept(BackendFeatures common)
    {
        if (_registeredBuffers && !common.HasFlag(BackendFeatures.RegisteredBuffers))
            _registeredBuffers = _ring!.Register(UNREGISTER_BUFFERS, null, 0) < 0;
        if (_registeredFiles && !common.HasFlag(BackendFeatures.RegisteredFiles))
            _registeredFiles = _ring!.Register(UNREGISTER_FILES, null, 0) < 0;
        _requests.SetRegistration(_registeredFiles, _registeredBuffers);
    }

    public override int Submit(int* ready, int count)
    {
        var ring = _ring!;
        count = Math.Min((int)(ring.SqEntries - _unsubmitted), count);
        QueueRequests(ring, ready, count);
        // Entries that the kernel does not accept now stay queued and are submitted with the next ones.
        _unsubmitted -= (uint)Math.Max(0, ring.Submit(_unsubmitted));
        return count;
    }

    public override bool HasCompletions => *_ring!.CqHead != Volatile.Read(ref *_ring.CqTail);

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        var ring = _ring!;
        var got = 0;
        while (count > 0)
        {
            var room = (int)(ring.SqEntries - _unsubmitted);
            var now = Math.Min(room, count);
            QueueRequests(ring, ready, now);
            ready += now;
            count -= now;
            if (count > 0)
                got += Enter(ring, wait: false, until, completions + got);
        }
        return got > 0 ? got + Enter(ring, wait: false, until, completions + got) : Enter(ring, wait: true, until, completions);
    }

    public override void Close()
    {
        if (_ring is null)
            return;
        // The kernel tears down a closed ring asynchronously. Unregister now, so that buffers and files are free.
        if (_registeredBuffers)
            _ = _ring.Register(UNREGISTER_BUFFERS, null, 0);
        if (_registeredFiles)
            _ = _ring.Register(UNREGISTER_FILES, null, 0);
        _ring.Dispose();
    }

    private void QueueRequests(IoUringRing ring, int* ready, int count)
    {
        _requests.QueueRequests(ring, ready, count);
        _unsubmitted += (uint)count;
    }

    /// <summary>EINTR (signals of the garbage collector), EAGAIN, and EBUSY only mean: read completions and try again.</summary>
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
                    advice: $"Use {OptionNames.Backend.WithValue(LinuxAioBackend.Name)}."
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

    /// <summary>If the kernel refuses (limit of locked memory), the worker uses unregistered buffers.</summary>
    private bool RegisterBuffers(BackendSetup setup)
    {
        var vectors = BackendSetup.SplitIntoRegisteredBuffers(setup, RegisteredBufferBytes);
        fixed (IoVector* all = vectors)
            return _ring!.Register(REGISTER_BUFFERS, all, (uint)vectors.Length) >= 0;
    }

    protected IoUringRing? Ring => _ring;

    protected virtual string? PlainBuffersReason => _setup is { UsesFileCache: true } ? "the file cache copies the data" : null;

    private string PlainBuffersName =>
        PlainBuffersReason is { } why ? $"plain buffers ({why})"
        : LinuxResourceLimits.GetMaxLockedMemory() is { } limit
            ? $"plain buffers (locked memory is limited to {new IoSize(limit).ToDisplayString()}: ulimit -l)"
        : "plain buffers";
}
