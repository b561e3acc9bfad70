namespace IoBench.Formats.Results;

/// <summary>Where a test comes from, and what the old tool was to print: kept beside the specification for writers and people. Of a run only its seed depends on it.</summary>
public sealed record TestOrigin : IoTestExtension
{
    /// <summary>The old tool's command line.</summary>
    public string? CommandLine { get; set; }

    /// <summary>The file of that command line.</summary>
    public string? SourceFile { get; set; }

    /// <summary>The line in that file, from 1.</summary>
    public int? SourceLine { get; set; }

    /// <summary>Where the command line redirected its output (<c>&gt;</c> or <c>&gt;&gt;</c>).</summary>
    public string? OutputFile { get; set; }

    /// <summary>What DiskSpd was asked to print; null when the test does not come from DiskSpd.</summary>
    public DiskSpdOptions? DiskSpd { get; set; }

    /// <summary>What SQLIO was asked to print; null when the test does not come from SQLIO.</summary>
    public SqlioOptions? Sqlio { get; set; }

    /// <inheritdoc/>
    public override bool FixesSeed => DiskSpd is not null || Sqlio is not null;

    /// <summary>DiskSpd prints a line per interval.</summary>
    public override bool KeepsTimelineInterval => DiskSpd is not null;

    /// <inheritdoc/>
    public override IoTestExtension Copy() =>
        this with
        {
            DiskSpd = DiskSpd is null ? null : DiskSpd with { Version23 = DiskSpd.Version23 is null ? null : DiskSpd.Version23 with { } },
            Sqlio = Sqlio is null ? null : Sqlio with { },
        };
}

/// <summary>The origin of a test.</summary>
public static class TestOrigins
{
    /// <summary>Where a test comes from; an empty one is put beside a test that has none.</summary>
    public static TestOrigin Origin(this IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        if (test.Extension is not TestOrigin origin)
            test.Extension = origin = new TestOrigin();
        return origin;
    }
}
