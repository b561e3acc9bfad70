namespace IoBench.Application;

/// <summary>A host of a fleet: one row of the inventory.</summary>
public sealed record FleetHost
{
    /// <summary>Unique name in the group.</summary>
    public required string Name { get; init; }

    /// <summary>Host name or IP address; null to use <see cref="Name"/>.</summary>
    public string? Address { get; init; }

    /// <summary>Port of the ssh server; null for the default of ssh.</summary>
    public int? Port { get; init; }

    /// <summary>User name; null for the default of ssh.</summary>
    public string? User { get; init; }

    /// <summary>True if the member is a process on this computer; false to connect with ssh.</summary>
    public bool IsLocal { get; init; }

    /// <summary>File or folder to test; null for the path of the command.</summary>
    public string? Path { get; init; }

    /// <summary>Size of the test file; null for the size of the command.</summary>
    public string? Size { get; init; }

    /// <summary>Target rate in IOPS; null for the rate of the command.</summary>
    public string? Rate { get; init; }

    /// <summary>Workload or suite; null for the workload of the command.</summary>
    public string? Workload { get; init; }

    /// <summary>Program on the host; null for the program of the command.</summary>
    public string? Program { get; init; }

    /// <summary>Other columns of the inventory, such as array, site, or role.</summary>
    public IReadOnlyDictionary<string, string> Tags { get; init; } = new Dictionary<string, string>();

    /// <summary>Address or name for a program that connects to the host; an IPv6 address is without brackets.</summary>
    internal string ConnectionName => InventoryNames.RemoveBrackets(Address ?? Name);

    /// <summary>Name and address: <c>sql2 (127.0.0.2)</c>.</summary>
    public override string ToString() => Address is null || Address == Name ? Name : $"{Name} ({Address})";
}
