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

    /// <summary>Inventory file (.csv, .json, or Ansible's .ini or .yml), or host names.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Inventory")]
    public string[]? Inventory { get; set; }

    /// <summary>Group that Invoke-IoFleet -Detach returned.</summary>
    [Parameter(Mandatory = true, Position = 1, ParameterSetName = "Inventory")]
    public string? Group { get; set; }

    /// <summary>Output of the members, one file per host.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true, ParameterSetName = "Path")]
    [Alias("FullName")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>Minimum number of hosts for a valid result.</summary>
    [Parameter]
    [ValidateRange(1, 100_000)]
    public int MinHosts { get; set; }

    /// <summary>Time without a message after which a host is skipped; default 90 seconds.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration HostTimeout { get; set; }

    /// <summary>Values to reach, such as "sum iops > 300000".</summary>
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
        _output = OutputPaths.Resolve(SessionState, OutputPath);
        _isDeclined = !UserPrompts.IsWhatIf(this) && !UserPrompts.MayReplace(Host, _output, Force);
    }

    protected override void Process()
    {
        if (Path is not null)
            _files.AddRange(InputPaths.Resolve(SessionState, Path, null, allowMissing: false, (error, name) => WriteProblem(error, name)));
    }

    protected override void End()
    {
        if (_isDeclined)
            return;
        if (ParameterSetName == "Path")
        {
            if (_files.Count > 0)
                Merge(_files, []);
            return;
        }
        using var folder = new FetchFolder();
        var hands = new FleetSetup(GivenOptions.Read(this, OptionTables.FleetLead)).Hands(null);
        var (files, failures) = hands.Fetch(FleetInventories.Read(SessionState, Inventory!), Group!, folder.Path, Stopped);
        Stopped.ThrowIfCancellationRequested();
        if (files.Count > 0)
            Merge(files, failures);
        else
            failures.ToList().ForEach(Fail);
    }

    private void Merge(IReadOnlyList<string> files, IReadOnlyList<FleetFailure> lost)
    {
        var answer = FleetFiles.Read(files, lost);
        using (
            var output = RunOutputs.Claim(
                _output is not null && ShouldProcess(_output, "write the results") ? _output : null,
                ResultFormat.Json,
                false,
                null,
                replace: true,
                []
            )
        )
            output.Results?.Fill(answer.Whole);
        foreach (var failure in answer.Failures.DistinctBy(failure => failure.ToString()))
            Fail(failure);
        FleetCmdletAnswer.Tell(
            answer,
            Require,
            new FleetStreams(
                text => WriteWarning(text.Render(ModuleSpelling.Default)),
                text => WriteInformation(SafeText.Escape(text), ["IoBench"]),
                WriteProgress,
                error => WriteProblem(error, error.Target)
            )
        );
        foreach (var group in answer.Groups)
            WriteObject(group);
        foreach (var ramp in answer.Ramps)
            WriteObject(ramp);
    }

    private void Fail(FleetFailure failure) => WriteProblem(FleetCmdletView.ErrorOf(failure), failure.Host);
}
