using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal sealed class DrillView(CliConsole console, ProgressLine progress) : IDrillObserver
{
    private int _mismatches;

    public bool WritesJsonLines { get; init; }

    public bool IsQuiet { get; init; }

    public void OnPreparing(string path, PreparationStep step, long done, long total) =>
        progress.Show(SuiteProgressMessages.FormatFileProgress(step, path, done, total, 0));

    public void OnLive(DrillProgress live) => progress.Show(live.Text);

    public void OnEvent(DrillEvent happened)
    {
        if (WritesJsonLines)
        {
            console.Json.WriteLine(AnalysisJson.SerializeEvent(happened));
            console.Json.Flush();
        }
        if (
            IsQuiet
            || happened.Event is DrillEventKind.Live or DrillEventKind.End
            || happened.Event == DrillEventKind.Mismatch && ++_mismatches > RunMessages.MaxIntegrityErrors
        )
            return;
        progress.Clear();
        console.Error.WriteLine(
            Invariant(
                $"{happened.Time:HH:mm:ss.fff}  {(happened.Warning is { } warning ? $"Warning: {warning.RenderWithId(console.Spelling)}" : happened.Words.Render(console.Spelling))}"
            )
        );
    }

    public void WriteResult(DrillResult result)
    {
        progress.Clear();
        if (result.Outages.Count > 0)
        {
            var table = new TextTable(
                [
                    new TextColumn("Begin s", 10, IsNumber: true),
                    new TextColumn("Length s", 10, IsNumber: true),
                    new TextColumn("Errors", 8, IsNumber: true),
                    new TextColumn("Kind", 44, IsNumber: false),
                ],
                120
            );
            foreach (var line in table.FormatHeader())
                console.Out.WriteLine(line);
            foreach (var outage in result.Outages)
                console.Out.WriteLine(
                    table.FormatRow([
                        NumberFormat.Fixed(outage.Begin, 3),
                        NumberFormat.Fixed(outage.Seconds, 3),
                        NumberFormat.Integer(outage.Errors),
                        Outage.DescribeKind(outage.Kind) + (outage.IsOver ? "" : "; not ended"),
                    ])
                );
            console.Out.WriteLine();
        }
        foreach (var error in result.Errors)
            console.Out.WriteLine(Invariant($"{NumberFormat.PluralizeGrouped(error.Count, "I/O")} failed: {error.Text} ({error.Code})"));
        foreach (var finding in result.Findings.Where(finding => finding.Code != FindingCodes.DrillOutage))
        {
            var advice = finding.WhatToDo is null ? "" : $" {finding.WhatToDo}.";
            var outcome = DescribeOutcome(finding) + ": ";
            // The sentence of an integrity check has its outcome.
            console.Out.WriteLine($"{(finding.What.StartsWith(outcome, StringComparison.Ordinal) ? "" : outcome)}{finding.What}{advice}");
        }
        if (result.Integrity is { } integrity)
            RunMessages.WriteIntegrityErrors(console.Out, integrity);
    }

    private static string DescribeOutcome(Finding finding) =>
        finding.Outcome is { } outcome ? VerdictWords.Describe(outcome) : VerdictWords.Describe(finding.Severity);
}
