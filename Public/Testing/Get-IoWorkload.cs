using System.Management.Automation;
using IoBench.Engine;
using IoBench.Workloads;

namespace IoBench.PowerShell;

/// <summary>Returns SQL Server's I/O patterns, and suites of them.</summary>
[Cmdlet(VerbsCommon.Get, "IoWorkload", DefaultParameterSetName = "Object", HelpUri = HelpPages.Root + "Get-IoWorkload")]
[OutputType(typeof(IoWorkload), ParameterSetName = ["Object"])]
[OutputType(typeof(IoTestSpecification), ParameterSetName = ["Specification"])]
public sealed class GetIoWorkloadCommand : IoCmdlet
{
    /// <summary>Names, with wildcards.</summary>
    [Parameter(Position = 0, ValueFromPipeline = true)]
    [SupportsWildcards]
    [ValidateNotNullOrEmpty]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string[] Name { get; set; } = ["*"];

    /// <summary>Only workloads of this kind.</summary>
    [Parameter(ParameterSetName = "Object")]
    [ValidateSet("Suite", "Workload", "Operation")]
    public string? Kind { get; set; }

    /// <summary>Returns the tests as specifications, which can be changed before Invoke-IoTest.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Specification")]
    public SwitchParameter AsSpecification { get; set; }

    protected override void Process()
    {
        foreach (var name in Name)
        {
            if (WildcardPattern.ContainsWildcardCharacters(name))
            {
                var pattern = WildcardPattern.Get(name, WildcardOptions.IgnoreCase);
                foreach (var workload in WorkloadCatalog.All.Where(workload => pattern.IsMatch(workload.Name)))
                    WriteWorkload(workload);
                continue;
            }
            IoWorkload? found = null;
            if (TryProcess(name, () => found = WorkloadCatalog.Find(name)))
                WriteWorkload(found!);
        }
    }

    private void WriteWorkload(IoWorkload workload)
    {
        if (AsSpecification)
            WriteObject(workload.CreateSpecifications(), enumerateCollection: true);
        else if (Kind is null || workload.Kind.ToString().Equals(Kind, StringComparison.OrdinalIgnoreCase))
            WriteObject(workload);
    }
}
