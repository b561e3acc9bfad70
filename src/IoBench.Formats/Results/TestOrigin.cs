using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Origin of a test, for writers and users. A run uses it only to decide about its seed and its interval length.</summary>
public sealed record TestOrigin : IoTestExtension
{
    public string? CommandLine { get; set; }

    /// <summary>File that contains the command line.</summary>
    public string? SourceFile { get; set; }

    /// <summary>Line in that file, from 1.</summary>
    public int? SourceLine { get; set; }

    /// <summary>File to which the command line redirected its output (<c>&gt;</c> or <c>&gt;&gt;</c>).</summary>
    public string? OutputFile { get; set; }

    /// <summary>Output options of DiskSpd; null if the test does not come from DiskSpd.</summary>
    public DiskSpdOptions? DiskSpd { get; set; }

    /// <summary>Output options of SQLIO; null if the test does not come from SQLIO.</summary>
    public SqlioOptions? Sqlio { get; set; }

    public override bool FixesSeed => DiskSpd is not null || Sqlio is not null;

    /// <summary>True for DiskSpd, which prints a line per interval.</summary>
    public override bool KeepsTimelineInterval => DiskSpd is not null;

    public override IoTestExtension Copy() => this with { DiskSpd = CopyDiskSpd(), Sqlio = Sqlio is null ? null : Sqlio with { } };

    private DiskSpdOptions? CopyDiskSpd()
    {
        if (DiskSpd is null)
            return null;
        return DiskSpd with { Version23 = DiskSpd.Version23 is null ? null : DiskSpd.Version23 with { } };
    }
}

public static class TestOriginExtensions
{
    /// <summary>Returns the origin of a test. If the test has none, adds an empty one.</summary>
    public static TestOrigin GetOrAddOrigin(this IoTestSpecification test)
    {
        ArgumentNullException.ThrowIfNull(test);
        if (test.Extension is not TestOrigin origin)
            test.Extension = origin = new TestOrigin();
        return origin;
    }
}
