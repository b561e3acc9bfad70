using System.Diagnostics;
using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Creates test files and writes them in full.</summary>
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
    // A table can contain all settings of tests: those that do not concern the file are ignored.
    private static readonly IReadOnlyList<OptionRow> s_columns =
    [
        .. OptionTables.TestFile,
        .. OptionTables.Columns.Where(row => row.Name != OptionNames.FileSize.Name),
    ];

    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Ctrl+C must not wait for a slow disk. The rest of the file is removed when the disk responds.</summary>
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(1.5);

    /// <summary>Files, or folders for a file iobench.dat.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Path")]
    [SupportsWildcards]
    public string[]? Path { get; set; }

    [Parameter(Mandatory = true, ParameterSetName = "LiteralPath")]
    [Alias("PSPath", "FullName", "PhysicalName")]
    public string[]? LiteralPath { get; set; }

    /// <summary>Pipeline input: paths, table rows with a column FileSize, and tests or results whose files are created.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "InputObject", ValueFromPipeline = true)]
    public object[]? InputObject { get; set; }

    /// <summary>Size of the test file; default 20 GB, at most 10% of the free space.</summary>
    [Parameter(Position = 1)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.EmptyAsNull)]
    public IoSize? FileSize { get; set; }

    /// <summary>Creates a file even if free space drops below 10% of its volume or 10 GB, whichever is smaller.</summary>
    [Parameter]
    public SwitchParameter FillVolume { get; set; }

    protected override void Process()
    {
        var inputs = CreateInputs(InputObject, Path, LiteralPath, () => ReadParameters(OptionTables.TestFile, columns: s_columns));
        foreach (var input in inputs)
        foreach (var path in input.Path is null ? input.Test!.Targets.Select(target => target.Path).ToList() : [input.Path])
            TryProcess(path, () => CreateFile(path, input.Values.GetValue<long>(OptionNames.FileSize) ?? input.Test?.FileSize));
    }

    private void CreateFile(string path, long? size)
    {
        // The file must suit any test, so it is checked for a write test, which is refused for more files than a read test.
        var test = new IoTestSpecification
        {
            WritePercent = 100,
            FileSize = size,
            Targets = [new IoTargetSpecification(path)],
        };
        var settings = new SuiteSettings
        {
            Permissions = new TargetPermissions { FillVolume = FillVolume },
            MissingSwitches = [OptionNames.OverwriteFile, OptionNames.EraseDevice],
            AdviceWithoutSwitch = "Choose another name for the test file.",
        };
        var approval = Approve([test], settings);
        if (approval.Tests.Count == 0)
            return;
        var found = approval.Targets[0].Target;
        if (!ShouldProcess(found.Path, $"create a test file of {IoSize.Format(found.Size)}"))
            return;
        WriteFileInfo(PrepareFile(test, test.Targets[0], approval.GetOptions(test)).Path);
    }

    /// <summary>Runs on its own thread: outstanding writes can take a slow disk seconds, and Ctrl+C must work.</summary>
    private CheckedTarget PrepareFile(IoTestSpecification test, IoTargetSpecification target, TestRunOptions options)
    {
        const string Activity = "IoBench: creating a test file";
        var watch = Stopwatch.StartNew();
        var isProgressShown = false;
        var done = 0L;
        var size = 0L;
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
                    StopToken
                ),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        WaitHandle[] ends = [((IAsyncResult)task).AsyncWaitHandle, StopToken.WaitHandle];
        while (WaitHandle.WaitAny(ends, s_pollInterval) == WaitHandle.WaitTimeout)
        {
            var total = Volatile.Read(ref size);
            if (total <= 0)
                continue;
            isProgressShown = true;
            var written = Volatile.Read(ref done);
            var rate = written / Math.Max(watch.Elapsed.TotalSeconds, 0.001);
            var text = SuiteMessages.FormatFileProgress(PreparationStep.Creating, target.Path, written, total, rate / (1 << 20));
            WriteProgress(
                new ProgressRecord(CmdletOutput.RunProgressId, Activity, SafeText.Escape(text))
                {
                    PercentComplete = (int)Math.Clamp(100.0 * written / total, 0, 100),
                    SecondsRemaining = rate > 0 ? (int)Math.Min((total - written) / rate, int.MaxValue) : -1,
                }
            );
        }
        if (StopToken.IsCancellationRequested)
            Task.WaitAny([task], s_stopTimeout);
        // A stopped pipeline accepts no more records and removes the progress bar itself.
        if (isProgressShown && !Stopping)
            WriteProgress(new ProgressRecord(CmdletOutput.RunProgressId, Activity, " ") { RecordType = ProgressRecordType.Completed });
        StopToken.ThrowIfCancellationRequested();
        return task.GetAwaiter().GetResult();
    }
}
