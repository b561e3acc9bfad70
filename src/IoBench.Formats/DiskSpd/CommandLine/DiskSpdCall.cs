namespace IoBench.Formats.DiskSpd.CommandLine;

/// <summary>One call of DiskSpd: what to run and how to show it.</summary>
public sealed class DiskSpdCall
{
    /// <summary>The runs: one for a command line, one per timespan for a profile. Empty when help was asked for.</summary>
    public IReadOnlyList<IoTestSpecification> Specifications { get; init; } = [];

    /// <summary>How results are to be shown (<c>-R</c>): <see cref="IoBench.Formats.Results.ResultFormat.DiskSpd"/> or <see cref="IoBench.Formats.Results.ResultFormat.DiskSpdXml"/>.</summary>
    public ResultFormat ResultFormat { get; init; } = ResultFormat.DiskSpd;

    /// <summary>Show the profile and run nothing (<c>-Rp</c>).</summary>
    public bool ProfileOnly { get; init; }

    /// <summary>Help was asked for: <c>-?</c> (exit code 0), or no arguments at all (exit code 3).</summary>
    public bool ShowsUsage { get; init; }

    /// <summary>Show the computer and run nothing (<c>-Rs</c>).</summary>
    public bool SystemOnly { get; init; }

    /// <summary>What of the call has no effect or is read in an unexpected way; a line each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
