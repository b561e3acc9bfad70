using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// Properties of a test for its origin; null for a test that was not read from the command line of another tool. IoBench.Types.ps1xml names
/// these methods, because code properties load faster than script properties.
/// </summary>
public static class TestOriginProperties
{
    /// <summary>Returns the command line of the other tool.</summary>
    public static string? CommandLine(PSObject test) => GetOrigin(test)?.CommandLine;

    /// <summary>Returns the file that contains the command line.</summary>
    public static string? SourceFile(PSObject test) => GetOrigin(test)?.SourceFile;

    /// <summary>Returns the line in that file, from 1.</summary>
    public static int? SourceLine(PSObject test) => GetOrigin(test)?.SourceLine;

    /// <summary>Returns the file to which the command line redirected its output.</summary>
    public static string? OutputFile(PSObject test) => GetOrigin(test)?.OutputFile;

    private static TestOrigin? GetOrigin(PSObject? test) => (test?.BaseObject as IoTestSpecification)?.Extension as TestOrigin;
}
