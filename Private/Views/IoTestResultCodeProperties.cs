using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>IoBench.Types.ps1xml names these methods, because code properties load faster than script properties.</summary>
public static class IoTestResultCodeProperties
{
    public static string? CommandLine(PSObject test) => GetOrigin(test)?.CommandLine;

    public static string? SourceFile(PSObject test) => GetOrigin(test)?.SourceFile;

    /// <summary>Returns the line in that file, from 1.</summary>
    public static int? SourceLine(PSObject test) => GetOrigin(test)?.SourceLine;

    public static string? OutputFile(PSObject test) => GetOrigin(test)?.OutputFile;

    private static TestOrigin? GetOrigin(PSObject? test) => (test?.BaseObject as IoTestSpecification)?.Extension as TestOrigin;
}
