using IoBench.Engine;

namespace IoBench.Application;

public sealed record FleetOptions
{
    internal static readonly TimeSpan DefaultHostTimeout = TimeSpan.FromSeconds(90);

    public required string Group { get; init; }

    /// <summary>Number of hosts that are enough to start a test without the late hosts; null waits for every host that responds.</summary>
    public int? MinHosts { get; init; }

    /// <summary>Time without a message after which a host is lost. With <see cref="MinHosts"/>, also the longest wait for late hosts.</summary>
    public TimeSpan HostTimeout { get; init; } = DefaultHostTimeout;

    /// <summary>IoBench version that members must have; null accepts any version.</summary>
    public string? Version { get; init; } = IoTestResult.OwnVersion;

    /// <summary>Text that results carry if some hosts of the group did not run with them; null if all hosts ran.</summary>
    public string? Mark { get; init; }

    /// <summary>True if the hosts start each test at the same moment, and all stop if one ends a test because of its latency. Otherwise,
    /// each test starts when all hosts are ready for it, and each host has its own results.</summary>
    public bool IsSynchronized { get; init; } = true;
}
