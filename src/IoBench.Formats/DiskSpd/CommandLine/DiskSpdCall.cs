using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A call of DiskSpd: what to run and how to print the results.</summary>
public sealed class DiskSpdCall
{
    /// <summary>Tests: one for a command line, one per timespan for a profile. Empty if the call requests help.</summary>
    public IReadOnlyList<IoTestSpecification> Specifications { get; init; } = [];

    /// <summary>
    /// Format of the results (<c>-R</c>): <see cref="IoBench.Formats.ResultFormat.DiskSpd"/> or
    /// <see cref="IoBench.Formats.ResultFormat.DiskSpdXml"/>.
    /// </summary>
    public ResultFormat ResultFormat { get; init; } = ResultFormat.DiskSpd;

    /// <summary>Whether to print the profile without running it (<c>-Rp</c>).</summary>
    public bool ProfileOnly { get; init; }

    /// <summary>Whether the call requests help: <c>-?</c> (exit code 0), or no arguments at all (exit code 3).</summary>
    public bool ShowsUsage { get; init; }

    /// <summary>Whether to print the system information without running a test (<c>-Rs</c>).</summary>
    public bool SystemOnly { get; init; }

    /// <summary>Options that have no effect or that are interpreted in an unexpected way, one line each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
