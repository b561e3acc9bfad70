using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Finds where a sweep over the load stops gaining.</summary>
[Cmdlet(VerbsDiagnostic.Measure, "IoSaturation", HelpUri = HelpPages.Root + "Measure-IoSaturation")]
[OutputType(typeof(SaturationResult))]
public sealed class MeasureIoSaturationCommand : ResultCmdlet
{
    /// <summary>The results of a sweep.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    /// <inheritdoc/>
    protected override void Process() => Collect(InputObject);

    /// <inheritdoc/>
    protected override void End()
    {
        foreach (var sweep in SaturationAnalysis.Analyze(Results))
        {
            // The table has no knee to show, and no room for what to do.
            if (!sweep.PlateauReached)
                WriteWarning(SafeText.Escape(sweep.Summary));
            foreach (var warning in sweep.Warnings)
                WriteWarning(warning);
            WriteObject(sweep);
        }
    }
}
