using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>The answer of members that began by themselves: fetched from their hosts, or from files that are here.</summary>
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

    /// <summary>A file of hosts (.csv, .json, Ansible's .ini or .yml), or names.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Inventory")]
    public string[]? Inventory { get; set; }

    /// <summary>The group, as Invoke-IoFleet -Detach gave it.</summary>
    [Parameter(Mandatory = true, Position = 1, ParameterSetName = "Inventory")]
    public string? Group { get; set; }

    /// <summary>What members printed, a file for each host.</summary>
    [Parameter(Mandatory = true, ValueFromPipeline = true, ValueFromPipelineByPropertyName = true, ParameterSetName = "Path")]
    [Alias("FullName")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>So many hosts are enough.</summary>
    [Parameter]
    [ValidateRange(1, 100_000)]
    public int MinHosts { get; set; }

    /// <summary>A host that says nothing for so long is given up; default 90 s.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration HostTimeout { get; set; }

    /// <summary>Figures to reach, such as "sum iops > 300000".</summary>
    [Parameter]
    public string? Require { get; set; }

    /// <summary>A JSON file for the results.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>Replace the output if it exists.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void Begin()
    {
        if (Require is not null)
            _ = FleetRequirement.Parse(Require);
        if (string.IsNullOrEmpty(OutputPath))
            return;
        _output = OutputPaths.Resolve(SessionState, OutputPath);
        _isDeclined = !UserPrompts.IsWhatIf(this) && !UserPrompts.MayReplace(Host, _output, Force);
    }

    /// <inheritdoc/>
    protected override void Process()
    {
        if (Path is not null)
            _files.AddRange(InputPaths.Resolve(SessionState, Path, null, allowMissing: false, (error, name) => WriteProblem(error, name)));
    }

    /// <inheritdoc/>
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
