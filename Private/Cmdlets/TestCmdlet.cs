using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Checks all targets and asks about them before the first test. After Ctrl+C, the journal has the results so far.</summary>
public abstract class TestCmdlet : IoCmdlet
{
    private readonly HashSet<string> _writtenColumnWarnings = [];
    private CmdletSuiteQuestions? _questions;
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

    private protected SuiteApproval Approve(IReadOnlyList<IoTestSpecification> plan, SuiteSettings settings)
    {
        _questions ??= new CmdletSuiteQuestions(this, StopToken);
        var approval = SuiteApproval.Create(plan, settings, _questions);
        foreach (var refused in approval.Refusals)
            WriteNonTerminatingError(refused.Error, refused.Path);
        return approval;
    }

    /// <summary>A journal that cannot be written is only a verbose message, because the user did not request a journal.</summary>
    private protected RunJournal? CreateJournal() => RunJournal.Create(ReportJournalProblem);

    private protected void CleanUpFiles(SuiteApproval approval, bool remove)
    {
        var outcomes = remove ? SuiteTestFiles.RemoveOwnFiles(approval.Targets) : SuiteTestFiles.DescribeKeptFiles(approval.Targets);
        foreach (var outcome in outcomes)
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

    private protected IReadOnlyList<IoTestResult> RunTests(IReadOnlyList<IoTestSpecification> plan, CmdletSuiteRequest call)
    {
        using var store = CmdletResultStore.Open(call, plan, ReportJournalProblem);
        var approval = Approve(GetRemainingTests(plan, call, store), call.Settings);
        foreach (var group in approval.Groups)
            if (!ShouldProcess(string.Join("; ", group.Paths), group.Action))
                approval.ExcludeGroup(group);
        if (approval.Tests.Count == 0)
            return [];
        // Not earlier: -WhatIf or a declined confirmation must not create a file.
        store.OpenFiles(call, approval.Tests);
        foreach (var line in SuiteMessages.DescribeTargets(approval))
            if (!IsQuiet)
                this.WriteHostLine(line);
        foreach (var notice in SuiteMessages.DescribeNotices(approval, call.HasExplicitFileSize))
            WriteWarning(notice.Render(PowerShellSpelling.Default));
        try
        {
            var view = new CmdletSuiteObserver(this, call.Activity)
            {
                ResultHandler = result => EmitResult(result, call, store),
                HidesIntegrityErrors = IsQuiet,
            };
            var outcome = new SuiteRunner(view) { RequiresRate = call.Settings.RequireRate, Sinks = store.Sinks }.Run(
                approval,
                store.EarlierResults,
                StopToken
            );
            store.WriteMetrics(call, outcome.Results);
            StopToken.ThrowIfCancellationRequested();
            WriteStoreNotice(store);
            WriteSummary(outcome.Results, call.Settings.Storage);
            return outcome.Results;
        }
        finally
        {
            CleanUpFiles(approval, call.Settings.RemoveTestFile);
        }
    }

    private protected IReadOnlyList<IoTestSpecification> GetRemainingTests(
        IReadOnlyList<IoTestSpecification> plan,
        CmdletSuiteRequest call,
        CmdletResultStore store
    )
    {
        if (!call.Settings.Resume)
            return plan;
        var left = ResumePlan.GetRemainingTests(plan, store.EarlierResults, Environment.MachineName);
        WriteNote(ResumePlan.DescribeProgress(plan.Count, left.Count));
        return left;
    }

    private protected void EmitResult(IoTestResult result, CmdletSuiteRequest call, CmdletResultStore store)
    {
        WriteStoreNotice(store);
        call.ResultHandler?.Invoke(result);
    }

    private void WriteStoreNotice(CmdletResultStore store)
    {
        if (store.TakeNotice() is { } notice)
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

    private protected void ReportJournalProblem(IoWarning warning)
    {
        if (!Stopping)
            WriteVerbose(warning.Text.Render(PowerShellSpelling.Default));
    }
}
