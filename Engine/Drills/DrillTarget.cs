namespace IoBench.Engine;

/// <summary>
/// The drill's real file. After an outage, the file under its name is used only if ownership marker, identity, and samples of the content
/// match. The drill never writes to another file.
/// </summary>
public sealed class DrillTarget : IReopenableTarget, IDisposable
{
    private readonly IoPattern _pattern;
    private readonly int _slots;
    private readonly CheckedTarget _found;
    private readonly List<OpenTarget> _open = [];
    private readonly List<OpenFile> _verifiedFiles = [];
    private static readonly long s_checkInterval = Clock.Second / 200;

    // Marker and identity show which file it is; the samples show that no other program wrote to it. More would lengthen the measured
    // outage.
    private const int VerifiedSamples = 16;

    private CancellableCall<DrillReopenResult>? _opening;
    private OpenDrillFile? _preparedFile;
    private long _nextCheck;

    private DrillTarget(OpenTarget target, IoPattern pattern, int slots, DrillVerification checks)
    {
        _pattern = pattern;
        _slots = slots;
        _found = target.Target;
        Verification = checks;
        _open.Add(target);
    }

    public long Size => _found.Size;

    internal DrillVerification Verification { get; }

    DrillVerification? IReopenableTarget.Verification => Verification;

    /// <summary>Bytes that the final pass has read; negative if it has not begun.</summary>
    public long FinalPassBytes => Verification.FinalPassBytes;

    public string Path => _found.Path;

    /// <param name="wrong">Called on the thread that found the integrity error.</param>
    /// <exception cref="IoBenchException">The file is refused; <c>IoBench.NotOwnFile</c> if IoBench did not create it.</exception>
    public static DrillTarget Open(
        IoTestSpecification specification,
        TestRunOptions options,
        int slots,
        Action<IoIntegrityError>? wrong,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    )
    {
        var found = CheckedTarget.Check(specification, specification.Targets[0], options);
        if (found.Kind is TargetKind.Foreign or TargetKind.Device)
            throw TargetCheck.CreateNotOwnFileError(found.Path);
        var target = OpenTarget.Open(found, [], report, token);
        DrillVerification? checks = null;
        try
        {
            if (target.WriteSession is null)
                throw TargetCheck.CreateNotOwnFileError(found.Path);
            if (target.WriteSession.Marker.HasUnrecognizableContent)
                throw IoBenchException.Refused(
                    "IoBench.DrillNeedsOwnFile",
                    $"An earlier test wrote zeros, a pattern, or the contents of another file to {found.Path}. IoBench cannot verify such a file after an outage.",
                    found.Path,
                    advice: "Specify a new file."
                );
            var pattern = specification.GetPattern(specification.Targets[0]);
            checks = new DrillVerification(target, (int)pattern.BlockSize, wrong);
            checks.RunFirstPass((_, done, total) => report?.Invoke(PreparationStep.Reading, done, total), token);
            target.BeginWriting(pattern, source: null);
            var drill = new DrillTarget(target, pattern, slots, checks);
            drill.CheckCanReopen();
            return drill;
        }
        catch
        {
            checks?.Dispose();
            // Nothing was written yet. Close the marker, because an open marker would make the next run verify the whole file.
            target.EndWriting();
            target.Dispose();
            throw;
        }
    }

    OpenDrillFile IReopenableTarget.Open() => CreateDrillFile(_open[^1].OpenHandle(_pattern, ThreadsBackend.Descriptor));

    DrillReopenResult? IReopenableTarget.TryReopen(bool trySame)
    {
        var known = _open[^1];
        if (_opening is null && Clock.Now >= _nextCheck)
        {
            _nextCheck = Clock.Now + s_checkInterval;
            // Use a separate thread, because opening a file can hang with its disk.
            _opening = new CancellableCall<DrillReopenResult>(() => Reopen(known, trySame));
        }
        if (_opening?.Wait(TimeSpan.Zero) != true)
            return null;
        var found = _opening.Result;
        _opening = null;
        if (found.Generation is null)
            return found;
        if (found.Target is not null)
            _open.Add(found.Target);
        else
            _verifiedFiles.Add(found.File!);
        Verification.SwitchFile(found.File!);
        return found;
    }

    public void CancelReopening()
    {
        _opening?.Abandon(DiscardReopened);
        _opening = null;
    }

    /// <summary>Ends the verification and returns its result.</summary>
    /// <param name="patience">Longest time to wait for a classification that hangs.</param>
    public IoIntegrity CompleteVerification(TimeSpan patience) => Verification.Complete(patience);

    /// <summary>Returns an error if the name no longer leads to the file that the drill used last; otherwise null.</summary>
    public IoBenchException? FindFileChange() => _open[^1].FindFileChange();

    /// <summary>Returns a message for the user if the marker stays open.</summary>
    public string? CloseMarker() => _open[^1].EndWriting();

    public bool KeepAsEvidence(IoIntegrity found) => _open[^1].KeepAsEvidence(found);

    public void Dispose()
    {
        CancelReopening();
        Interlocked.Exchange(ref _preparedFile, null)?.TryClose();
        _verifiedFiles.ForEach(file => file.ReleaseTarget());
        _open.ForEach(target => target.Dispose());
        Verification.Dispose();
    }

    private static void DiscardReopened(DrillReopenResult found)
    {
        found.Generation?.TryClose();
        if (found.Target is not null)
            found.Target.Dispose();
        else
            found.File?.ReleaseTarget();
    }

    /// <summary>Verifies the file as after an outage, to refuse file systems on which that cannot work.</summary>
    private void CheckCanReopen()
    {
        var file = OpenFile.Open(Path, write: false, []);
        try
        {
            if (FindMismatch(file, _open[^1], []) is { } why)
                throw IoBenchException.Refused(
                    "IoBench.DrillNeedsOwnFile",
                    $"{Path} {DrillTargetChange.DescribeMismatch(why.Reason, why.Detail)}. IoBench cannot verify this file after an outage.",
                    Path,
                    advice: "Specify a file on another file system."
                );
        }
        finally
        {
            file.ReleaseTarget();
        }
    }

    private OpenDrillFile CreateDrillFile(TargetHandle handle)
    {
        var generation = Interlocked.Exchange(ref _preparedFile, null) ?? PrepareFile();
        generation.Attach(handle);
        return generation;
    }

    // Created in advance, because starting its threads takes longer than verifying the file.
    private OpenDrillFile PrepareFile() => new(new ThreadsBackend(), _slots, (int)_pattern.BlockSize);

    private DrillReopenResult Reopen(OpenTarget known, bool trySame)
    {
        OpenFile? file = null;
        try
        {
            if (_preparedFile is null)
                Interlocked.Exchange(ref _preparedFile, PrepareFile())?.TryClose();
            if (PlatformFiles.Current.TryGetStatus(Path) is not { } named)
                return new(null, DrillTargetReason.Gone, Path);
            if (named.IsSame(known.File!.Status) && !trySame)
                return new(null, DrillTargetReason.Same, Path);
            file = OpenFile.Open(Path, write: false, []);
            var reads = new List<(long Offset, long Began, long Ended)>();
            // Verify even if the identity is equal: some file systems assign the number of the old file to a new one.
            if (FindMismatch(file, known, reads) is { } why)
            {
                file.ReleaseTarget();
                return why;
            }
            if (!file.Status.IsSame(known.File.Status))
                return TakeOver(file, known, reads);
            var generation = CreateDrillFile(known.OpenHandle(_pattern, ThreadsBackend.Descriptor, file));
            return new(generation, DrillTargetReason.Proved, Path) { File = file, Reads = reads };
        }
        catch (Exception e) when (e is IoBenchException or IOException or UnauthorizedAccessException)
        {
            file?.ReleaseTarget();
            return new(null, DrillTargetReason.Unreachable, Path, e.Message);
        }
    }

    private DrillReopenResult TakeOver(OpenFile file, OpenTarget known, List<(long Offset, long Began, long Ended)> reads)
    {
        file.MakeWritable();
        file.CheckSameFile(file.Handle, write: true);
        var target = new OpenTarget(_found, file, new TestFileWriteSession(file, known.WriteSession!.Marker));
        target.BeginWriting(_pattern, source: null);
        return new(CreateDrillFile(target.OpenHandle(_pattern, ThreadsBackend.Descriptor)), DrillTargetReason.Proved, Path)
        {
            Target = target,
            File = file,
            Reads = reads,
        };
    }

    private DrillReopenResult? FindMismatch(OpenFile file, OpenTarget known, List<(long Offset, long Began, long Ended)> reads)
    {
        var mark = known.WriteSession!.Marker;
        if (OwnershipMarker.ReadText(file.Handle, file.Path) is not { } text || OwnershipMarker.Parse(text) is not { } found)
            return new(null, DrillTargetReason.Unmarked, Path);
        if (found.Id != mark.Id || found.Seed != mark.Seed || file.Status.Identity != found.Identity)
            return new(null, DrillTargetReason.OtherTestFile, Path);
        var change = OwnershipMarker.FindOutsideChange(
            file.Handle,
            file.Path,
            found,
            written: null,
            before: null,
            max: VerifiedSamples,
            reads: reads
        );
        return change is null ? null : new(null, DrillTargetReason.OtherContent, Path, change);
    }
}
