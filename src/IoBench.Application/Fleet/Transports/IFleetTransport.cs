namespace IoBench.Application.Fleet.Transports;

/// <summary>What a member is started with.</summary>
/// <param name="Plan">The host's tests, one line of JSON.</param>
/// <param name="Force">It may use files that IoBench did not make.</param>
public sealed record FleetLaunch(string Group, string Plan, bool Force);

/// <summary>Hears a host's line; called on any thread.</summary>
public interface IFleetEar
{
    /// <summary>The host printed a line.</summary>
    /// <param name="line">The line in UTF-8, without its end.</param>
    void Heard(ReadOnlySpan<byte> line);

    /// <summary>Nothing more comes.</summary>
    /// <param name="reason">Why, where it is known: what the way to the host said last.</param>
    void Closed(string? reason);
}

/// <summary>A line to a member that was started.</summary>
public interface IFleetLine : IDisposable
{
    /// <summary>Sends a line; one that is closed already takes it silently: <see cref="IFleetEar.Closed"/> says so.</summary>
    void Send(string line);

    /// <summary>Closes our end: the member ends by that.</summary>
    void Close();
}

/// <summary>A way to hosts: starts a member there and carries lines both ways.</summary>
public interface IFleetTransport
{
    /// <summary>Starts a member; returns at once, and what becomes of it is heard.</summary>
    IFleetLine Open(FleetHost host, FleetLaunch launch, IFleetEar ear);
}
