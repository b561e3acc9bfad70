namespace IoBench.PowerShell.Cmdlets;

/// <summary>A cmdlet that runs tests: targets are checked and asked about before the first of them, Ctrl+C ends the one that runs, and what there is by then is in the journal.</summary>
public abstract class TestCmdlet : IoCmdlet
{
    private readonly HashSet<string> _saidOfColumns = [];
    private SuiteQuestions? _questions;
    private List<string>? _placesByHand;

    /// <summary>The paths to test; they need not exist. What cannot be resolved is an error each.</summary>
    private protected List<string> Places(IEnumerable<string>? paths, IEnumerable<string>? literalPaths) =>
        [.. InputPaths.Resolve(SessionState, paths, literalPaths, allowMissing: true, (error, name) => WriteProblem(error, name))];

    /// <summary>What a call asks for: a place each, or what each object of the pipeline says. An object that will not do is an error, and the others are taken all the same.</summary>
    /// <param name="items">Objects of the pipeline; null = the places are all there is.</param>
    /// <param name="paths">Places that were given by hand, which win over those of objects.</param>
    /// <param name="literalPaths">The same, without wildcards.</param>
    /// <param name="given">Reads the settings that were given by hand, anew for each object.</param>
    private protected List<TestInput> Inputs(object[]? items, string[]? paths, string[]? literalPaths, Func<OptionValues> given)
    {
        var byHand = paths is null && literalPaths is null ? null : _placesByHand ??= Places(paths, literalPaths);
        if (items is null)
            return [.. (byHand ?? []).Select(path => new TestInput(path, given()))];
        List<TestInput> found = [];
        foreach (var item in items.Where(item => item is not null))
        {
            // Outside: what is wrong with a parameter is no error of the object.
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

    /// <summary>Says of columns that set nothing what they are, once for all rows of a table.</summary>
    private protected void WarnOfColumns(IEnumerable<IoWarning> warnings)
    {
        foreach (var warning in warnings.Where(warning => _saidOfColumns.Add(warning.Text.Template)))
            WriteWarning(warning.Text.Render(ModuleSpelling.Default));
    }

    /// <summary>The tests that may run; each target that may not be tested is an error.</summary>
    private protected SuiteApproval Approve(IReadOnlyList<IoTestSpecification> plan, SuiteSettings settings)
    {
        var approval = SuiteApproval.Create(plan, settings, _questions ??= new SuiteQuestions(this, Stopped));
        foreach (var refused in approval.Refusals)
            WriteProblem(refused.Error, refused.Path);
        return approval;
    }

    /// <summary>Keeps the results of a run that nobody asked to keep; the reason why they are not kept is for who asks.</summary>
    private protected RunJournal? BeginJournal() => RunJournal.Begin(SayWhyNotKept);

    /// <summary>What becomes of the test files: removed, or kept with the command that removes them.</summary>
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

    /// <summary>Runs tests that are asked about target by target; what goes wrong with one is an error. What their results need said is said at the end.</summary>
    /// <returns>The results.</returns>
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
        // Only now: -WhatIf, or a no, leaves no file behind.
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

    /// <summary>The tests that an interrupted run has not done.</summary>
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

    /// <summary>Hands out a result, and where it was saved if that is not where it was to be.</summary>
    private protected void Emit(IoTestResult result, SuiteCall call, KeptResults kept)
    {
        if (kept.TakeNotice() is { } notice)
            WriteWarning(notice);
        call.Emit?.Invoke(result);
    }

    /// <summary>What results need said beside their rows: each kind of warning once, with the tests that have it, and what they come to.</summary>
    private protected void WriteNotes(IReadOnlyList<IoTestResult> results, StorageClass? storage = null)
    {
        var notes = SuiteNotes.Of(results, storage);
        foreach (var warning in notes.Warnings)
            WriteWarning(warning.Render(ModuleSpelling.Default));
        foreach (var line in notes.Lines)
            WriteNote(line);
    }

    /// <summary>Says something that belongs to no result, for who wants to read it.</summary>
    private protected void WriteNote(IoText text) => WriteInformation(SafeText.Escape(text.Render(ModuleSpelling.Default)), ["IoBench"]);

    /// <summary>Why a journal is not kept, or no more.</summary>
    private protected void SayWhyNotKept(IoWarning warning)
    {
        if (!Stopping)
            WriteVerbose(warning.Text.Render(ModuleSpelling.Default));
    }
}
