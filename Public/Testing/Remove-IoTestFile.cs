using System.Management.Automation;
using IoBench.Engine;

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
        var file = Directory.Exists(path) ? System.IO.Path.Combine(path, "iobench.dat") : path;
        if (!File.Exists(file))
            throw IoBenchException.NotFound("IoBench.FileNotFound", $"{file} does not exist: there is nothing to remove.", path);
        if (!TestFiles.IsOurs(file, out var reason) && !Force)
            throw IoBenchException.Refused(ErrorIds.ForeignFile, $"{file} is not removed: it {reason.TrimEnd('.')}. Remove it with Remove-Item if you are sure.", path);
        if (ShouldProcess(file, "remove the test file"))
            TestFiles.Remove(file, Force);
    }
}
