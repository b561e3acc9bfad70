using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal sealed class DrillView(CliConsole console, ProgressLine progress) : IDrillObserver
{
    private int _mismatches;

    public bool IsLines { get; init; }

    public bool IsQuiet { get; init; }

    public void OnPreparing(string path, PreparationStep step, long done, long total) =>
        progress.Show(SuiteProgressText.OfFile(step, path, done, total, 0));

    public void OnLive(DrillLive live) => progress.Show(live.Text);

    public void OnEvent(DrillEvent happened)
    {
        if (IsLines)
        {
            console.Json.WriteLine(DrillJson.Line(happened));
            console.Json.Flush();
        }
        if (
            IsQuiet
            || happened.Event is DrillEventKind.Live or DrillEventKind.End
            || happened.Event == DrillEventKind.Mismatch && ++_mismatches > IntegrityLines.MaxShown
        )
            return;
        progress.Clear();
        console.Error.WriteLine(
            FormattableString.Invariant(
                $"{happened.Time:HH:mm:ss.fff}  {(happened.Event == DrillEventKind.Warning ? "Warning: " : "")}{happened.Words.Render(console.Spelling)}"
            )
        );
    }

    public void Write(DrillResult result)
    {
        progress.Clear();
        if (result.Outages.Count > 0)
        {
            var table = new TextTable(
                [
                    new TableColumn("Began at s", 10, IsNumber: true),
                    new TableColumn("Length s", 10, IsNumber: true),
                    new TableColumn("Errors", 8, IsNumber: true),
                    new TableColumn("What it looked like", 44, IsNumber: false),
                ],
                120
            );
            foreach (var line in table.Header())
                console.Out.WriteLine(line);
            foreach (var outage in result.Outages)
                console.Out.WriteLine(
                    table.Line([
                        Figures.Fixed(outage.Begin, 3),
                        Figures.Fixed(outage.Seconds, 3),
                        Figures.Whole(outage.Errors),
                        Outage.Words(outage.Kind) + (outage.IsOver ? "" : "; not over"),
                    ])
                );
            console.Out.WriteLine();
        }
        foreach (var error in result.Errors)
            console.Out.WriteLine(
                FormattableString.Invariant($"{Figures.CountedGrouped(error.Count, "I/O")} failed: {error.Text} ({error.Code})")
            );
        foreach (var finding in result.Findings.Where(finding => finding.Code != FindingCodes.DrillOutage))
            console.Out.WriteLine(
                $"{FindingText.Word(finding.Severity)}: {finding.What}{(finding.WhatToDo is { } advice ? $" {advice}." : "")}"
            );
        if (result.Integrity is { } integrity)
            IntegrityLines.Details(console.Out, integrity);
    }
}
