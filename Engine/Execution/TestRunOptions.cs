namespace IoBench.Engine;

/// <summary>What the caller allows and wants to hear: of the run, not of the test.</summary>
public sealed class TestRunOptions
{
    /// <summary>Use a file that IoBench did not make. Never holds for SQL Server's files, nor for a device with data on it.</summary>
    public bool Force { get; set; }

    /// <summary>The caller has asked the user whether a SQL Server file may be read, or its volume be loaded.</summary>
    public bool AllowSqlServerRead { get; set; }

    /// <summary>Take no intermediate percentiles: nothing but the measurement itself runs.</summary>
    public bool Quiet { get; set; }

    /// <summary>Told what is really done (file, backend, flags), a line each; null = nobody listens. Called on the run's own thread.</summary>
    public Action<string>? Log { get; set; }
}
