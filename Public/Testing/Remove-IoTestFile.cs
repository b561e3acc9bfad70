using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Removes test files that IoBench made.</summary>
[Cmdlet(
    VerbsCommon.Remove,
    "IoTestFile",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "Remove-IoTestFile"
)]
[OutputType(typeof(void))]
public sealed class RemoveIoTestFileCommand : TestCmdlet
{
    private readonly HashSet<string> _removed = [];

    /// <summary>Files, or folders with a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Through the pipeline: paths, files, objects with a path, and tests or results, whose files are removed.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Also a file that IoBench did not make, or that was changed by others since.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        foreach (
            var path in InputObject is null
                ? Places(Path, LiteralPath)
                : [.. InputObject.Where(item => item is not null).SelectMany(FilesOf)]
        )
            if (!_removed.Contains(path) || Aside(() => System.IO.Path.Exists(path)))
                Try(path, () => Remove(path));
    }

    /// <summary>The files of an object: of a row of a table its path alone counts, of a result or a test all its targets.</summary>
    private List<string> FilesOf(object item)
    {
        List<string> files = [];
        Try(
            item,
            () =>
            {
                if (DeserializedObject.Unwrap(item) is IoTestResult result)
                {
                    files.AddRange(result.Targets.Select(target => target.Path));
                    return;
                }
                var input = PipelineInput.Of(item);
                if (!input.HasPlace && input.Test is null)
                    throw PipelineInput.NotAPlace(item);
                files.AddRange(input.Test?.Targets.Select(target => target.Path) ?? Places(input.Paths, input.LiteralPaths));
            }
        );
        return files;
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
        // Several results may be of one file; the suite that they come from may have made it anew.
        _removed.Add(path);
    }
}
