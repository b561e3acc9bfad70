using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary>Runs a fleet on the console: asks once, shows it, prints and judges its answer.</summary>
internal sealed class FleetRun(CliConsole console)
{
    /// <summary>How hosts are led: <see cref="OptionTables.FleetLead"/>.</summary>
    public required OptionValues Lead { get; init; }
    /// <summary>Where results go.</summary>
    public required OutputPlan Output { get; init; }
    /// <summary>What must be reached.</summary>
    public IReadOnlyList<FleetRequirement> Requirements { get; init; } = [];
    /// <summary>Only errors on standard error.</summary>
    public bool IsQuiet { get; init; }

    public int Execute(FleetPlan plan)
    {
        Confirm(plan);
        using var files = Output.Open(console);
        if (Output.HasFile)
            console.ResultsAreInAFile();
        console.TestsBegin();
        using var journal = RunJournal.Begin(_ => { }, []);
        var view = new FleetView(console, IsQuiet);
        var runner = new FleetRunner
        {
            Options = FleetOptions.Create(FleetIds.New(DateTimeOffset.Now), Lead),
            Transport = new ProcessTransport(Lead.Text(new OptionName("Program")), OwnProgram), Observer = view, Ramp = Lead.List<int>(new OptionName("Ramp")), IsAlone = Lead.IsOn(new OptionName("Alone")), Force = Output.Force,
            Sinks = [.. new IResultSink?[] { files.Results is null ? null : new ResultFileSink(files.Results), journal }.OfType<IResultSink>()],
        };
        var answer = runner.Run(plan, console.Cancelled);
        view.End();
        var code = End(answer, saves: false);
        ReportWriting.TellNotices(console, files);
        if (answer.Results.Count > 0)
            ReportWriting.Write(console, Output, files, answer.Results, IsQuiet);
        return code;
    }

    /// <summary>Prints the answer and judges it.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="saves">Its results are still to be saved.</param>
    public int End(FleetAnswer answer, bool saves)
    {
        if (saves)
        {
            using var files = Output.Open(console);
            foreach (var result in answer.Results)
                files.Results?.Add(result);
            ReportWriting.Write(console, Output, files, answer.Results, IsQuiet);
        }
        if (Output.Format is { } format)
            ResultWriter.Write(console.Data, answer.Results, format);
        else
            FleetView.Write(console.Out, answer);
        var missed = FleetRequirement.Missed(Requirements, answer.Groups);
        foreach (var line in missed)
            console.Error.WriteLine(line);
        if (answer.IsCancelled)
            return ExitCodes.Cancelled;
        return !answer.IsEnough(MinHosts) ? ExitCodes.Failed : missed.Count > 0 ? ExitCodes.Missed : ExitCodes.Done;
    }

    private int? MinHosts => Lead.Value<int>(new OptionName("MinHosts"));

    /// <summary>This program; started by its runtime, the file beside its assembly that starts it.</summary>
    private static string? OwnProgram => Path.GetFileNameWithoutExtension(Environment.ProcessPath) is "iobench" ? Environment.ProcessPath
        : Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "iobench.exe" : "iobench") is var beside && File.Exists(beside) ? beside : null;

    /// <summary>One yes for all hosts, and none without it.</summary>
    private void Confirm(FleetPlan plan)
    {
        if (!IsQuiet || !Lead.IsOn(new OptionName("Yes")))
            console.Error.WriteLine($"{plan}.");
        if (Lead.IsOn(new OptionName("Yes")))
            return;
        if (!console.CanAsk)
            throw IoBenchException.Usage(FleetErrors.NotConfirmed, $"nobody is there to say yes to this. Give {new OptionName("Yes")}.");
        if (console.Ask("Begin? [y/N] ")?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) != true)
            throw IoBenchException.Usage(FleetErrors.NotConfirmed, "nothing was begun.");
    }
}
