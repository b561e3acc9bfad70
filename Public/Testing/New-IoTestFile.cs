using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Makes test files, written in full.</summary>
[Cmdlet(
    VerbsCommon.New,
    "IoTestFile",
    DefaultParameterSetName = "Path",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.Medium,
    HelpUri = HelpPages.Root + "New-IoTestFile"
)]
[OutputType(typeof(FileInfo))]
public sealed class NewIoTestFileCommand : TestCmdlet
{
    // A table of tests may have all their settings: what says nothing of the file is passed over, and what is no setting is said.
    private static readonly IReadOnlyList<OptionRow> s_columns =
    [
        .. OptionTables.TestFile,
        .. OptionTables.Columns.Where(row => row.Name != Opt.FileSize.Name),
    ];

    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(100);

    /// <summary>Whoever presses Ctrl+C is not kept waiting; what is left of the file then goes when the disk answers.</summary>
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1.5);

    /// <summary>Files, or folders for a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    /// <summary>The same, without wildcards.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Through the pipeline: paths, rows of a table with a column FileSize, and tests or results, whose files are made.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Default 20 GB, at most 10 % of the free space.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(FileSizeCompleter))]
    [BlankIsNull]
    public IoSize? FileSize { get; set; }

    /// <summary>Over a file that IoBench did not make, and without questions.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void Process()
    {
        foreach (
            var input in Inputs(InputObject, Path, LiteralPath, () => GivenOptions.Read(this, OptionTables.TestFile, columns: s_columns))
        )
        foreach (var path in input.Path is { } place ? [place] : input.Test!.Targets.Select(target => target.Path).ToList())
            Try(path, () => Make(path, input.Values.Value<long>(Opt.FileSize) ?? input.Test?.FileSize));
    }

    private void Make(string path, long? size)
    {
        // A file for any test: one that will be written to is refused where a reading one would pass.
        var test = new IoTestSpecification
        {
            WritePercent = 100,
            FileSize = size,
            Targets = [new IoTargetSpecification(path)],
        };
        var approval = Approve([test], new SuiteSettings { Force = Force });
        if (approval.Tests.Count == 0)
            return;
        var found = approval.Targets[0].Target;
        if (!ShouldProcess(found.Path, $"make a test file of {new IoSize(found.Size).ToDisplayString()}"))
            return;
        WriteFile(Prepare(test, test.Targets[0], approval.OptionsFor(test)).Path);
    }

    /// <summary>On a thread of its own: writes in flight may take a slow disk seconds, and Ctrl+C is heard all the same.</summary>
    private CheckedTarget Prepare(IoTestSpecification test, IoTargetSpecification target, TestRunOptions options)
    {
        using var progress = new FileProgress(this, target.Path);
        var (done, size) = (0L, 0L);
        var task = Task.Factory.StartNew(
            () =>
                TestFiles.Prepare(
                    test,
                    target,
                    options,
                    (written, total) =>
                    {
                        Volatile.Write(ref size, total);
                        Volatile.Write(ref done, written);
                    },
                    Stopped
                ),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        WaitHandle[] ends = [((IAsyncResult)task).AsyncWaitHandle, Stopped.WaitHandle];
        while (WaitHandle.WaitAny(ends, s_poll) == WaitHandle.WaitTimeout)
            progress.Show(Volatile.Read(ref done), Volatile.Read(ref size));
        if (Stopped.IsCancellationRequested)
            Task.WaitAny([task], s_patience);
        Stopped.ThrowIfCancellationRequested();
        return task.GetAwaiter().GetResult();
    }
}
