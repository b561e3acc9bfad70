using System.Management.Automation;

namespace IoBench.PowerShell.Views;

/// <summary>
/// Where a test comes from, as properties of the test itself; null of one that was not read from an old tool's command line.
/// IoBench.Types.ps1xml names them: code costs an import less than scripts do.
/// </summary>
public static class SpecificationView
{
    /// <summary>The old tool's command line.</summary>
    public static string? CommandLine(PSObject test) => OriginOf(test)?.CommandLine;

    /// <summary>The file of that command line.</summary>
    public static string? SourceFile(PSObject test) => OriginOf(test)?.SourceFile;

    /// <summary>The line in that file, from 1.</summary>
    public static int? SourceLine(PSObject test) => OriginOf(test)?.SourceLine;

    /// <summary>Where the command line redirected its output.</summary>
    public static string? OutputFile(PSObject test) => OriginOf(test)?.OutputFile;

    private static TestOrigin? OriginOf(PSObject? test) => (test?.BaseObject as IoTestSpecification)?.Extension as TestOrigin;
}
