namespace IoBench.PowerShell.Binding;

/// <summary>One place, or one test, that a call or an object of the pipeline asks for, with the settings that hold for it alone.</summary>
/// <param name="Path">The place; null = that of the test.</param>
/// <param name="Values">The settings.</param>
internal sealed record TestInput(string? Path, OptionValues Values)
{
    /// <summary>A test that is there already; null = none.</summary>
    public IoTestSpecification? Test { get; init; }

    /// <summary>Name of a workload that came as an object; null = none.</summary>
    public string? Workload { get; init; }

    /// <summary>An object of the pipeline said more than a place: what is wrong with that is wrong with this object alone.</summary>
    public bool HasOwnSettings { get; init; }

    /// <summary>What it is about, in words.</summary>
    public string Subject => Path ?? string.Join("; ", (Test?.Targets ?? []).Select(target => target.Path));

    /// <summary>The request for it.</summary>
    public PlanRequest ToRequest()
    {
        var request = new PlanRequest(Path is null ? [] : [Path], Values);
        if (Test is not null)
            request.Specifications = [Test];
        if (Workload is not null)
            request.Workloads = [Workload];
        return request;
    }
}
