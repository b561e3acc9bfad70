using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets;

/// <summary>
/// A target that a run owns from its preparation to its end: the proof that it may be used, its lock, its identity and the handle on which all that was
/// found. Workers get their handles from it, never by name.
/// </summary>
internal sealed class OpenTarget : IDisposable
{
    private readonly OpenFile? _file;
    private readonly MarkSession? _session;
    private readonly object _gate = new();
    private NvmePassage? _passage;
    private bool _disposed;

    /// <summary>A target as it was opened.</summary>
    /// <param name="target">What it is.</param>
    /// <param name="file">The file or device; null for one that exists only in the plan.</param>
    /// <param name="session">An own file's mark, which a writing run opens and closes; null for all others.</param>
    public OpenTarget(CheckedTarget target, OpenFile? file, MarkSession? session)
    {
        Target = target;
        _file = file;
        _session = session;
    }

    /// <summary>What it is.</summary>
    public CheckedTarget Target { get; }

    /// <summary>The file or device; null for a target that exists only in the plan.</summary>
    public OpenFile? File => _file;

    /// <summary>The mark's session; null when there is none.</summary>
    public MarkSession? Session => _session;

    /// <summary>Says in the mark that a run writes from now on, and what. Files and devices that are not ours have none.</summary>
    /// <param name="pattern">What is written.</param>
    /// <param name="source">The bytes that writes are cut from, when they come from a file.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ManyNames</c>, or the mark could not be written.</exception>
    public void BeginWriting(IoPattern pattern, byte[]? source)
    {
        if (_file is null)
            return;
        _file.CheckIsThis(_file.Handle, write: true);
        _session?.Begin(Target.ContentSeed, pattern, source);
    }

    /// <summary>Opens it for a worker as its pattern's buffering asks.</summary>
    /// <exception cref="IoBenchException">It cannot be opened that way, or <c>IoBench.TargetReplaced</c>: the name led to another file.</exception>
    public TargetHandle Open(IoPattern pattern, BackendDescriptor backend)
    {
        var file = _file ?? throw new InvalidOperationException("A target of the plan only cannot be opened.");
        var write = pattern.WritePercent > 0;
        file.Enter();
        SafeFileHandle? handle = null;
        try
        {
            if (backend == NvmePassthroughBackend.Descriptor)
            {
                file.CheckIsThis(file.Handle, write);
                var passage = Passage(file);
                handle = passage.Duplicate();
                return new TargetHandle(handle, file.Path, file.Leave) { Nvme = passage.TargetOf(pattern) };
            }
            handle = PlatformFiles.Current.OpenForWorker(file.Handle, file.Path, write, pattern, backend);
            file.CheckIsThis(handle, write);
            return new TargetHandle(handle, file.Path, file.Leave) { Another = () => Open(pattern, backend) };
        }
        catch
        {
            handle?.Dispose();
            file.Leave();
            throw;
        }
    }

    // The first worker opens it for all: they get their handles from this one, never by name.
    private NvmePassage Passage(OpenFile file)
    {
        lock (_gate)
            return _passage ??= NvmePassage.Open(file);
    }

    /// <summary>
    /// The same by a handle that was opened anew and proved to be this file, where those that are open have died with their disk.
    /// </summary>
    /// <exception cref="IoBenchException">It cannot be opened, or <c>IoBench.TargetReplaced</c>.</exception>
    public TargetHandle OpenAnew(OpenFile proved, IoPattern pattern, BackendDescriptor backend)
    {
        var file = _file ?? throw new InvalidOperationException("A target of the plan only cannot be opened.");
        file.CheckIsThis(proved.Handle, write: true);
        file.Enter();
        SafeFileHandle? handle = null;
        try
        {
            handle = PlatformFiles.Current.OpenForWorker(proved.Handle, file.Path, write: true, pattern, backend);
            file.CheckIsThis(handle, write: true);
            return new TargetHandle(handle, file.Path, file.Leave) { Another = () => OpenAnew(proved, pattern, backend) };
        }
        catch
        {
            handle?.Dispose();
            file.Leave();
            throw;
        }
    }

    /// <summary>
    /// Closes the mark, once no handle that wrote is open and what is in the file proves to be ours. Returns what people should know when it stays open; null
    /// when it was closed or there is none.
    /// </summary>
    /// <param name="isAwaited">Somebody has ended the run and waits.</param>
    public string? End(bool isAwaited = false) => _session?.End(isAwaited);

    /// <summary>Leaves an own file as evidence of what was found: read-only, with a mark that says so. False for what is not ours, and where it cannot be marked.</summary>
    public bool LeaveAsEvidence(IoIntegrity found)
    {
        if (_file is null || Target.Mark is not { } mark)
            return false;
        var evidence = IntegrityText.Of(found);
        try
        {
            if (_session is not null)
                _session.KeepAsEvidence(evidence);
            else
                MarkClosing.CloseAsEvidence(_file.Handle, _file.Path, mark, evidence);
            return true;
        }
        catch (IoBenchException)
        {
            // A disk that refuses this too: the errors are reported anyway.
            return false;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_disposed)
            return;
        _disposed = true;
        _passage?.Dispose();
        _file?.Release();
    }
}
