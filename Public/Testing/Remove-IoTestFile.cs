using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Removes test files that IoBench made.</summary>
[Cmdlet(VerbsCommon.Remove, "IoTestFile", DefaultParameterSetName = "Path", SupportsShouldProcess = true, ConfirmImpact = ConfirmImpact.Medium, HelpUri = HelpPages.Root + "Remove-IoTestFile")]
[OutputType(typeof(void))]
public sealed class RemoveIoTestFileCommand : IoCmdlet
{
    /// <summary>Files, or folders with a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path", ValueFromPipeline = true, ValueFromPipelineByPropertyName = true)]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath", ValueFromPipelineByPropertyName = true)]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Also a file that IoBench did not make, or that was changed by others since.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        foreach (var path in InputPaths.Resolve(SessionState, Path, LiteralPath, allowMissing: true, (error, name) => WriteProblem(error, name)))
            Try(path, () => Remove(path));
    }

    private void Remove(string path)
    {
        // On threads of their own: a disk that does not answer holds a check for ever.
        var file = Aside(() => TestFiles.CheckRemoval(path, Force, Stopped));
        if (!ShouldProcess(file, "remove the test file"))
            return;
        _ = Aside(() =>
        {
            TestFiles.Remove(path, Force, Stopped);
            return true;
        });
    }
}
