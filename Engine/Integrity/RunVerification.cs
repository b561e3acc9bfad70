namespace IoBench.Engine;

internal sealed partial class RunVerification : IDisposable
{
    private readonly IntegrityTarget[] _targets;
    private readonly List<StreamVerifier> _streams = [];
    private readonly WitnessWriter? _witness;
    private IoIntegrityPass? _first;
    private IoIntegrityPass? _final;

    public RunVerification(RunPlan plan, IReadOnlyList<OpenTarget> open, string? witness, Action<IoIntegrityError>? found = null)
    {
        Log = new IntegrityErrorLog { ErrorFound = found, IsChangedOutside = target => _targets![target].IsChangedOutside };
        GroupSize = GetGroupSize(plan.Specification);
        var run = BitConverter.ToUInt16(CryptoLibrary.GetRandomBytes(sizeof(ushort)));
        _targets = new IntegrityTarget[open.Count];
        try
        {
            for (var i = 0; i < open.Count; i++)
            {
                var pattern = plan.Specification.GetPattern(plan.Specification.Targets[i]);
                var largest = plan.Workers.Max(w => w.LargestBlock);
                var compressible = pattern.WriteContent == IoWriteContentKind.Random ? pattern.CompressiblePercent : 0;
                _targets[i] = new IntegrityTarget(
                    i,
                    open[i],
                    GroupSize,
                    (int)largest,
                    new VerifiableContent(open[i].Target.ContentSeed, run, compressible)
                )
                {
                    IsWritten = pattern.WritePercent > 0,
                };
            }
        }
        catch
        {
            Dispose();
            throw;
        }
        try
        {
            _witness = WitnessWriter.Open(plan, open, _targets, witness);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public IntegrityErrorLog Log { get; }

    public int GroupSize { get; }

    /// <summary>Call once per stream, before the run.</summary>
    public StreamVerifier CreateStreamVerifier(StreamPlan plan)
    {
        var checks = new StreamVerifier(_targets[plan.TargetIndex], Log, plan.Thread, _witness?.CreateQueue(plan));
        _streams.Add(checks);
        return checks;
    }

    /// <summary>Reads all targets before the test. Damage is then in <see cref="Log"/>.</summary>
    public void RunFirstPass(Action<string, long, long>? report, CancellationToken token)
    {
        _first = VerificationPass.Run(_targets, Log, isFirst: true, report, token);
        lock (Log.SyncRoot)
        {
            var unverified = _targets.Sum(GetUnverifiedBytes);
            _first.InitialContent =
                unverified == 0 && Log.Count == 0 ? IoInitialContent.Proved
                : unverified == _first.ByteCount ? IoInitialContent.Learned
                : IoInitialContent.PartlyProved;
        }
    }

    /// <summary>Call before the first write of the test.</summary>
    public void BeginWriting()
    {
        ReportOutsideWrites();
        foreach (var target in _targets.Where(t => t.IsWritten))
            target.EndIdlePhase();
    }

    public void StartWitness(Action<IoBenchException> failed) => _witness?.Start(failed);

    public void FinishWitness(CancellationToken token) => _witness?.Finish(token);

    public void RunFinalPass(Action<string, long, long>? report, CancellationToken token) =>
        _final = VerificationPass.Run(_targets, Log, isFirst: false, report, token);

    /// <summary>Reports the targets that another program wrote to while the test itself did not.</summary>
    public void ReportOutsideWrites()
    {
        lock (Log.SyncRoot)
            foreach (var target in _targets.Where(t => t.IsWrittenOutside))
                Log.AddUnverified(
                    target.Index,
                    new IoUnverifiedContent
                    {
                        Path = target.Path,
                        Reason = IoUnverifiedReason.WrittenDuringTest,
                        ByteCount = Math.Max(0, target.Size - GetUnverifiedBytes(target)),
                    }
                );
    }

    public IEnumerable<int> FailedTargets => Log.FailedTargets;

    /// <summary>Describes changes by other programs during the test that do not concern the content.</summary>
    public IEnumerable<IoWarning> CreateChangeWarnings()
    {
        foreach (var target in _targets)
            if (target.DescribeOutsideChange() is { } change)
                yield return new IoWarning(
                    WarningCodes.ChangedFile,
                    $"Another program changed {target.Path} during the test: the file now {change}. Before the next write test, IoBench verifies the file and might refuse to use it. Remove the file, and use a new one."
                );
    }

    public IoIntegrity ToResult()
    {
        lock (Log.SyncRoot)
        {
            var result = Log.ToResult();
            result.ReadCount = _streams.Sum(s => s.Reads);
            result.ReadBytes = _streams.Sum(s => s.ReadBytes);
            result.WriteCount = _streams.Sum(s => s.Writes);
            result.WriteBytes = _streams.Sum(s => s.WriteBytes);
            result.FirstPass = _first;
            result.FinalPass = _final;
            result.MemoryBytes = _targets.Sum(t => t.Map.MemoryBytes);
            result.GroupSize = GroupSize;
            RemoveWrittenDeviceBytes(result);
            result.UnverifiedBytes = result.Unverified.Sum(u => u.ByteCount);
            result.VerifiedBytes = Math.Max(0, _targets.Sum(t => t.Size) - result.UnverifiedBytes);
            return result;
        }
    }

    private long GetUnverifiedBytes(IntegrityTarget target) => Math.Min(target.Size, Log.GetUnverifiedBytes(target.Index));

    // The content of a device before the test does not matter where the test has overwritten it.
    private void RemoveWrittenDeviceBytes(IoIntegrity result)
    {
        foreach (var target in _targets.Where(t => t is { IsDevice: true, IsWritten: true }))
        {
            if (
                _final is null
                || result.Unverified.Find(u => u.Reason == IoUnverifiedReason.Device && u.Path == target.Path) is not { } held
            )
                continue;
            held.ByteCount = target.Map.CountUnwrittenGroups() * GroupSize;
            if (held.ByteCount == 0)
                result.Unverified.Remove(held);
        }
    }

    public void Dispose()
    {
        foreach (var target in _targets)
            target?.Dispose();
        _witness?.Dispose();
    }
}
