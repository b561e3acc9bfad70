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
        TryProcessRow(
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
        var file = RunCancellable(() => TestFiles.CheckRemoval(path, StopToken));
        var evidence = RunCancellable(() => TestFiles.ReadEvidence(path));
        if (!ShouldProcess(file, evidence is null ? "remove the test file" : "remove the file that is kept as evidence"))
            return;
        if (evidence is not null && !UserPrompts.IsConfirmed(this))
            ConfirmRemoval(file, evidence);
        _ = RunCancellable(() =>
        {
            TestFiles.Remove(path, StopToken);
            return true;
        });
        // Several results can have the same file. It is skipped unless it exists again, because their suite can have re-created it.
        _removed.Add(path);
    }

    private void ConfirmRemoval(string file, string evidence)
    {
        var kept = $"{file} is kept as evidence: {evidence}";
        if (
            !UserPrompts.CanPrompt(Host)
            || !UserPrompts.ConfirmDestructiveAction(Host, $"{kept} Remove the file?", "Remove a file that is kept as evidence")
        )
            throw IoBenchException.Refused(ErrorIds.Evidence, kept, file, advice: "Add -Confirm:$false to remove the file.");
    }
}
