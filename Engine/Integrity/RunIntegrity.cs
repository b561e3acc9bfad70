namespace IoBench.Engine.Integrity;

/// <summary>The checks of a run: what its targets must hold, and what was found wrong.</summary>
internal sealed class RunIntegrity : IDisposable
{
    private readonly TargetIntegrity[] _targets;
    private readonly List<StreamChecks> _streams = [];
    private readonly Witness? _witness;
    private IoIntegrityPass? _first;
    private IoIntegrityPass? _final;

    /// <summary>Checks of a run.</summary>
    /// <param name="witness">Where acknowledged writes are noted; null = nowhere.</param>
    /// <param name="found">Called with each error; for tests.</param>
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

    /// <summary>What was found.</summary>
    public IntegrityLog Log { get; }

    /// <summary>Bytes of a group of sectors.</summary>
    public int GroupSize { get; }

    /// <summary>Bytes of a group of sectors: 4 KB, or a sector where I/Os begin or end within 4 KB.</summary>
    public static int GroupSizeOf(RunPlan plan) => IntegrityRules.GroupSizeOf(plan.Specification);

    /// <summary>The checks of a thread's work on a target; called once for each, before the run.</summary>
    public StreamChecks ChecksOf(StreamPlan plan)
    {
        var checks = new StreamChecks(_targets[plan.TargetIndex], Log, plan.Thread, _witness?.QueueOf(plan));
        _streams.Add(checks);
        return checks;
    }

    /// <summary>Reads the targets to know what they hold.</summary>
    public void Learn(Action<string, long, long>? report, CancellationToken token) =>
        _first = IntegrityPass.Run(_targets, Log, isFirst: true, report, token);

    /// <summary>The workers are about to begin.</summary>
    public void Begin(Action<IoBenchException> failed) => _witness?.Begin(failed);

    /// <summary>The workers are at their end: what they acknowledged is noted.</summary>
    public void End() => _witness?.End();

    /// <summary>Reads the targets once more and compares.</summary>
    public void Compare(Action<string, long, long>? report, CancellationToken token) =>
        _final = IntegrityPass.Run(_targets, Log, isFirst: false, report, token);

    /// <summary>Numbers of the targets with errors.</summary>
    public IEnumerable<int> BadTargets => Log.Targets;

    /// <summary>What was found, with what was done.</summary>
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

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var target in _targets)
            target?.Dispose();
        _witness?.Dispose();
    }
}
