namespace IoBench.Engine;

/// <summary>Step of the preparation of a target.</summary>
public enum PreparationStep
{
    /// <summary>The test file is being written.</summary>
    Making,

    /// <summary>A test file that a killed run left is being read to verify its contents.</summary>
    Proving,

    /// <summary>The target is being overwritten before the test (<see cref="Preconditioning"/>).</summary>
    Preconditioning,

    /// <summary>The target is being read before an integrity check, to know its contents.</summary>
    Learning,

    /// <summary>The target is being read after an integrity check, for comparison.</summary>
    Comparing,
}

internal delegate void PreparationReport(PreparationStep step, long done, long total);

/// <summary>
/// Opens a target for a run: checks it on the handle that the run keeps, and creates, extends, or fills the file if needed. After this, the
/// run does not
/// access the file by name.
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

    /// <param name="check">Target to open, with its planned size if there is a plan.</param>
    /// <param name="others">Targets that the run already has open.</param>
    /// <param name="report">Receives the progress about ten times per second on the calling thread; null = not needed.</param>
    /// <param name="token">Cancels the preparation; what it added to a file is removed.</param>
    /// <exception cref="IoBenchException">The target is refused, or creating the file failed.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
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
                // Check again, now that no other run can write to the file.
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

    // Verify the whole file if the fill or the test will write to it; samples are enough for reading.
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

    // An earlier run did not finish extending the file, and this run needs only the filled part.
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
        // A file that is filled from its start holds no writes of earlier runs.
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
            // Truncate to the part that was filled before, or remove the file.
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
        // A file that a run with a larger size left unfinished can be longer than this run needs.
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

    // If the file was changed outside IoBench, it is not truncated, removed, or marked as IoBench's; the next run reports it.
    private static bool IsStillOurs(OpenFile file, FileMark mark, SortedDictionary<long, byte[]>? before)
    {
        try
        {
            return MarkClosing.WhyNot(file.Handle, file.Path, mark, written: null, before, isUnfinished: true) is null;
        }
        catch (IoBenchException)
        {
            // The file cannot be read. The error that led here says why, and the open marker lets the next run decide.
            return false;
        }
    }

    private void Log(string what, CheckedTarget found) =>
        _check.Options.Log?.Invoke($"{what} {found.Path}: {Figures.Grouped(found.Size)} bytes");

    private void Leave(OpenFile file)
    {
        // On Windows, a name can remain until the last handle is closed.
        if (!_isWorthless || PlatformFiles.Current is WindowsFiles)
            file.Release();
        if (!_isWorthless)
            return;
        RemoveOwn(file.Path, file.Status);
        // Freeing the space of a large file can take a while. Do not wait for it: the file has no name any more, and the end of the process
        // closes it too.
        if (PlatformFiles.Current is not WindowsFiles)
            file.Release(later: true);
    }

    // Only if the name still leads to the file that this run created.
    private static void RemoveOwn(string path, FileStatus file)
    {
        if (PlatformFiles.Current.DeleteIfSame(path, file))
            MarkStore.RemoveSidecar(path, file);
    }
}
