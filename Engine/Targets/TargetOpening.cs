namespace IoBench.Engine.Targets;

/// <summary>What the making of a target is at.</summary>
public enum PreparationStep
{
    /// <summary>The test file is being written.</summary>
    Making,

    /// <summary>A test file that a killed run left is being read, to prove that it holds nothing of others.</summary>
    Proving,

    /// <summary>It is written over before the test (<see cref="Preconditioning"/>).</summary>
    Preconditioning,

    /// <summary>It is read before a checked test, to know what it holds.</summary>
    Learning,

    /// <summary>It is read after a checked test, and compared.</summary>
    Comparing,
}

/// <summary>Receives how far a preparation is.</summary>
/// <param name="step">What it is at.</param>
/// <param name="done">Bytes done.</param>
/// <param name="total">Bytes in all.</param>
internal delegate void PreparationReport(PreparationStep step, long done, long total);

/// <summary>
/// Opens a target for a run: checks it on the handle that the run keeps, and makes the file, makes it longer or finishes it where that is needed. From here on
/// no name is followed.
/// </summary>
internal sealed class TargetOpening
{
    private readonly TargetCheck.Request _check;
    private readonly IReadOnlyList<OpenTarget> _others;
    private readonly PreparationReport? _report;
    private readonly CancellationToken _token;
    private bool _isWorthless;

    private TargetOpening(TargetCheck.Request check, IReadOnlyList<OpenTarget> others, PreparationReport? report, CancellationToken token)
    {
        _check = check;
        _others = others;
        _report = report;
        _token = token;
    }

    /// <param name="check">What is to be opened; with the size that was planned for it, if there is a plan.</param>
    /// <param name="others">What the run has open already.</param>
    /// <param name="report">Receives how far it is, about ten times per second, on the calling thread; null = nobody listens.</param>
    /// <param name="token">Ends it; what it added to a file is removed.</param>
    /// <exception cref="IoBenchException">The target is refused, or making it failed.</exception>
    /// <exception cref="OperationCanceledException">The token ended it.</exception>
    public static OpenTarget Open(
        TargetCheck.Request check,
        IReadOnlyList<OpenTarget> others,
        PreparationReport? report,
        CancellationToken token
    )
    {
        var opening = new TargetOpening(check, others, report, token);
        return check.Found.Status switch
        {
            null => opening.Make(),
            { Kind: FileKind.BlockDevice } => opening.OpenDevice(),
            _ => opening.OpenExisting(),
        };
    }

    private OpenTarget Make()
    {
        var found = TargetCheck.CheckNew(_check);
        Log("making", found);
        var file = OpenFile.Create(found.Path, found.Size, out var mark);
        try
        {
            return Keep(found, file, new MarkSession(file, Fill(file, found, mark, before: null)));
        }
        catch
        {
            _isWorthless = IsStillOurs(file, mark, before: null);
            Leave(file);
            throw;
        }
    }

    private OpenTarget OpenExisting()
    {
        TargetCheck.CheckName(_check);
        var file = OpenFile.Open(_check.Path, _check.Writes, Shared());
        try
        {
            var found = Check(file);
            if (found is { NeedsFill: true } && !file.IsWritable)
            {
                // Judged again once nobody else writes to it.
                file.MakeWritable();
                found = Check(file);
            }
            var mark = found.Mark;
            if (found.NeedsFill)
                mark = Extend(file, found);
            else if (mark is { State: MarkState.Making } && file.IsWritable)
                mark = LeaveOutRest(file, mark);
            return Keep(found, file, SessionOf(file, mark));
        }
        catch
        {
            Leave(file);
            throw;
        }
    }

    private OpenTarget OpenDevice()
    {
        var found = DeviceCheck.Check(_check);
        var handle = _check.Writes ? DeviceCheck.Claim(found.Path, found.Proof) : PlatformFiles.Current.OpenToRead(found.Path);
        try
        {
            var status = PlatformFiles.Current.GetStatus(handle, found.Path);
            if (!status.IsSame(_check.Found.Status!.Value))
                throw FileErrors.Replaced(found.Path);
            if (_check.Writes)
                _check.Options.HandOver(_check.Target.Path, status);
            return new OpenTarget(found, OpenFile.OfDevice(found.Path, handle, _check.Writes), null);
        }
        catch
        {
            PlatformFiles.Current.UnlockAndClose(handle);
            throw;
        }
    }

    // All of it where it is going to be written, by the fill or by the test; samples are enough to read it.
    private CheckedTarget Check(OpenFile file) =>
        TargetCheck.CheckExisting(
            _check,
            file.Handle,
            file.IsWritable ? ProofDepth.Whole : ProofDepth.Samples,
            (done, total) => _report?.Invoke(PreparationStep.Proving, done, total),
            _token
        );

    private OpenTarget Keep(CheckedTarget found, OpenFile file, MarkSession? session)
    {
        if (!_check.Writes && file.IsWritable)
            file.GiveBack();
        found.Mark = session?.Mark;
        return new OpenTarget(found, file, _check.Writes ? session : null);
    }

    private MarkSession? SessionOf(OpenFile file, FileMark? mark)
    {
        if (mark is null)
            return null;
        if (_others.Select(o => o.Session).FirstOrDefault(s => s?.File == file) is not { } shared)
            return new MarkSession(file, mark);
        shared.Renew(mark);
        return shared;
    }

    private IEnumerable<OpenFile> Shared() => _others.Select(o => o.File).OfType<OpenFile>();

    // A longer file that a run wanted was not finished, and this one needs no more than what is whole.
    private static FileMark LeaveOutRest(OpenFile file, FileMark mark)
    {
        if (PlatformFiles.Current.GetStatus(file.Handle, file.Path).Size > mark.Filled)
            PlatformFiles.Current.Truncate(file.Handle, file.Path, mark.Filled);
        return MarkClosing.Close(file.Handle, file.Path, mark);
    }

    private FileMark Extend(OpenFile file, CheckedTarget found)
    {
        var before = found.Mark!;
        Log("filling", found);
        var mark = before with { State = MarkState.Making, Size = found.Size };
        // Filled from its start, it holds no earlier run's writes.
        if (before.Filled == 0)
            mark = mark with { WriteSeeds = [], Opaque = false, Compressible = false };
        WriteRules.Check(file.Path, PlatformFiles.Current.GetStatus(file.Handle, file.Path));
        MarkStore.Write(file.Handle, file.Path, mark.ToText());
        var samples = mark.Opaque ? MarkClosing.Remember(file.Handle, file.Path, before.Filled, MarkClosing.LongSamples) : null;
        try
        {
            return Fill(file, found, mark, samples);
        }
        catch
        {
            if (!IsStillOurs(file, mark, samples))
                throw;
            // Back to what was whole before, or nothing.
            _isWorthless = before.Filled == 0;
            if (!_isWorthless)
            {
                PlatformFiles.Current.Truncate(file.Handle, file.Path, before.Filled);
                MarkClosing.Close(file.Handle, file.Path, before);
            }
            throw;
        }
    }

    private FileMark Fill(OpenFile file, CheckedTarget found, FileMark mark, SortedDictionary<long, byte[]>? before)
    {
        var room = new RoomWatch(found, PlatformFiles.Current.GetStatus(file.Handle, file.Path), _check.Options);
        // A file that was left half made by a run that wanted it larger may be longer than this one needs.
        if (PlatformFiles.Current.GetStatus(file.Handle, found.Path).Size > found.Size)
            PlatformFiles.Current.Truncate(file.Handle, found.Path, found.Size);
        if (
            TestFileMaker.Fill(
                file.Handle,
                found.Path,
                mark.Seed,
                mark.Filled,
                found.Size,
                room,
                (done, total) => _report?.Invoke(PreparationStep.Making, done, total),
                _token
            ) is
            { } slow
        )
            found.Warnings.Add(
                new IoWarning(
                    WarningCodes.SlowFill,
                    $"{found.Path} was filled slower than the disk writes: {slow}. The figures of the test are not touched by it."
                )
            );
        if (MarkClosing.WhyNot(file.Handle, found.Path, mark, written: null, before) is { } why)
            throw IoBenchException.Refused(
                ErrorIds.ForeignFile,
                $"{found.Path} {why}: something else changed it while it was being made.",
                found.Path,
                advice: "It is left as it is; look at it, or name another file."
            );
        return MarkClosing.Close(file.Handle, found.Path, mark);
    }

    // What others wrote into it meanwhile is theirs: it is not cut, removed or marked as ours, and the next run says so.
    private static bool IsStillOurs(OpenFile file, FileMark mark, SortedDictionary<long, byte[]>? before)
    {
        try
        {
            return MarkClosing.WhyNot(file.Handle, file.Path, mark, written: null, before, isUnfinished: true) is null;
        }
        catch (IoBenchException)
        {
            // It cannot be read: the error that brought us here says why, and the open mark lets the next run decide.
            return false;
        }
    }

    private void Log(string what, CheckedTarget found) =>
        _check.Options.Log?.Invoke($"{what} {found.Path}: {Figures.Grouped(found.Size)} bytes");

    private void Leave(OpenFile file)
    {
        // On Windows a name may stay until its last handle is closed.
        if (!_isWorthless || PlatformFiles.Current is WindowsFiles)
            file.Release();
        if (!_isWorthless)
            return;
        RemoveOwn(file.Path, file.Status);
        // To give back the room of a large file takes the file system a while. Nobody waits for that: the file has no name any more, and the end of the process closes it too.
        if (PlatformFiles.Current is not WindowsFiles)
            file.Release(later: true);
    }

    // Only while the name still leads to the file that we made.
    private static void RemoveOwn(string path, FileStatus file)
    {
        if (PlatformFiles.Current.DeleteIfSame(path, file))
            MarkStore.RemoveSidecar(path, file);
    }
}
