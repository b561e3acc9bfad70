using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Rate of a whole group, split evenly over the hosts that run a test together.</summary>
public sealed record GroupRate
{
    private static readonly OptionName s_iops = new("GroupIops"),
        s_limit = new("GroupMaxRate");

    /// <summary>Target rate of all hosts together in IOPS; null if not set.</summary>
    public double? Iops { get; init; }

    /// <summary>Maximum rate of all hosts together; null if not set.</summary>
    public IoRate? Limit { get; init; }

    public static GroupRate Create(OptionValues lead)
    {
        ArgumentNullException.ThrowIfNull(lead);
        var rate = new GroupRate { Iops = lead.GetValue<double>(s_iops), Limit = lead.GetValue<IoRate>(s_limit) };
        return rate is { Iops: not null, Limit: not null }
            ? throw IoBenchException.Usage("IoBench.ConflictingOptions", $"{s_iops} and {s_limit} cannot be combined.")
            : rate;
    }

    /// <summary>Splits the rate. A host with its own rate in the inventory keeps it, and the other hosts share the rest.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidRate</c>: nothing is left for the other hosts.</exception>
    public FleetPlan ApplyTo(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return this is { Iops: null, Limit: null }
            ? plan
            : plan.WithTests(work =>
                work.Host.Rate is not null ? work.Tests : [.. work.Tests.Select((test, number) => CreateHostTest(plan, test, number))]
            );
    }

    private IoTestSpecification CreateHostTest(FleetPlan plan, IoTestSpecification test, int number)
    {
        var together = plan.Work.Where(work => work.Tests.Count > number).ToList();
        var sharing = together.Where(work => work.Host.Rate is null).Sum(work => work.Tests[number].Targets.Count);
        var own = together
            .Where(work => work.Host.Rate is not null)
            .Sum(work => work.Tests[number].Targets.Sum(target => work.Tests[number].GetPattern(target).TargetIops ?? 0));
        var part = test.Clone();
        if (Iops is { } iops)
            SetOption(part, "TargetIops", GetRemainingRate(iops, own) / sharing);
        else
            SetOption(
                part,
                "MaxRate",
                Limit!.Value.Iops is { } count
                    ? IoRate.FromIops(GetRemainingRate(count, own) / sharing)
                    : IoRate.FromBytesPerSecond(Limit.Value.BytesPerSecond!.Value / sharing)
            );
        return part;
    }

    private static double GetRemainingRate(double all, double own) =>
        all > own
            ? all - own
            : throw IoBenchException.Usage(
                "IoBench.InvalidRate",
                $"The rates of hosts in the inventory add up to {own} IOPS, but the target rate of all hosts is {all} IOPS. No rate remains for the other hosts."
            );

    private static void SetOption(IoTestSpecification test, string option, object value) => OptionTables.Find(option)!.Apply(test, value);
}
