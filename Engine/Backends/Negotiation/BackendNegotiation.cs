namespace IoBench.Engine.Backends.Negotiation;

/// <summary>
/// Which backend runs: the one that was asked for or, for Auto, the best that can carry the whole run. Tried with the run's real need, never guessed from a
/// version; what refuses costs Auto one rung, for all workers alike.
/// </summary>
internal sealed class BackendNegotiation
{
    private readonly string _asked;
    private readonly IoPolling _polling;
    private readonly Action<string>? _log;
    private readonly List<string> _passedOver = [];
    private readonly Queue<BackendDescriptor> _rungs;

    /// <summary>Finds the best backend that works here at all.</summary>
    /// <param name="asked">The one that was asked for, or Auto.</param>
    /// <param name="polling">Who polls: what cannot is left out.</param>
    /// <param name="log">Receives why better ones are not used; null = nobody listens.</param>
    /// <exception cref="IoBenchException"><c>IoBench.BackendNotAvailable</c>: the one asked for does not work here.</exception>
    public BackendNegotiation(string asked, IoPolling polling = IoPolling.None, Action<string>? log = null)
    {
        (_asked, _polling) = (asked, polling);
        _log = log;
        _rungs = new(
            BackendCatalog.All.Where(b =>
                asked == BackendCatalog.Auto
                    ? b is { BelongsHere: true, IsModelled: false, IsOnRequestOnly: false } && (polling == IoPolling.None || b.CanPoll)
                    : b.Name == asked
            )
        );
        if (_rungs.Count == 0)
            throw IoBenchException.Usage(
                "IoBench.BackendNotAvailable",
                $"{Opt.Polling.With(polling)} cannot be used: io_uring is a part of Linux."
            );
        while (_rungs.Peek().WhyNot() is { } reason)
            PassOver(reason);
    }

    /// <summary>The backend to use, as it looks now.</summary>
    public BackendDescriptor Kind => _rungs.Peek();

    /// <summary>Why better ones are not used, a sentence each.</summary>
    public IReadOnlyList<string> PassedOver => _passedOver;

    /// <summary>Goes down to the first backend that can carry a plan. What a budget refuses on every rung is the plan's own trouble.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.BackendNotAvailable</c>: the one asked for cannot; or what memory, threads or files do not allow.</exception>
    public void Choose(RunPlan plan)
    {
        while (true)
        {
            CheckBudget(plan);
            if (_rungs.Peek().WhyNotFor(plan) is not { } reason)
                return;
            PassOver(reason);
        }
    }

    /// <summary>Goes down because the run's own workers were refused.</summary>
    /// <exception cref="IoBenchException">As of <see cref="Choose"/>.</exception>
    public void GoDown(string reason, RunPlan plan)
    {
        PassOver(reason);
        Choose(plan);
    }

    private void CheckBudget(RunPlan plan)
    {
        List<(BackendDescriptor Rung, IoBenchException Error)> over = [];
        foreach (var rung in _rungs)
        {
            try
            {
                RunBudget.Check(plan, rung);
                over.ForEach(o => PassOver(o.Error.Message.TrimEnd('.')));
                return;
            }
            catch (IoBenchException e)
            {
                over.Add((rung, e));
            }
        }
        throw over[0].Error;
    }

    private void PassOver(string reason)
    {
        var refused = _rungs.Dequeue();
        // Nobody asked for a backend: what cannot be done is the polling.
        if (_asked == BackendCatalog.Auto && _rungs.Count == 0 && _polling != IoPolling.None)
            throw BackendRefusal.OfPolling(_polling, reason);
        if (_asked != BackendCatalog.Auto || _rungs.Count == 0)
            throw BackendRefusal.Error(refused, reason);
        _passedOver.Add($"{refused} is not used: {reason}.");
        _log?.Invoke(_passedOver[^1]);
    }
}
