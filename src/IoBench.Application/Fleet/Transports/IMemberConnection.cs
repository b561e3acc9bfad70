namespace IoBench.Application;

public interface IMemberConnection : IDisposable
{
    /// <summary>Sends a line. Does nothing if the connection is closed.</summary>
    void Send(string line);

    /// <summary>Closes the input of the member, which ends the member.</summary>
    void Close();
}

/// <summary>Starts a member and returns at once. The handlers are called on any thread.</summary>
/// <param name="onLine">Receives a line of the member in UTF-8, without a line break. It is valid only during the call.</param>
/// <param name="onClosed">Receives the last error of the connection when it ends; null if unknown.</param>
public delegate IMemberConnection MemberStarter(
    HostWorkload work,
    string group,
    Action<ReadOnlyMemory<byte>> onLine,
    Action<string?> onClosed
);
