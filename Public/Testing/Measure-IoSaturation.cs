using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Finds the saturation point: the load above which the storage provides no more throughput.</summary>
[Cmdlet(VerbsDiagnostic.Measure, "IoSaturation", HelpUri = HelpPages.Root + "Measure-IoSaturation")]
[OutputType(typeof(SaturationResult))]
public sealed class MeasureIoSaturationCommand : ResultCmdlet
{
    /// <summary>The results of a sweep.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true)]
    [AllowEmptyCollection]
    public IoTestResult[]? InputObject { get; set; }

    protected override void Process() => AddResults(InputObject);

    protected override void End()
    {
        foreach (var sweep in SaturationResult.Analyze(Results))
        {
            // The table has no saturation point to show, and no room for advice.
            if (!sweep.PlateauReached)
                WriteWarning(SafeText.Escape(sweep.Summary));
            foreach (var warning in sweep.Warnings)
                WriteWarning(warning);
            WriteObject(sweep);
        }
    }
}
