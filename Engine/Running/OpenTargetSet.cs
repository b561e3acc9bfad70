namespace IoBench.Engine;

internal sealed class OpenTargetSet : IDisposable
{
    private readonly List<OpenTarget> _open = [];

    public IReadOnlyList<OpenTarget> Targets => _open;

    public void Add(OpenTarget target) => _open.Add(target);

    public void BeginWriting(RunPlan plan)
    {
        foreach (var stream in plan.Workers.SelectMany(w => w.Streams).DistinctBy(l => l.TargetIndex).OrderBy(l => l.TargetIndex))
            if (stream.Pattern.WritePercent > 0)
                _open[stream.TargetIndex].BeginWriting(stream.Pattern, stream.ContentSource);
    }

    public List<string> CloseMarkers(bool isAwaited) => [.. _open.Select(t => t.EndWriting(isAwaited)).OfType<string>()];

    public void Dispose() => _open.ForEach(t => t.Dispose());
}
