namespace IoBench.Engine;

internal sealed class RunVerification : IDisposable
{
    private readonly IntegrityTarget[] _targets;
    private readonly List<StreamVerifier> _streams = [];
    private readonly WitnessWriter? _witness;
    private IoIntegrityPass? _first;
    private IoIntegrityPass? _final;

    public RunVerification(RunPlan plan, IReadOnlyList<OpenTarget> open, string? witness, Action<IoIntegrityError>? found = null)
    {
        Log = new IntegrityErrorLog { ErrorFound = found };
        GroupSize = VerificationRules.GetGroupSize(plan.Specification);
        var run = BitConverter.ToUInt16(CryptoLibrary.GetRandomBytes(sizeof(ushort)));
        _targets = new IntegrityTarget[open.Count];
        try
        {
            for (var i = 0; i < open.Count; i++)
            {
                var pattern = plan.Specification.GetPattern(plan.Specification.Targets[i]);
                var largest = plan.Workers.Max(w => w.LargestBlock);
                var compressible = pattern.Content is IoContent.RandomBytes random ? random.CompressiblePercent : 0;
                _targets[i] = new IntegrityTarget(
                    i,
                    open[i],
                    GroupSize,
                    (int)largest,
                    new VerifiableContent(open[i].Target.ContentSeed, run, compressible)
                );
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

    public void RunFirstPass(Action<string, long, long>? report, CancellationToken token) =>
        _first = VerificationPass.Run(_targets, Log, isFirst: true, report, token);

    public void StartWitness(Action<IoBenchException> failed) => _witness?.Start(failed);

    public void FinishWitness(CancellationToken token) => _witness?.Finish(token);

    public void RunFinalPass(Action<string, long, long>? report, CancellationToken token) =>
        _final = VerificationPass.Run(_targets, Log, isFirst: false, report, token);

    public IEnumerable<int> FailedTargets => Log.FailedTargets;

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
            return result;
        }
    }

    public void Dispose()
    {
        foreach (var target in _targets)
            target?.Dispose();
        _witness?.Dispose();
    }
}
