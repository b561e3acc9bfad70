using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class ConsoleFleetRun(CliConsole console)
{
    public required OptionValues CoordinatorOptions { get; init; }

    public required OutputDestinations Output { get; init; }

    public IReadOnlyList<FleetRequirement> Requirements { get; init; } = [];

    public bool IsQuiet { get; init; }

    public int Execute(FleetPlan plan, FleetSetup setup)
    {
        setup.CheckOutput(Output.OutputPath);
        Output.Resume = setup.Resume != FleetResumeMode.None;
        using var files = Output.OpenFiles(console);
        IReadOnlyList<IoTestResult> earlier = [.. files.Results?.Results ?? []];
        ConfirmStart(setup.DescribePlan(plan, earlier));
        if (Output.HasFile)
            console.MarkResultsSaved();
        console.RequireOutput();
        files.OpenJournal(_ => { });
        var view = new FleetView(console, IsQuiet);
        using var spool = ResultSpool.Create(setup.Group);
        var answer = setup.Run(
            plan,
            setup.CreateProcessStarter(Program.ExecutablePath),
            spool,
            view,
            files.GetSinks(),
            earlier,
            console.CancellationToken
        );
        view.ClearLines();
        var code = ReportResults(answer);
        OutputDestinations.WriteNotices(console, files);
        if (answer.Results.Count > 0)
            OutputDestinations.WriteReport(console, Output, files, [.. answer.Results, .. answer.Unmeasured], IsQuiet);
        return code;
    }

    public int MergeMembers(IReadOnlyList<string> members)
    {
        using var files = Output.OpenFiles(console);
        var answer = MemberOutputReader.ReadResults(members);
        files.Results?.SaveStreamed(answer.Whole);
        OutputDestinations.WriteReport(console, Output, files, answer.Results, IsQuiet);
        return ReportResults(answer);
    }

    private int ReportResults(FleetResult answer)
    {
        if (Output.Format is { } format)
            ResultWriter.Write(console.GetDataWriter(format), answer.Whole, format);
        else
            FleetView.WriteResults(console.Out, answer, console.Spelling);
        var missed = FleetRequirement.DescribeFailures(Requirements, answer.Groups);
        foreach (var line in missed)
            console.Error.WriteLine(line);
        if (answer.IsCancelled)
            return ExitCodes.Canceled;
        if (!answer.IsSufficient(CoordinatorOptions.GetValue<int>(new OptionName("MinHosts"))))
            return ExitCodes.Failed;
        if (missed.Count > 0)
            return ExitCodes.RequirementNotMet;
        return ExitCodes.Success;
    }

    /// <summary>Asks once for all hosts.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotConfirmed</c>: the user did not confirm, or cannot be asked.</exception>
    private void ConfirmStart(IoMessage words)
    {
        if (!IsQuiet || !CoordinatorOptions.IsOn(new OptionName("Yes")))
            console.Error.WriteLine(words.Render(console.Spelling));
        if (CoordinatorOptions.IsOn(new OptionName("Yes")))
            return;
        if (!console.CanAsk)
            throw IoBenchException.Usage(
                FleetErrorIds.NotConfirmed,
                "IoBench cannot ask for confirmation here.",
                advice: $"Add {new OptionName("Yes")}."
            );
        if (console.AskUser("Begin? [y/N] ")?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) != true)
            throw IoBenchException.Usage(FleetErrorIds.NotConfirmed, "no test was started.");
    }
}
