namespace IoBench.Application.Fleet.Control;

/// <summary>How a fleet is led.</summary>
public sealed record FleetOptions
{
    /// <summary>Names the group.</summary>
    public required string Group { get; init; }

    /// <summary>A test begins with so many hosts, and those that are late then are left behind; null = it waits for every host that answers.</summary>
    public int? MinHosts { get; init; }

    /// <summary>A host that says nothing for so long is lost; with <see cref="MinHosts"/> also how long late ones are waited for.</summary>
    public TimeSpan HostTimeout { get; init; } = TimeSpan.FromSeconds(90);

    /// <summary>The shortest time between the last host that is armed and the start.</summary>
    public TimeSpan Lead { get; init; } = TimeSpan.FromMilliseconds(300);

    /// <summary>Lines that are opened at the same time.</summary>
    public int OpenAtOnce { get; init; } = 32;

    /// <summary>The version that members must have; null = any.</summary>
    public string? Version { get; init; } = IoTestResult.OwnVersion;

    /// <summary>What the results say of hosts that did not run with them; null = all ran that belong to them.</summary>
    public string? Mark { get; init; }

    /// <summary>When one host ends a test because of its latency, all hosts end.</summary>
    public bool StopsTogether { get; init; } = true;

    /// <summary>The options of <see cref="OptionTables.FleetLead"/> as they were given.</summary>
    public static FleetOptions Create(string group, OptionValues values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var options = new FleetOptions { Group = group, MinHosts = values.Value<int>(new OptionName("MinHosts")) };
        return values.Value<TimeSpan>(new OptionName("HostTimeout")) is { } time ? options with { HostTimeout = time } : options;
    }
}
