using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// Base class of the cmdlets that run tests. It checks all targets and asks about them before the first test. Ctrl+C ends the running test,
/// and the journal contains the results so far.
/// </summary>
public abstract class TestCmdlet : IoCmdlet
{
    private readonly HashSet<string> _saidOfColumns = [];
    private SuiteQuestions? _questions;
    private List<string>? _placesByHand;

    private protected List<string> Places(IEnumerable<string>? paths, IEnumerable<string>? literalPaths) =>
        [.. InputPaths.Resolve(SessionState, paths, literalPaths, allowMissing: true, (error, name) => WriteProblem(error, name))];

    /// <summary>
    /// Creates an input for each path, or the inputs of each pipeline object. An invalid object is a non-terminating error.
    /// </summary>
    /// <param name="items">Pipeline objects; null if the paths are the only input.</param>
    /// <param name="paths">Paths from parameters; they take precedence over the paths of pipeline objects.</param>
    /// <param name="literalPaths">Paths from parameters, without wildcards.</param>
    /// <param name="given">Reads the options from parameters, again for each object.</param>
    private protected List<TestInput> Inputs(object[]? items, string[]? paths, string[]? literalPaths, Func<OptionValues> given)
    {
        var byHand = paths is null && literalPaths is null ? null : _placesByHand ??= Places(paths, literalPaths);
        if (items is null)
            return [.. (byHand ?? []).Select(path => new TestInput(path, given()))];
        List<TestInput> found = [];
        foreach (var item in items.Where(item => item is not null))
        {
            // Outside TryProcess: an invalid parameter is not an error of the object.
            var values = given();
            Try(item, () => found.AddRange(Read(item, byHand, values)));
        }
        return found;
    }

    private List<TestInput> Read(object item, List<string>? byHand, OptionValues values)
    {
        var input = PipelineInput.Of(item);
        if (byHand is null && !input.HasPlace && input.Test is null)
            throw PipelineInput.NotAPlace(item);
        WarnOfColumns(input.ApplyTo(values));
        var hasOwn = input.Test is not null || input.Workload is not null || input.Columns.Count > 0;
        if (input.Test is not null && byHand is null)
            return [new TestInput(null, values) { Test = input.Test, HasOwnSettings = hasOwn }];
        return
        [
            .. (byHand ?? Places(input.Paths, input.LiteralPaths)).Select(path => new TestInput(path, values)
            {
                Test = input.Test,
                Workload = input.Workload,
                HasOwnSettings = hasOwn,
            }),
        ];
    }

    private protected void WarnOfColumns(IEnumerable<IoWarning> warnings)
    {
        foreach (var warning in warnings.Where(warning => _saidOfColumns.Add(warning.Text.Template)))
            WriteWarning(warning.Text.Render(ModuleSpelling.Default));
    }

    private protected SuiteApproval Approve(IReadOnlyList<IoTestSpecification> plan, SuiteSettings settings)
    {
        var approval = SuiteApproval.Create(plan, settings, _questions ??= new SuiteQuestions(this, Stopped));
        foreach (var refused in approval.Refusals)
            WriteProblem(refused.Error, refused.Path);
        return approval;
    }

    /// <summary>A journal that cannot be written is only a verbose message, because the user did not request a journal.</summary>
    private protected RunJournal? BeginJournal() => RunJournal.Begin(SayWhyNotKept);

    private protected void CareForFiles(SuiteApproval approval, bool remove)
    {
        foreach (var fate in remove ? TestFileCare.RemoveOwn(approval.Targets) : TestFileCare.Kept(approval.Targets))
        {
            if (Stopping)
                continue;
            if (fate.Error is not null)
                WriteProblem(fate.Error, fate.Path);
            else if (remove && !fate.IsRemoved)
                WriteWarning(fate.Text.Render(ModuleSpelling.Default));
            else
                WriteNote(fate.Text);
        }
    }

    private protected IReadOnlyList<IoTestResult> Run(IReadOnlyList<IoTestSpecification> plan, SuiteCall call)
    {
        using var kept = KeptResults.Open(call, plan, SayWhyNotKept);
        var approval = Approve(Unfinished(plan, call, kept), call.Settings);
        if (approval.Tests.Count > 0)
            WriteVerbose($"{Figures.Counted(approval.Tests.Count, "test")}, {approval.Estimate}");
        foreach (var group in approval.Groups)
            if (!ShouldProcess(string.Join("; ", group.Paths), group.Action))
                approval.LeaveOut(group);
        if (approval.Tests.Count == 0)
            return [];
        // Not earlier: -WhatIf or a declined confirmation must not create a file.
        kept.Begin(call, approval.Tests);
        foreach (var notice in NewFileNotice.Of(approval.Targets, call.SizeIsGiven).Concat(PreconditionNotice.Of(approval)))
            WriteWarning(notice.Render(ModuleSpelling.Default));
        try
        {
            var view = new SuiteView(this, call.Activity) { Emit = result => Emit(result, call, kept) };
            var outcome = new SuiteRunner(view) { RequiresRate = call.Settings.RequireRate, Sinks = kept.Sinks }.Run(
                approval,
                kept.Earlier,
                Stopped
            );
            Stopped.ThrowIfCancellationRequested();
            WriteNotes(outcome.Results, call.Settings.Storage);
            return outcome.Results;
        }
        finally
        {
            CareForFiles(approval, call.Settings.RemoveTestFile);
        }
    }

    private protected IReadOnlyList<IoTestSpecification> Unfinished(
        IReadOnlyList<IoTestSpecification> plan,
        SuiteCall call,
        KeptResults kept
    )
    {
        if (!call.Settings.Resume)
            return plan;
        var left = ResumePlan.Remaining(plan, kept.Earlier);
        WriteNote(ResumePlan.Words(plan.Count, left.Count));
        return left;
    }

    private protected void Emit(IoTestResult result, SuiteCall call, KeptResults kept)
    {
        if (kept.TakeNotice() is { } notice)
            WriteWarning(notice);
        call.Emit?.Invoke(result);
    }

    private protected void WriteNotes(IReadOnlyList<IoTestResult> results, StorageClass? storage = null)
    {
        var notes = SuiteNotes.Of(results, storage);
        foreach (var warning in notes.Warnings)
            WriteWarning(warning.Render(ModuleSpelling.Default));
        foreach (var line in notes.Lines)
            WriteNote(line);
    }

    private protected void WriteNote(IoText text) => WriteInformation(SafeText.Escape(text.Render(ModuleSpelling.Default)), ["IoBench"]);

    private protected void SayWhyNotKept(IoWarning warning)
    {
        if (!Stopping)
            WriteVerbose(warning.Text.Render(ModuleSpelling.Default));
    }
}
