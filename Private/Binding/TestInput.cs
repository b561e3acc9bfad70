using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>One path or one test; <see cref="Path"/> is null for the paths of the test.</summary>
internal sealed record TestInput(string? Path, OptionValues Values)
{
    public IoTestSpecification? Test { get; init; }

    public string? Workload { get; init; }

    /// <summary>True if a pipeline object specified more than a path. An error in its settings then affects this object only.</summary>
    public bool HasOwnSettings { get; init; }

    public string Subject => Path ?? string.Join("; ", (Test?.Targets ?? []).Select(target => target.Path));

    public PlanRequest ToPlanRequest()
    {
        var request = new PlanRequest(Path is null ? [] : [Path], Values);
        if (Test is not null)
            request.Specifications = [Test];
        if (Workload is not null)
            request.Workloads = [Workload];
        return request;
    }
}
