using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class CmdletOutput
{
    /// <summary>A stopped pipeline is not an error, because the cmdlet's token ends the work.</summary>
    public static void WriteUnlessStopped(this Cmdlet cmdlet, Action write)
    {
        if (cmdlet.Stopping)
            return;
        try
        {
            write();
        }
        catch (PipelineStoppedException) when (cmdlet.Stopping)
        {
            // The pipeline stopped between the check and the write.
        }
    }

    /// <summary>Progress of a test or of its file. The ids differ, so that one progress bar does not replace another.</summary>
    public const int RunProgressId = 7350;

    public const int ImportProgressId = 7351;

    /// <summary>Writes a line as Write-Host does: visible at a prompt and in the output of a job, silent with <c>6>$null</c>.</summary>
    public static void WriteHostLine(this Cmdlet cmdlet, string text) =>
        cmdlet.WriteInformation(new HostInformationMessage { Message = SafeText.Escape(text) }, ["PSHOST", "IoBench"]);

    /// <summary>Locks the file of -MetricsPath; null without one, or with -WhatIf of the caller.</summary>
    public static MetricsFile? ReserveMetrics(this PSCmdlet cmdlet, string? path) =>
        string.IsNullOrEmpty(path) || UserPrompts.IsWhatIf(cmdlet)
            ? null
            : MetricsFile.Reserve(PathResolver.ResolveOutputPath(cmdlet.SessionState, path));
}
