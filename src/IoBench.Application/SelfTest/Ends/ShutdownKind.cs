namespace IoBench.Application;

/// <summary>How the program is ended.</summary>
public enum ShutdownKind
{
    /// <summary>Ctrl+C; SIGINT on Linux.</summary>
    Interrupt,

    /// <summary>Ctrl+Break, on Windows.</summary>
    Break,

    /// <summary>SIGTERM, on Linux.</summary>
    Terminate,

    /// <summary>TerminateProcess; SIGKILL on Linux.</summary>
    Kill,
}
