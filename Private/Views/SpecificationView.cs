using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// Properties of a test for its origin; null for a test that was not read from the command line of another tool. IoBench.Types.ps1xml names
/// these methods, because code properties load faster than script properties.
/// </summary>
public static class SpecificationView
{
    /// <summary>Returns the command line of the other tool.</summary>
    public static string? CommandLine(PSObject test) => OriginOf(test)?.CommandLine;

    /// <summary>Returns the file that contains the command line.</summary>
    public static string? SourceFile(PSObject test) => OriginOf(test)?.SourceFile;

    /// <summary>Returns the line in that file, from 1.</summary>
    public static int? SourceLine(PSObject test) => OriginOf(test)?.SourceLine;

    /// <summary>Returns the file to which the command line redirected its output.</summary>
    public static string? OutputFile(PSObject test) => OriginOf(test)?.OutputFile;

    private static TestOrigin? OriginOf(PSObject? test) => (test?.BaseObject as IoTestSpecification)?.Extension as TestOrigin;
}
