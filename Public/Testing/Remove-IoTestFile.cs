using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Removes test files that IoBench created.</summary>
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

    /// <summary>Files, or folders that contain a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Pipeline input: paths, files, objects with a path, and tests or results whose files are removed.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Also removes a file that IoBench did not create, or that was changed outside IoBench.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    protected override void Process()
    {
        foreach (
            var path in InputObject is null
                ? ResolvePaths(Path, LiteralPath)
                : [.. InputObject.Where(item => item is not null).SelectMany(GetFiles)]
        )
            if (!_removed.Contains(path) || RunCancellable(() => System.IO.Path.Exists(path)))
                TryProcess(path, () => RemoveFile(path));
    }

    /// <summary>Returns only the path of a table row, but all targets of a result or a test.</summary>
    private List<string> GetFiles(object item)
    {
        List<string> files = [];
        TryProcess(
            item,
            () =>
            {
                if (DeserializedObject.Unwrap(item) is IoTestResult result)
                {
                    files.AddRange(result.Targets.Select(target => target.Path));
                    return;
                }
                var input = PipelineInput.FromObject(item);
                if (!input.HasPath && input.Test is null)
                    throw PipelineInput.CreateNoPathError(item);
                files.AddRange(input.Test?.Targets.Select(target => target.Path) ?? ResolvePaths(input.Paths, input.LiteralPaths));
            }
        );
        return files;
    }

    private void RemoveFile(string path)
    {
        // On its own thread, because a disk that does not respond can block a check.
        var file = RunCancellable(() => TestFiles.CheckRemoval(path, Force, StopToken));
        if (!ShouldProcess(file, "remove the test file"))
            return;
        _ = RunCancellable(() =>
        {
            TestFiles.Remove(path, Force, StopToken);
            return true;
        });
        // Several results can have the same file. It is skipped unless it exists again, because their suite can have re-created it.
        _removed.Add(path);
    }
}
