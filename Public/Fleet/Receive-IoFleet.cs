using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <summary>Merges the output of members that started without a controller.</summary>
[Cmdlet(
    VerbsCommunications.Receive,
    "IoFleet",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Low,
    HelpUri = HelpPages.Root + "Receive-IoFleet"
)]
[OutputType(typeof(FleetGroup))]
public sealed class ReceiveIoFleetCommand : IoCmdlet
{
    private readonly List<string> _files = [];
    private string? _output;
    private bool _isDeclined;

    /// <summary>Output of the members, one file per host.</summary>
    [Parameter(Mandatory = true, Position = 0, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true)]
    [Alias("FullName")]
    [SupportsWildcards]
    [Input(InputRule.PathText)]
    public string[]? Path { get; set; }

    [Parameter]
    public string? Require { get; set; }

    /// <summary>JSON file for the results.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>Replaces an existing output file.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Begin()
    {
        if (Require is not null)
            _ = FleetRequirement.Parse(Require);
        if (string.IsNullOrEmpty(OutputPath))
            return;
        _output = PathResolver.ResolveOutputPath(SessionState, OutputPath);
        _isDeclined = !UserPrompts.IsWhatIf(this) && !UserPrompts.ConfirmReplace(Host, _output, Force);
    }

    protected override void Process()
    {
        _files.AddRange(
            PathResolver.ResolvePaths(
                SessionState,
                Path!,
                null,
                allowMissing: false,
                (error, name) => WriteNonTerminatingError(error, name)
            )
        );
    }

    protected override void End()
    {
        if (_isDeclined || _files.Count == 0)
            return;
        var result = FleetResult.ReadFiles(_files);
        var file = _output is not null && ShouldProcess(_output, "write the results") ? _output : null;
        using (var output = RunOutputs.Reserve(new OutputRequest { OutputPath = file, Force = true }))
            output.Results?.SaveStreamed(result.Whole);
        foreach (var failure in result.Failures.DistinctBy(failure => failure.ToString()))
            WriteNonTerminatingError(FleetCmdletObserver.CreateError(failure), failure.Host);
        new FleetCmdletObserver(this).WriteResult(result, Require);
    }
}
