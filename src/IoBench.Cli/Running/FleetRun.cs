using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class FleetRun(CliConsole console)
{
    public required OptionValues Lead { get; init; }

    public required OutputPlan Output { get; init; }

    public IReadOnlyList<FleetRequirement> Requirements { get; init; } = [];

    public bool IsQuiet { get; init; }

    public int Execute(FleetPlan plan, FleetSetup setup)
    {
        if (setup.IsDetached)
            return Detach(plan, setup);
        setup.CheckOutput(Output.OutputPath);
        Output.Resume = setup.Resume != FleetResume.None;
        using var files = Output.Open(console);
        IReadOnlyList<IoTestResult> earlier = [.. files.Results?.Results ?? []];
        Confirm(setup.Words(plan, earlier));
        if (Output.HasFile)
            console.ResultsAreInAFile();
        console.TestsBegin();
        using var journal = RunJournal.Begin(_ => { }, []);
        var view = new FleetView(console, IsQuiet);
        FleetAnswer answer;
        using var spool = FleetSpool.Begin(setup.Group);
        using (var live = FleetLive.Begin(setup.Group, view))
            answer = setup
                .Runner(setup.Transport(OwnProgram.File), spool, live, ResultSinks.Of(files.Results, journal), earlier, Output.Force)
                .Run(plan, console.Cancelled);
        view.End();
        var code = End(answer);
        ReportWriting.TellNotices(console, files);
        if (answer.Results.Count > 0)
            ReportWriting.Write(console, Output, files, [.. answer.Results, .. answer.Unmeasured], IsQuiet);
        return code;
    }

    public int Merge(IReadOnlyList<string> members, IReadOnlyList<FleetFailure> lost)
    {
        using var files = Output.Open(console);
        var answer = FleetFiles.Read(members, lost);
        files.Results?.Fill(answer.Whole);
        ReportWriting.Write(console, Output, files, answer.Results, IsQuiet);
        return End(answer);
    }

    private int End(FleetAnswer answer)
    {
        if (Output.Format is { } format)
            ResultWriter.Write(console.DataOf(format), answer.Whole, format);
        else
            FleetView.Write(console.Out, answer, console.Spelling);
        var missed = FleetRequirement.Missed(Requirements, answer.Groups);
        foreach (var line in missed)
            console.Error.WriteLine(line);
        if (answer.IsCancelled)
            return ExitCodes.Cancelled;
        return !answer.IsEnough(MinHosts) ? ExitCodes.Failed
            : missed.Count > 0 ? ExitCodes.Missed
            : ExitCodes.Done;
    }

    private int Detach(FleetPlan plan, FleetSetup setup)
    {
        plan = setup.Rate.Split(plan);
        Confirm(setup.Words(plan, []));
        var at = setup.StartAt!.Value;
        var failures = setup
            .Hands(OwnProgram.File, warning => console.Error.WriteLine($"Warning: {warning.Text.Render(console.Spelling)}"))
            .Detach(plan, setup.Group, at, Output.Force, console.Cancelled);
        foreach (var failure in failures)
            console.Error.WriteLine(failure.Render(console.Spelling));
        var started = plan.Work.Count - failures.Count;
        if (started == 0)
            return ExitCodes.Failed;
        console.Out.WriteLine(FleetText.Detached(plan, setup.Group, at, started));
        console.Out.WriteLine($"Then: iobench fleet fetch INVENTORY {setup.Group}");
        return started >= (MinHosts ?? plan.Work.Count) ? ExitCodes.Done : ExitCodes.Failed;
    }

    private int? MinHosts => Lead.Value<int>(new OptionName("MinHosts"));

    /// <summary>One confirmation applies to all hosts. Without it, nothing starts.</summary>
    private void Confirm(IoText words)
    {
        if (!IsQuiet || !Lead.IsOn(new OptionName("Yes")))
            console.Error.WriteLine(words.Render(console.Spelling));
        if (Lead.IsOn(new OptionName("Yes")))
            return;
        if (!console.CanAsk)
            throw IoBenchException.Usage(
                FleetErrors.NotConfirmed,
                "nobody is there to say yes to this.",
                advice: $"Give {new OptionName("Yes")}."
            );
        if (console.Ask("Begin? [y/N] ")?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) != true)
            throw IoBenchException.Usage(FleetErrors.NotConfirmed, "nothing was begun.");
    }
}
