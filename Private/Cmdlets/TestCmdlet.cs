using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Checks all targets and asks about them before the first test. After Ctrl+C, the journal has the results so far.</summary>
public abstract class TestCmdlet : IoCmdlet
{
    private readonly HashSet<string> _writtenColumnWarnings = [];
    private CmdletSuiteFront? _front;
    private List<string>? _boundPaths;

    /// <summary>Whether the cmdlet returns only a Boolean: no lines, no warnings, and no errors that the Boolean states.</summary>
    private protected virtual bool IsQuiet => false;

    private protected List<string> ResolvePaths(IEnumerable<string>? paths, IEnumerable<string>? literalPaths) =>
        [
            .. PathResolver.ResolvePaths(
                SessionState,
                paths,
                literalPaths,
                allowMissing: true,
                (error, name) => WriteNonTerminatingError(error, name)
            ),
        ];

    /// <summary>
    /// Creates an input for each path, or the inputs of each pipeline object. An invalid object is a non-terminating error.
    /// </summary>
    /// <param name="paths">Paths from parameters; they take precedence over the paths of pipeline objects.</param>
    /// <param name="readOptions">Reads the options from parameters, again for each object.</param>
    private protected List<TestInput> CreateInputs(object[]? items, string[]? paths, string[]? literalPaths, Func<OptionValues> readOptions)
    {
        if (paths is not null || literalPaths is not null)
            _boundPaths ??= ResolvePaths(paths, literalPaths);
        if (items is null)
            return [.. (_boundPaths ?? []).Select(path => new TestInput(path, readOptions()))];
        List<TestInput> found = [];
        foreach (var item in items.Where(item => item is not null))
        {
            // Outside TryProcess: an invalid parameter is not an error of the object.
            var values = readOptions();
            TryProcessRow(item, () => found.AddRange(CreateInputsFromObject(item, _boundPaths, values)));
        }
        return found;
    }

    private List<TestInput> CreateInputsFromObject(object item, List<string>? boundPaths, OptionValues values)
    {
        var input = PipelineInput.FromObject(item);
        if (boundPaths is null && !input.HasPath && input.Test is null)
            throw PipelineInput.CreateNoPathError(item);
        WriteColumnWarnings(input.ApplyTo(values));
        var hasOwn = input.Test is not null || input.Workload is not null || input.Columns.Count > 0;
        if (input.Test is not null && boundPaths is null)
            return [new TestInput(null, values) { Test = input.Test, HasOwnSettings = hasOwn }];
        return
        [
            .. (boundPaths ?? ResolvePaths(input.Paths, input.LiteralPaths)).Select(path => new TestInput(path, values)
            {
                Test = input.Test,
                Workload = input.Workload,
                HasOwnSettings = hasOwn,
            }),
        ];
    }

    private protected void WriteColumnWarnings(IEnumerable<IoWarning> warnings)
    {
        foreach (var warning in warnings.Where(warning => _writtenColumnWarnings.Add(warning.Text.Template)))
            WriteWarning(warning.RenderWithId(PowerShellSpelling.Default));
    }

    /// <summary>One front end for all suites of the cmdlet, so that an answer for all targets applies to all of them.</summary>
    private protected CmdletSuiteFront Front => _front ??= new CmdletSuiteFront(this, IsQuiet, StopToken);

    /// <summary>Checks the targets, and writes an error for each refused one.</summary>
    private protected SuiteApproval Approve(IReadOnlyList<IoTestSpecification> plan, SuiteSettings settings) =>
        SuiteApproval.Create(plan, settings, Front);

    private protected void CleanUpFiles(SuiteApproval approval, bool remove) =>
        WriteTestFiles(SuiteTestFiles.CleanUp(approval.Targets, remove), remove);

    private protected void WriteTestFiles(IEnumerable<CleanupResult> files, bool remove)
    {
        foreach (var outcome in files)
        {
            if (Stopping)
                continue;
            if (outcome.Error is not null)
                WriteNonTerminatingError(outcome.Error, outcome.Path);
            else if (remove && !outcome.IsRemoved)
                WriteWarning(outcome.Text.Render(PowerShellSpelling.Default));
            else
                WriteNote(outcome.Text);
        }
    }

    /// <summary>Runs a suite, and returns the results.</summary>
    private protected IReadOnlyList<IoTestResult> RunTests(
        IReadOnlyList<IoTestSpecification> plan,
        SuiteSettings settings,
        OutputRequest request,
        string activity,
        Action<IoTestResult>? resultHandler = null
    )
    {
        Front.Activity = activity;
        using var suite = Suite.Prepare(plan, settings, request, Front);
        Front.ResultHandler = result =>
        {
            WriteOutputNotices(suite.Outputs);
            resultHandler?.Invoke(result);
        };
        if (suite.Tests.Count == 0)
            return [];
        try
        {
            var outcome = suite.Run(StopToken);
            suite.Outputs.WriteMetrics([.. suite.Outputs.EarlierResults, .. outcome.Results], settings.Storage);
            StopToken.ThrowIfCancellationRequested();
            WriteOutputNotices(suite.Outputs);
            WriteSummary(outcome.Results, settings.Storage);
            return outcome.Results;
        }
        finally
        {
            WriteTestFiles(suite.CleanUp(), settings.RemoveTestFile);
        }
    }

    private void WriteOutputNotices(RunOutputs outputs)
    {
        foreach (var notice in outputs.TakeNotices())
            WriteWarning(notice);
    }

    private protected void WriteSummary(IReadOnlyList<IoTestResult> results, StorageClass? storage = null)
    {
        if (IsQuiet)
            return;
        var notes = SuiteSummary.Create(results, storage);
        foreach (var warning in notes.Warnings)
            WriteWarning(warning.Render(PowerShellSpelling.Default));
        var unverified = SuiteSummary.DescribeUnverified(results);
        foreach (var line in unverified)
            WriteWarning(line);
        foreach (var line in notes.Lines.Except(unverified))
            WriteNote(line);
    }

    private protected void WriteNote(IoMessage text)
    {
        if (!IsQuiet)
            this.WriteHostLine(text.Render(PowerShellSpelling.Default));
    }
}
