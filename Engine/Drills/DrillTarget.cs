namespace IoBench.Engine;

/// <summary>
/// A drill's real file. It must be IoBench's own, so that it can be proved again: what comes back under its name is used when it has the same mark and identity and
/// samples of its content are ours. Nothing is written to anything else.
/// </summary>
internal sealed class DrillTarget : IDrillTarget, IDisposable
{
    private readonly IoPattern _pattern;
    private readonly int _slots;
    private readonly CheckedTarget _found;
    private readonly List<OpenTarget> _open = [];
    // A dead handle on a file that is the same by all that can be seen: tried again not too often, since mostly it does not help.
    private static readonly long s_sameEvery = 5 * Clock.Second;

    private Task<Reopened>? _opening;
    private long _nextSame;

    private DrillTarget(OpenTarget target, IoPattern pattern, int slots)
    {
        (_pattern, _slots, _found) = (pattern, slots, target.Target);
        _open.Add(target);
    }

    /// <inheritdoc/>
    public long Size => _found.Size;

    /// <inheritdoc/>
    public ulong ContentSeed => _found.ContentSeed;

    /// <summary>Its path, as it was resolved.</summary>
    public string Path => _found.Path;

    /// <summary>Checks, makes and opens the file.</summary>
    /// <param name="specification">The drill as a test of one target.</param>
    /// <param name="options">What it may do.</param>
    /// <param name="slots">I/Os in flight at most.</param>
    /// <param name="report">Told how far the making of the file is.</param>
    /// <param name="token">Ends the making.</param>
    /// <exception cref="IoBenchException">It is refused; <c>IoBench.DrillNeedsOwnFile</c>: it is a file or device that IoBench did not make.</exception>
    public static DrillTarget Open(IoTestSpecification specification, TestRunOptions options, int slots, PreparationReport? report, CancellationToken token)
    {
        var source = new RealTargets();
        var found = source.Check(specification, specification.Targets[0], options);
        if (found.Kind is TargetKind.Foreign or TargetKind.Device)
            throw NotOwn(found.Path);
        var target = source.Open(found, [], report, token);
        try
        {
            if (target.Session is null)
                throw NotOwn(found.Path);
            if (target.Session.Mark.Opaque)
                throw IoBenchException.Refused("IoBench.DrillNeedsOwnFile", $"{found.Path} holds writes of a test that cannot be told from others' (zeros, a pattern, a file's bytes): it could not be proved when it comes back. Name a new file.", found.Path);
            var pattern = specification.PatternOf(specification.Targets[0]);
            target.BeginWriting(pattern, source: null);
            return new DrillTarget(target, pattern, slots);
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public DrillGeneration Open() => Generation(_open[^1].Open(_pattern, IoBackendKind.Threads));

    /// <inheritdoc/>
    public (DrillGeneration? Generation, DrillTargetState State, string Text)? TryReopen(bool isFailing)
    {
        var known = _open[^1];
        var trySame = isFailing && Clock.Now >= _nextSame;
        // On a thread of its own: the opening of a file hangs with its disk.
        _opening ??= Task.Factory.StartNew(() => Reopen(known, trySame), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (!_opening.IsCompleted)
            return null;
        var found = _opening.Result;
        _opening = null;
        if (found.Handle is null)
            return (null, found.State, found.Text);
        if (found.Target is not null)
            _open.Add(found.Target);
        _nextSame = Clock.Now + s_sameEvery;
        return (Generation(found.Handle), found.State, found.Text);
    }

    /// <summary>Closes the file's mark where it can be; returns what people should know when it stays open.</summary>
    public string? End() => _open[^1].End();

    /// <inheritdoc/>
    public void Dispose()
    {
        _opening?.ContinueWith(opening => Discard(opening.Result), TaskScheduler.Default);
        _open.ForEach(target => target.Dispose());
    }

    private static void Discard(Reopened found)
    {
        found.Handle?.Dispose();
        found.Target?.Dispose();
    }

    private DrillGeneration Generation(TargetHandle handle) => new(new ThreadsBackend(), [handle], _slots, (int)_pattern.BlockSize, handle.Dispose);

    private Reopened Reopen(OpenTarget known, bool trySame)
    {
        OpenFile? file = null;
        try
        {
            if (PlatformFiles.Current.TryGetStatus(Path) is not { } named)
                return new(DrillTargetState.Gone, $"{Path} is gone");
            if (named.IsSame(known.File!.Status) && !trySame)
                return new(DrillTargetState.Open, $"{Path} is the file that is open");
            file = OpenFile.Open(Path, write: false, []);
            var why = WhyNotOurs(file, known);
            if (why is null && !file.Status.IsSame(known.File.Status))
                return Take(file, known);
            // What looks the same is proved all the same: file systems without numbers of their own give a new file the old one's.
            var handle = why is null ? known.OpenAnew(file, _pattern, IoBackendKind.Threads) : null;
            file.Release();
            return why is null ? new(DrillTargetState.Reopened, Back) { Handle = handle } : new(DrillTargetState.Foreign, $"{Path} {why}: nothing is written to it");
        }
        catch (Exception e) when (e is IoBenchException or IOException or UnauthorizedAccessException)
        {
            file?.Release();
            return new(DrillTargetState.Gone, e.Message);
        }
    }

    private Reopened Take(OpenFile file, OpenTarget known)
    {
        file.MakeWritable();
        file.CheckIsThis(file.Handle, write: true);
        var target = new OpenTarget(_found, file, new MarkSession(file, known.Session!.Mark));
        target.BeginWriting(_pattern, source: null);
        return new(DrillTargetState.Reopened, Back) { Target = target, Handle = target.Open(_pattern, IoBackendKind.Threads) };
    }

    private string Back => $"{Path} is back: it was proved to be ours and opened again";

    private sealed record Reopened(DrillTargetState State, string Text)
    {
        public OpenTarget? Target { get; init; }
        public TargetHandle? Handle { get; init; }
    }

    private static string? WhyNotOurs(OpenFile file, OpenTarget known)
    {
        var mark = known.Session!.Mark;
        if (MarkStore.Read(file.Handle, file.Path) is not { } text || FileMark.Parse(text) is not { } found)
            return "is another file, without IoBench's mark";
        if (found.Id != mark.Id || found.Seed != mark.Seed || file.Status.Identity != found.Identity)
            return "is another test file of IoBench's";
        return MarkClosing.WhyNot(file.Handle, file.Path, found, written: null, before: null);
    }

    private static IoBenchException NotOwn(string path)
        => IoBenchException.Refused("IoBench.DrillNeedsOwnFile", $"{path} was not made by IoBench: a drill needs a file of its own, since only that can be proved when it comes back. Name a folder or a new file.", path);
}
