namespace IoBench.Application.Fleet.Inventories;

/// <summary>How a host is reached.</summary>
public enum FleetTransportKind
{
    /// <summary>By the ssh program, with keys.</summary>
    Ssh,

    /// <summary>A process on this computer.</summary>
    Local,
}

/// <summary>A host of a fleet: a row of its inventory.</summary>
public sealed record FleetHost
{
    /// <summary>Its name in the group; unique.</summary>
    public required string Name { get; init; }

    /// <summary>Where it is reached: a host name or address, with a user and a port where needed; null = its name.</summary>
    public string? Address { get; init; }

    /// <summary>The port of its ssh server; null = ssh's own choice.</summary>
    public int? Port { get; init; }

    /// <summary>The user; null = ssh's own choice.</summary>
    public string? User { get; init; }

    /// <summary>How it is reached.</summary>
    public FleetTransportKind Transport { get; init; }

    /// <summary>File or folder that is tested there; null = the one of the call.</summary>
    public string? Path { get; init; }

    /// <summary>Size of the test file; null = the one of the call.</summary>
    public string? Size { get; init; }

    /// <summary>I/Os per second that it is to do; null = what the call says.</summary>
    public string? Rate { get; init; }

    /// <summary>Workload or suite; null = the one of the call.</summary>
    public string? Workload { get; init; }

    /// <summary>The program there; null = the one of the call.</summary>
    public string? Program { get; init; }

    /// <summary>What is known of it beside: array, site, role.</summary>
    public IReadOnlyDictionary<string, string> Tags { get; init; } = new Dictionary<string, string>();

    /// <summary>Where it is reached.</summary>
    public string Place =>
        $"{(User is null ? "" : User + "@")}{Address ?? Name}{(Port is null ? "" : FormattableString.Invariant($":{Port}"))}";

    /// <summary>Name and place: <c>sql2 (127.0.0.2)</c>.</summary>
    public override string ToString() => Address is null || Address == Name ? Name : $"{Name} ({Address})";
}
