namespace IoBench.Engine;

internal sealed class RunIntegrity : IDisposable
{
    private readonly TargetIntegrity[] _targets;
    private readonly List<StreamChecks> _streams = [];
    private readonly Witness? _witness;
    private IoIntegrityPass? _first;
    private IoIntegrityPass? _final;

    public RunIntegrity(RunPlan plan, IReadOnlyList<OpenTarget> open, string? witness, Action<IoIntegrityError>? found = null)
    {
        Log = new IntegrityLog { Found = found };
        GroupSize = GroupSizeOf(plan);
        var run = BitConverter.ToUInt16(CryptoLibrary.RandomBytes(sizeof(ushort)));
        _targets = new TargetIntegrity[open.Count];
        try
        {
            for (var i = 0; i < open.Count; i++)
            {
                var pattern = plan.Specification.PatternOf(plan.Specification.Targets[i]);
                var largest = plan.Workers.Max(w => w.LargestBlock);
                var compressible = pattern.Content is IoContent.Random random ? random.CompressiblePercent : 0;
                _targets[i] = new TargetIntegrity(
                    i,
                    open[i],
                    GroupSize,
                    (int)largest,
                    new CheckedContent(open[i].Target.ContentSeed, run, compressible)
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
            _witness = Witness.Open(plan, open, _targets, witness);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public IntegrityLog Log { get; }

    public int GroupSize { get; }

    public static int GroupSizeOf(RunPlan plan) => IntegrityRules.GroupSizeOf(plan.Specification);

    /// <summary>Creates the verifier of a stream. Call once per stream, before the run.</summary>
    public StreamChecks ChecksOf(StreamPlan plan)
    {
        var checks = new StreamChecks(_targets[plan.TargetIndex], Log, plan.Thread, _witness?.QueueOf(plan));
        _streams.Add(checks);
        return checks;
    }

    public void Learn(Action<string, long, long>? report, CancellationToken token) =>
        _first = IntegrityPass.Run(_targets, Log, isFirst: true, report, token);

    public void Begin(Action<IoBenchException> failed) => _witness?.Begin(failed);

    public void End() => _witness?.End();

    public void Compare(Action<string, long, long>? report, CancellationToken token) =>
        _final = IntegrityPass.Run(_targets, Log, isFirst: false, report, token);

    public IEnumerable<int> BadTargets => Log.Targets;

    public IoIntegrity ToResult()
    {
        lock (Log.Gate)
        {
            var result = Log.ToResult();
            result.ReadCount = _streams.Sum(s => s.Reads);
            result.ReadBytes = _streams.Sum(s => s.ReadBytes);
            result.WriteCount = _streams.Sum(s => s.Writes);
            result.WriteBytes = _streams.Sum(s => s.WriteBytes);
            (result.FirstPass, result.FinalPass) = (_first, _final);
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
