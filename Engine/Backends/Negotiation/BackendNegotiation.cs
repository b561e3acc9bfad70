namespace IoBench.Engine;

/// <summary>Selects the backend of a run by its real needs. If a backend is refused, Auto falls back for all workers.</summary>
internal sealed class BackendNegotiation
{
    private readonly string _asked;
    private readonly IoPolling _polling;
    private readonly Action<string>? _log;
    private readonly List<string> _skipped = [];
    private readonly Queue<BackendDescriptor> _candidates;

    /// <param name="log">Receives the reason for each skipped backend; can be null.</param>
    public BackendNegotiation(string asked, IoPolling polling = IoPolling.None, Action<string>? log = null)
    {
        _asked = asked;
        _polling = polling;
        _log = log;
        _candidates = new(
            BackendCatalog.All.Where(b =>
                asked == BackendCatalog.Auto
                    ? b is { RunsOnThisSystem: true, IsModeled: false, IsOnRequestOnly: false } && (polling == IoPolling.None || b.CanPoll)
                    : b.Name == asked
            )
        );
        if (_candidates.Count == 0)
            throw IoBenchException.Usage(
                "IoBench.BackendNotAvailable",
                $"{OptionNames.Polling.WithValue(polling)} cannot be used, because io_uring requires Linux."
            );
        while (_candidates.Peek().GetUnavailableReason() is { } reason)
            SkipBackend(reason);
    }

    public BackendDescriptor Kind => _candidates.Peek();

    public IReadOnlyList<string> SkippedBackends => _skipped;

    /// <summary>Falls back to the first backend that can run the plan. If none can, throws the error of the first one.</summary>
    public void Choose(RunPlan plan)
    {
        while (true)
        {
            CheckBudget(plan);
            if (_candidates.Peek().ProbePlan(plan) is not { } reason)
                return;
            SkipBackend(reason);
        }
    }

    public void FallBack(string reason, RunPlan plan)
    {
        SkipBackend(reason);
        Choose(plan);
    }

    private void CheckBudget(RunPlan plan)
    {
        List<(BackendDescriptor Candidate, IoBenchException Error)> over = [];
        foreach (var candidate in _candidates)
        {
            try
            {
                plan.CheckResources(candidate);
                over.ForEach(o => SkipBackend(o.Error.Message.TrimEnd('.')));
                return;
            }
            catch (IoBenchException e)
            {
                over.Add((candidate, e));
            }
        }
        throw over[0].Error;
    }

    private void SkipBackend(string reason)
    {
        var refused = _candidates.Dequeue();
        // The user did not request a backend, so the error names the polling.
        if (_asked == BackendCatalog.Auto && _candidates.Count == 0 && _polling != IoPolling.None)
            throw BackendRefusedException.CreatePollingError(_polling, reason);
        if (_asked != BackendCatalog.Auto || _candidates.Count == 0)
            throw BackendRefusedException.CreateError(refused, reason);
        _skipped.Add($"IoBench does not use {refused}: {reason}.");
        _log?.Invoke(_skipped[^1]);
    }

    /// <summary>Formats as <c>defer_taskrun, registered files; 3 of 4 with registered buffers</c>.</summary>
    public static string DescribeFeatures(IReadOnlyCollection<IReadOnlyList<string>> each)
    {
        var counts = each.SelectMany(parts => parts).GroupBy(part => part, StringComparer.Ordinal).ToArray();
        var all = string.Join(", ", counts.Where(part => part.Count() == each.Count).Select(part => part.Key));
        var some = string.Join(
            ", ",
            counts.Where(part => part.Count() < each.Count).Select(part => $"{part.Count()} of {each.Count} with {part.Key}")
        );
        return string.Join("; ", new[] { all, some }.Where(text => text.Length > 0));
    }
}

/// <summary>Inner exception of an error that another backend can avoid: the system refused what this backend needs.</summary>
internal sealed class BackendRefusedException(string reason) : Exception(reason)
{
    public static IoBenchException CreateError(BackendDescriptor kind, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{OptionNames.Backend.WithValue(kind)} cannot be used: {reason}.",
            null,
            new BackendRefusedException(reason),
            advice: $"Use {OptionNames.Backend.WithValue(BackendCatalog.Auto)}, so that IoBench chooses the backend."
        );

    public static IoBenchException CreatePollingError(IoPolling polling, string reason) =>
        IoBenchException.Failure(
            "IoBench.BackendNotAvailable",
            $"{OptionNames.Polling.WithValue(polling)} cannot be used: {reason}.",
            null,
            new BackendRefusedException(reason),
            advice: $"Remove {OptionNames.Polling}."
        );

    public static string? GetReason(IoBenchException error) => (error.InnerException as BackendRefusedException)?.Message;
}
