using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>A target that a run owns. Workers get their handles from it, never by name.</summary>
internal sealed class OpenTarget(CheckedTarget target, OpenFile? file, TestFileWriteSession? session) : IDisposable
{
    private bool _disposed;

    public CheckedTarget Target => target;

    public OpenFile? File => file;

    public TestFileWriteSession? WriteSession => session;

    /// <summary>Opens the marker before a run writes. Devices, and files without a marker, are only checked.</summary>
    public void BeginWriting(IoPattern pattern, byte[]? source)
    {
        if (file is null)
            return;
        file.CheckSameFile(file.Handle, write: true);
        session?.BeginTarget(Target.ContentSeed, pattern, source);
    }

    /// <param name="reopened">The same file, opened again to write after the earlier handles failed with their disk; null = the target's
    /// own file.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TargetReplaced</c>: the name led to another file.</exception>
    public TargetHandle OpenHandle(IoPattern pattern, BackendDescriptor backend, OpenFile? reopened = null)
    {
        var own = file ?? throw new InvalidOperationException("A target that exists only in the plan cannot be opened.");
        var write = reopened is not null || pattern.WritePercent > 0;
        if (reopened is not null)
            own.CheckSameFile(reopened.Handle, write);
        own.AddWorkerHandle();
        SafeFileHandle? handle = null;
        try
        {
            handle = PlatformFiles.Current.OpenForWorker((reopened ?? own).Handle, own.Path, write, pattern, backend);
            own.CheckSameFile(handle, write);
            return new TargetHandle(handle, own.Path, own.RemoveWorkerHandle) { Reopen = () => OpenHandle(pattern, backend, reopened) };
        }
        catch
        {
            handle?.Dispose();
            own.RemoveWorkerHandle();
            throw;
        }
    }

    /// <summary>Returns an error if the name no longer leads to the file; otherwise null. I/O to a deleted file that is open continues to
    /// complete.</summary>
    public IoBenchException? FindFileChange()
    {
        if (file is not { Status.Kind: FileKind.Regular })
            return null;
        string change;
        try
        {
            var now = PlatformFiles.Current.TryGetStatus(file.Path);
            if (now?.IsSame(file.Status) == true)
                return null;
            change = now is null ? "removed" : "replaced by another file";
        }
        catch (IoBenchException e)
        {
            // Windows denies access to a name whose file is being deleted. A whole volume can disappear too.
            change = $"lost ({e.Message})";
        }
        return IoBenchException.Failure(
            "IoBench.FileGone",
            $"{file.Path} was {change} during the test. The results are from the original file.",
            file.Path,
            advice: "Find out which program did this, and run the test again."
        );
    }

    /// <summary>Closes the marker after all writing handles are closed and the content is verified.</summary>
    /// <returns>Why the marker stays open, as a sentence for users; null if it was closed or there is none.</returns>
    public string? EndWriting(bool isAwaited = false) => session?.EndTarget(isAwaited);

    /// <summary>Read-only, with the findings in the marker. False if there is no marker or it cannot be written.</summary>
    public bool KeepAsEvidence(IoIntegrity found)
    {
        if (file is null || Target.Marker is not { } mark)
            return false;
        var evidence = IntegrityMessages.Describe(found);
        try
        {
            if (session is not null)
                session.KeepAsEvidence(evidence);
            else
                OwnershipMarker.CloseAsEvidence(file.Handle, file.Path, mark, evidence);
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
        file?.ReleaseTarget();
    }

    /// <summary>Prepares and opens a target. What the plan is based on is verified again on the open file.</summary>
    public static OpenTarget Open(
        CheckedTarget target,
        IReadOnlyList<OpenTarget> others,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    ) =>
        target.Request is { } request
            ? TargetPreparation.Open(request.ResolveAgain(target.Size), others, report, token)
            : new OpenTarget(target, file: null, session: null);
}
