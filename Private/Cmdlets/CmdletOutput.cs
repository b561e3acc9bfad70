using System.Management.Automation;

namespace IoBench.PowerShell;

internal static class CmdletOutput
{
    /// <summary>
    /// Writes unless the pipeline is stopped. A stopped pipeline is not an error, because the cmdlet's token ends the work.
    /// </summary>
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
}
