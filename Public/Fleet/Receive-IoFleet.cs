using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Merges the results of detached members, from their hosts or from files on this computer.</summary>
[Cmdlet(
    VerbsCommunications.Receive,
    "IoFleet",
    DefaultParameterSetName = "Inventory",
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

    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Inventory")]
    public string[]? Inventory { get; set; }

    /// <summary>Group that Invoke-IoFleet -Detach returned.</summary>
    [Parameter(Mandatory = true, Position = 1, ParameterSetName = "Inventory")]
    public string? Group { get; set; }

    /// <summary>Output of the members, one file per host.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true, ParameterSetName = "Path")]
    [Alias("FullName")]
    [SupportsWildcards]
    [PathText]
    public string[]? Path { get; set; }

    [Parameter]
    [ValidateRange(1, 100_000)]
    public int MinHosts { get; set; }

    [Parameter(ParameterSetName = "Inventory")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration HostTimeout { get; set; }

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
        if (Path is not null)
            _files.AddRange(
                PathResolver.ResolvePaths(
                    SessionState,
                    Path,
                    null,
                    allowMissing: false,
                    (error, name) => WriteNonTerminatingError(error, name)
                )
            );
    }

    protected override void End()
    {
        if (_isDeclined)
            return;
        if (ParameterSetName == "Path")
        {
            if (_files.Count > 0)
                MergeFiles(_files, []);
            return;
        }
        using var folder = new TemporaryFetchFolder();
        var commands = new FleetSetup(CmdletParameterReader.ReadOptions(this, OptionTables.FleetLead)).CreateDetachedCommands(null);
        var (files, failures) = commands.FetchOutput(FleetHosts.ReadInventory(SessionState, Inventory!), Group!, folder.Path, StopToken);
        StopToken.ThrowIfCancellationRequested();
        if (files.Count > 0)
            MergeFiles(files, failures);
        else
            failures.ToList().ForEach(WriteFailure);
    }

    private void MergeFiles(IReadOnlyList<string> files, IReadOnlyList<FleetFailure> lost)
    {
        var result = MemberOutputReader.ReadResults(files, lost);
        var file = _output is not null && ShouldProcess(_output, "write the results") ? _output : null;
        using (var output = RunOutputs.Reserve(file, ResultFormat.Json, false, null, replace: true, []))
            output.Results?.SaveStreamed(result.Whole);
        foreach (var failure in result.Failures.DistinctBy(failure => failure.ToString()))
            WriteFailure(failure);
        new FleetCmdletObserver(this).WriteSummary(result, Require);
        foreach (var group in result.Groups)
            WriteObject(group);
        foreach (var ramp in result.Ramps)
            WriteObject(ramp);
    }

    private void WriteFailure(FleetFailure failure) => WriteNonTerminatingError(FleetCmdletObserver.CreateError(failure), failure.Host);
}
