namespace IoBench.Application.SelfTest.Ends;

/// <summary>How a program is asked to end, or made to.</summary>
public enum ProgramEnd
{
    /// <summary>Ctrl+C; on Linux SIGINT.</summary>
    Interrupt,

    /// <summary>Ctrl+Break, on Windows.</summary>
    Break,

    /// <summary>SIGTERM, on Linux.</summary>
    Terminate,

    /// <summary>TerminateProcess; on Linux SIGKILL.</summary>
    Kill,
}
