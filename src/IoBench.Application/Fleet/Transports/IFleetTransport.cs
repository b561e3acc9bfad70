namespace IoBench.Application;

/// <param name="Plan">Tests of the host as one line of JSON.</param>
public sealed record MemberStartInfo(string Group, string Plan);

/// <summary>Receives the output of a member, on any thread.</summary>
public interface IFleetMessageHandler
{
    /// <param name="line">The line in UTF-8, without a line break.</param>
    void OnLine(ReadOnlySpan<byte> line);

    /// <param name="reason">Last error of the connection; null if unknown.</param>
    void OnClosed(string? reason);
}

public interface IMemberConnection : IDisposable
{
    /// <summary>Sends a line. Does nothing if the connection is closed; <see cref="IFleetMessageHandler.OnClosed"/> reports that.</summary>
    void Send(string line);

    /// <summary>Closes the input of the member, which ends the member.</summary>
    void Close();
}

public interface IFleetTransport
{
    /// <summary>Starts a member and returns at once. Errors are reported to <paramref name="handler"/>.</summary>
    IMemberConnection Open(FleetHost host, MemberStartInfo launch, IFleetMessageHandler handler);
}
