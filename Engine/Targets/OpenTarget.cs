using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>A target that a run owns. Workers get their handles from it, never by name.</summary>
internal sealed class OpenTarget : IDisposable
{
    private readonly OpenFile? _file;
    private readonly TestFileWriteSession? _session;
    private bool _disposed;

    public OpenTarget(CheckedTarget target, OpenFile? file, TestFileWriteSession? session)
    {
        Target = target;
        _file = file;
        _session = session;
    }

    public CheckedTarget Target { get; }

    public OpenFile? File => _file;

    public TestFileWriteSession? WriteSession => _session;

    /// <summary>Opens the marker before a run writes. Devices, and files without a marker, are only checked.</summary>
    public void BeginWriting(IoPattern pattern, byte[]? source)
    {
        if (_file is null)
            return;
        _file.CheckSameFile(_file.Handle, write: true);
        _session?.BeginTarget(Target.ContentSeed, pattern, source);
    }

    /// <exception cref="IoBenchException"><c>IoBench.TargetReplaced</c>: the name led to another file.</exception>
    public TargetHandle OpenHandle(IoPattern pattern, BackendDescriptor backend)
    {
        var file = _file ?? throw new InvalidOperationException("A target that exists only in the plan cannot be opened.");
        var write = pattern.WritePercent > 0;
        file.AddWorkerHandle();
        SafeFileHandle? handle = null;
        try
        {
            handle = PlatformFiles.Current.OpenForWorker(file.Handle, file.Path, write, pattern, backend);
            file.CheckSameFile(handle, write);
            return new TargetHandle(handle, file.Path, file.RemoveWorkerHandle) { Reopen = () => OpenHandle(pattern, backend) };
        }
        catch
        {
            handle?.Dispose();
            file.RemoveWorkerHandle();
            throw;
        }
    }

    /// <summary>Uses a reopened file that was verified to be the same, after the earlier handles failed with their disk.</summary>
    public TargetHandle OpenHandleFrom(OpenFile proved, IoPattern pattern, BackendDescriptor backend)
    {
        var file = _file ?? throw new InvalidOperationException("A target that exists only in the plan cannot be opened.");
        file.CheckSameFile(proved.Handle, write: true);
        file.AddWorkerHandle();
        SafeFileHandle? handle = null;
        try
        {
            handle = PlatformFiles.Current.OpenForWorker(proved.Handle, file.Path, write: true, pattern, backend);
            file.CheckSameFile(handle, write: true);
            return new TargetHandle(handle, file.Path, file.RemoveWorkerHandle) { Reopen = () => OpenHandleFrom(proved, pattern, backend) };
        }
        catch
        {
            handle?.Dispose();
            file.RemoveWorkerHandle();
            throw;
        }
    }

    /// <summary>Closes the marker after all writing handles are closed and the content is verified.</summary>
    /// <returns>Why the marker stays open, as a sentence for users; null if it was closed or there is none.</returns>
    public string? EndWriting(bool isAwaited = false) => _session?.EndTarget(isAwaited);

    /// <summary>Read-only, with the findings in the marker. False if there is no marker or it cannot be written.</summary>
    public bool KeepAsEvidence(IoIntegrity found)
    {
        if (_file is null || Target.Marker is not { } mark)
            return false;
        var evidence = IntegrityMessages.Describe(found);
        try
        {
            if (_session is not null)
                _session.KeepAsEvidence(evidence);
            else
                OwnershipMarker.CloseAsEvidence(_file.Handle, _file.Path, mark, evidence);
            return true;
        }
        catch (IoBenchException)
        {
            // The disk refuses the marker as well; the integrity errors are reported anyway.
            return false;
        }
    }

    public void Dispose()
    {
        if (_disposed)
            return;
        _disposed = true;
        _file?.ReleaseTarget();
    }
}
