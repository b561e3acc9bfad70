using System.Management.Automation;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>Writing to the streams of a pipeline that Ctrl+C may end at any moment.</summary>
internal static class StoppedPipeline
{
    /// <summary>Writes; a stopped pipeline takes nothing any more, which is no error: the cmdlet's token ends its work.</summary>
    public static void UnlessStopped(this Cmdlet cmdlet, Action write)
    {
        if (cmdlet.Stopping)
            return;
        try
        {
            write();
        }
        catch (PipelineStoppedException) when (cmdlet.Stopping)
        {
            // Stopped between the two.
        }
    }
}
