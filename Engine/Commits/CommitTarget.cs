using System.Net;

namespace IoBench.Engine;

/// <summary>The test file of a commit test: checked, created if needed, and locked until it is disposed.</summary>
public sealed class CommitTarget : IDisposable
{
    // Threads start, files open, and the first writes allocate in this time.
    private const long WarmUp = Clock.Second / 10;
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(20);

    private readonly IoTestSpecification _specification;
    private readonly OpenTarget _target;
    private readonly CommitDeviceCounter _counter;

    // End of the range that is overwritten, in bytes. An extended file begins and ends with this size.
    private readonly long _overwrittenEnd;

    private CommitTarget(IoTestSpecification specification, OpenTarget target, long overwrittenEnd)
    {
        _specification = specification;
        _target = target;
        _overwrittenEnd = overwrittenEnd;
        _counter = new CommitDeviceCounter(target.Target.Volume);
    }

    public CheckedTarget Target => _target.Target;

    public string Path => _target.Target.Path;

    /// <summary>Whether the device can write through its cache without a flush; null if the operating system does not report it.</summary>
    public bool? SupportsForcedUnitAccess => Target.Volume.SupportsForcedUnitAccess;

    public bool? HasVolatileWriteCache => Target.Volume.HasVolatileWriteCache;

    public bool IsPowerProtectionDeclared => Target.Volume.IsPowerProtectionDeclared;

    /// <summary>In bytes.</summary>
    public int PhysicalSectorSize => Target.Volume.PhysicalSectorSize;

    public bool IsInMemory => Target.Volume.IsInMemory;

    public bool IsNetwork => Target.Volume.IsNetwork;

    /// <summary>Bytes after the start of a physical sector at which a misaligned write begins; null if all writes are aligned.</summary>
    public int? MisalignedOffset => Target.LogicalSectorSize < PhysicalSectorSize ? Target.LogicalSectorSize : null;

    /// <summary>Why FUA writes are not counted; null if they are.</summary>
    public string? FuaReason => _counter.FuaReason;

    /// <param name="extends">Whether cases extend the file. Then the second half of the file is cut off at the end.</param>
    /// <param name="report">Existing and total bytes while the file is created; null = not reported.</param>
    /// <exception cref="IoBenchException">The file is refused, or cannot be created.</exception>
    public static CommitTarget Open(
        IoTestSpecification specification,
        TestRunOptions options,
        bool extends,
        Action<PreparationStep, long, long>? report,
        CancellationToken token
    )
    {
        ArgumentNullException.ThrowIfNull(specification);
        var found = CheckedTarget.Check(specification, specification.Targets[0], options);
        var target = OpenTarget.Open(found, [], report, token);
        try
        {
            if (target.WriteSession is null || found.Kind is TargetKind.Foreign or TargetKind.Device)
                throw IoBenchException.Refused(
                    ErrorIds.ForeignFile,
                    $"IoBench did not create {found.Path}. A commit test writes only to a file that IoBench created.",
                    found.Path,
                    advice: "Specify a folder or a new file."
                );
            if (found.Volume.SupportsDirectIO == false)
                throw IoBenchException.Failure(
                    "IoBench.NoDirectIo",
                    $"The file system of {found.Path}{(found.FileSystem is { } name ? $" ({name})" : "")} does not support unbuffered I/O, "
                        + "which SQL Server uses.",
                    found.Path,
                    advice: "Specify a folder on the storage that holds the transaction log."
                );
            var pattern = specification.GetPattern(specification.Targets[0]);
            target.BeginWriting(pattern, source: null);
            return new CommitTarget(specification, target, extends ? AlignDown(found.Size / 2) : found.Size);
        }
        catch
        {
            target.EndWriting();
            target.Dispose();
            throw;
        }
    }

    /// <summary>Runs one round of a case.</summary>
    /// <param name="replica">Receives each record and acknowledges it; null for a case without a replica.</param>
    /// <param name="token">Ends the round early and throws <see cref="OperationCanceledException"/>.</param>
    /// <exception cref="IoBenchException">An I/O failed, or the replica was lost.</exception>
    public CommitSample Run(CommitCase what, TimeSpan duration, ReplicaClient? replica, CancellationToken token)
    {
        ArgumentNullException.ThrowIfNull(what);
        var pattern = CreatePattern(what.Method, what.WriteSize);
        var start = what.IsMisaligned ? MisalignedOffset ?? 0 : 0;
        var latencies = new LatencyHistogram();
        var sample = new CommitSample
        {
            Case = what,
            Latencies = latencies,
            Replica = replica is null ? null : new ReplicaLatencies(),
            CommitsPerSecond = 0,
            Writes = 0,
            FlushCalls = 0,
        };
        var rates = new List<(double Rate, double Seconds)>();
        var before = CpuSnapshot.Capture();
        if (what.Extends)
            BeginExtending();
        // The kernel counts what it has completed, and nothing else of this process is outstanding now.
        if (replica is null)
            _counter.Begin();
        var left = Clock.ToNanoseconds(duration);
        while (left > 0)
        {
            var round = what.Extends
                ? new CommitRound(what, _overwrittenEnd + start, Target.Size)
                : new CommitRound(what, start, _overwrittenEnd);
            var began = Clock.Now;
            sample = Add(sample, RunCommitters(what, pattern, round, replica, rates.Count == 0 ? WarmUp : 0, left, token), rates);
            left = round.IsFull ? left - Math.Max(1, Clock.Now - began) : 0;
            if (what.Extends)
                PlatformFiles.Current.Truncate(_target.File!.Handle, Path, _overwrittenEnd);
        }
        var after = CpuSnapshot.Capture();
        return sample with
        {
            CommitsPerSecond = rates.Sum(rate => rate.Rate * rate.Seconds) / Math.Max(1e-9, rates.Sum(rate => rate.Seconds)),
            Counts = replica is null ? _counter.End() : null,
            OtherCpuPercent = GetOtherCpuPercent(before, after),
            StolenCpuPercent = after.GetStolenSince(before),
        };
    }

    /// <summary>Warnings about the storage, except those about the size of the file, which a log rewrites anyway.</summary>
    public IEnumerable<IoWarning> GetWarnings()
    {
        string[] others = [WarningCodes.StorageCache, WarningCodes.FileCache, WarningCodes.NotDurable, WarningCodes.NoForcedUnitAccess];
        return Target
            .CreateWarnings(_specification, _specification.GetPattern(_specification.Targets[0]), role: null)
            .Where(warning => !others.Contains(warning.Code))
            .Concat(Target.Warnings)
            .DistinctBy(warning => warning.Code);
    }

    /// <summary>Returns a warning if the file was removed or replaced during the test; otherwise null.</summary>
    public IoWarning? FindFileChange() => _target.FindFileChange() is { } error ? new IoWarning(WarningCodes.TargetGone, error.Text) : null;

    /// <summary>Closes the ownership marker. Returns why it stays open, as a sentence for users; null if it was closed.</summary>
    public string? Close()
    {
        var session = _target.WriteSession!;
        if (session.Marker.State == OwnershipMarkerState.Making)
        {
            PlatformFiles.Current.Truncate(_target.File!.Handle, Path, _overwrittenEnd);
            WriteMarker(session.Marker with { State = OwnershipMarkerState.Open, Size = _overwrittenEnd, FilledBytes = _overwrittenEnd });
        }
        return _target.EndWriting();
    }

    public void Dispose()
    {
        _counter.Dispose();
        _target.Dispose();
    }

    // If the process is killed, the next run takes the file for one that was being created, and verifies and completes it.
    private void BeginExtending()
    {
        var marker = _target.WriteSession!.Marker;
        if (marker.State != OwnershipMarkerState.Making)
            WriteMarker(marker with { State = OwnershipMarkerState.Making, FilledBytes = _overwrittenEnd });
        PlatformFiles.Current.Truncate(_target.File!.Handle, Path, _overwrittenEnd);
    }

    private void WriteMarker(OwnershipMarker marker)
    {
        OwnershipMarker.WriteText(_target.File!.Handle, Path, marker.ToText());
        _target.WriteSession!.ReplaceMarker(marker);
    }

    private List<Committer> RunCommitters(
        CommitCase what,
        IoPattern pattern,
        CommitRound round,
        ReplicaClient? replica,
        long warmUp,
        long duration,
        CancellationToken token
    )
    {
        var committers = new List<Committer>();
        try
        {
            for (var i = 0; i < what.Committers; i++)
                committers.Add(CreateCommitter(what, round, pattern, i, replica, token));
            round.Begin = Clock.Now + warmUp;
            round.End = round.Begin + duration;
            var threads = committers.ConvertAll(committer => new Thread(committer.Run) { IsBackground = true, Name = "IoBench committer" });
            threads.ForEach(thread => thread.Start());
            foreach (var thread in threads)
                while (!thread.Join(s_pollInterval))
                    if (token.IsCancellationRequested)
                    {
                        round.Stop();
                        committers.ForEach(committer => committer.Cancel());
                    }
            token.ThrowIfCancellationRequested();
            if (committers.Select(committer => committer.Failure).FirstOrDefault(failure => failure is not null) is { } error)
                throw error;
        }
        finally
        {
            committers.ForEach(committer => committer.Dispose());
        }
        return committers;
    }

    private static CommitSample Add(CommitSample sample, List<Committer> committers, List<(double Rate, double Seconds)> rates)
    {
        foreach (var committer in committers)
        {
            sample.Latencies.Add(committer.Latencies);
            if (committer.Replica is { } parts)
                sample.Replica!.Add(parts);
        }
        var rate = committers.Sum(committer => committer.Rate);
        rates.Add((rate, rate > 0 ? committers.Sum(committer => committer.Latencies.Count) / rate : 0));
        return sample with
        {
            Writes = sample.Writes + committers.Sum(committer => committer.Writes),
            FlushCalls = sample.FlushCalls + committers.Sum(committer => committer.FlushCalls),
        };
    }

    internal ReplicaFacts GetReplicaFacts() =>
        new()
        {
            Host = Dns.GetHostName(),
            Path = Path,
            IsWindows = OperatingSystem.IsWindows(),
            FileSystem = Target.FileSystem,
            Device = Target.Device,
            LogicalSectorSize = Target.LogicalSectorSize,
            PhysicalSectorSize = PhysicalSectorSize,
            IsInMemory = IsInMemory,
            IsNetwork = IsNetwork,
        };

    internal RedoLoad CreateRedoLoad(long start, long end) => new(_target, start, end);

    private Committer CreateCommitter(
        CommitCase what,
        CommitRound round,
        IoPattern pattern,
        int number,
        ReplicaClient? replica,
        CancellationToken token
    )
    {
        var writer = CreateWriter(what.Method, round.Group, pattern, number);
        try
        {
            return replica is null
                ? new Committer(round, writer)
                : new ReplicatedCommitter(round, writer, replica, replica.OpenStream(what, token), what.WriteSize);
        }
        catch
        {
            writer.Dispose();
            throw;
        }
    }

    internal LogWriter CreateWriter(CommitMethod method, FlushGroup group, IoPattern pattern, int number)
    {
        var handle = _target.OpenHandle(pattern, ThreadsBackend.Descriptor);
        try
        {
            return new LogWriter(method, group, handle, pattern, Target.ContentSeed, number);
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    internal static IoPattern CreatePattern(CommitMethod method, int writeSize) =>
        new()
        {
            BlockSize = writeSize,
            WritePercent = 100,
            ThreadCount = 1,
            OutstandingIO = 1,
            AccessPattern = IoAccessPattern.Sequential,
            Buffering = method switch
            {
                CommitMethod.WriteThrough => IoBuffering.None,
                CommitMethod.BufferedFlush => IoBuffering.Both,
                _ => IoBuffering.Hardware,
            },
        };

    private static double? GetOtherCpuPercent(CpuSnapshot before, CpuSnapshot after)
    {
        var elapsed = (after.Timestamp - before.Timestamp) / (double)Clock.Second;
        return after.GetUsageSince(before) is { } usage && elapsed > 0
            ? Math.Clamp(usage - 100 * (after.ProcessSeconds - before.ProcessSeconds) / (elapsed * Environment.ProcessorCount), 0, 100)
            : null;
    }

    private static long AlignDown(long size) => size / BlockHeader.BlockSize * BlockHeader.BlockSize;
}
