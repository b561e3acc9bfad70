using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class AdviseCommand
{
    public static Command Create(CliConsole console)
    {
        var options = new CommandOptionSet(OptionTables.Advice);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var command = new Command(
            "advise",
            "Find disks and virtual machines of a cloud that carry the busiest windows of a server, from snapshots of sys.dm_io_virtual_file_stats."
        );
        options.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var request = StorageAdviceRequest.Create(values);
            var json = parsed.IsJsonRequested(format);
            var files = values.GetList<string>(OptionNames.FromFileStats);
            if (files.Count == 0)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    $"iobench advise requires {OptionNames.FromFileStats} with the snapshots of the server.",
                    advice: (IoMessage)$"Use {OptionNames.FromFileStats.WithValue("samples.csv")}."
                );
            using var output = AnalysisReport.Reserve(values);
            var advice = CancellableFileCall.Run(
                console,
                files[0],
                () => request.Advise([.. files.SelectMany(FileStatsSnapshot.LoadFile)])
            );
            foreach (var warning in advice.Warnings)
                console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
            if (json)
                console.Json.WriteLine(AnalysisJson.SerializeAdvice(advice));
            else
                WriteAdvice(console.Out, advice, request.All);
            if (output is not null)
            {
                CancellableFileCall.RunToCompletion(console, output.Path, () => AnalysisReport.Save(output, advice));
                console.Error.WriteLine($"Report saved: {output.Path}");
            }
            return advice.Recommended is null ? ExitCodes.RequirementNotMet : ExitCodes.Success;
        });
        return command;
    }

    private static void WriteAdvice(TextWriter output, StorageAdvice advice, bool all)
    {
        output.WriteLine(advice.Summary);
        output.WriteLine();
        var rows = advice
            .Plans.Where(plan => plan.Fits)
            .SelectMany(plan => plan.Choices)
            .Select(choice =>
                new[]
                {
                    choice.Plan,
                    choice.Role,
                    choice.Storage,
                    choice.Limits,
                    choice.BindingLimit,
                    FormattableString.Invariant($"{choice.LoadPercent:0}%"),
                    choice.DateText,
                }
            )
            .ToList();
        if (rows.Count > 0)
        {
            TextTable.WriteTable(output, rows, "Plan", "Role", "Storage", "Limits", "Binds", "#Load", "Limits as of");
            output.WriteLine();
        }
        if (all)
            WriteRejected(output, advice);
        foreach (var line in StorageAdviceMessages.DescribeNotes(advice))
            output.WriteLine(line);
    }

    private static void WriteRejected(TextWriter output, StorageAdvice advice)
    {
        var rows = advice
            .Plans.SelectMany(plan => plan.Rejected)
            .Select(choice => new[] { choice.Plan, choice.Role, choice.Storage, choice.Reason! })
            .Concat(advice.NotConsidered.Select(sku => new[] { "", "", sku.Storage, sku.Reason }))
            .ToList();
        output.WriteLine("These do not fit:");
        TextTable.WriteTable(output, rows, "Plan", "Role", "Storage", "Reason");
        output.WriteLine();
    }
}
