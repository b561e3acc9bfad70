namespace IoBench.Engine.Running;

/// <summary>The targets that a run has open, from their preparation to its end.</summary>
internal sealed class RunTargets : IDisposable
{
    private readonly List<OpenTarget> _open = [];

    /// <summary>All of them, in the specification's order.</summary>
    public IReadOnlyList<OpenTarget> Open => _open;

    /// <summary>Adds the next one.</summary>
    public void Add(OpenTarget target) => _open.Add(target);

    /// <summary>Opens the marks of those that the run writes to.</summary>
    public void BeginWriting(RunPlan plan)
    {
        foreach (var stream in plan.Workers.SelectMany(w => w.Streams).DistinctBy(l => l.TargetIndex).OrderBy(l => l.TargetIndex))
            if (stream.Pattern.WritePercent > 0)
                _open[stream.TargetIndex].BeginWriting(stream.Pattern, stream.ContentSource);
    }

    /// <summary>Closes the marks; returns what people should know of those that stay open.</summary>
    /// <param name="isAwaited">Somebody has ended the run and waits.</param>
    public List<string> End(bool isAwaited) => [.. _open.Select(t => t.End(isAwaited)).OfType<string>()];

    /// <summary>Gives all back; a file with I/O in flight stays open until that has come back.</summary>
    public void Dispose() => _open.ForEach(t => t.Dispose());
}
