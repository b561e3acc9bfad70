using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class AdviseCommand
{
    public static Command Create(CliConsole console)
    {
        var snapshots = new Argument<string[]>("FILE")
        {
            Description = "CSV files with two or more snapshots, the earliest first, in the format of --from-file-stats.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Advice);
        var format = OptionParsing.CreateOption("--format", "NAME", "Output format: table or json. Default: table.", "-f");
        var command = new Command(
            "advise",
            "Find cloud disks and virtual machines that can handle the peak load of a server, from snapshots of sys.dm_io_virtual_file_stats."
        );
        command.Add(snapshots);
        options.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var json = parsed.IsJsonRequested(format);
            List<string> files =
            [
                .. (parsed.GetValue(snapshots) ?? []).SelectMany(name => InputOptions.ExpandWildcard(name, error => throw error)),
                .. values.GetList<string>(OptionNames.FromFileStats),
            ];
            if (files.Count == 0)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    "iobench advise requires a file with the snapshots of the server.",
                    advice: "Use iobench advise samples.csv."
                );
            using var output = ReportFile.Reserve(values);
            var advice = CancellableFileCall.Run(
                console,
                files[0],
                () => SnapshotAnalysis.Advise(values, [.. files.SelectMany(FileStatsSnapshot.LoadFile)])
            );
            foreach (var warning in advice.Warnings)
                console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
            if (json)
                console.Json.WriteLine(AnalysisJson.Serialize(advice));
            else
                WriteAdvice(console.Out, advice, values.IsOn(new OptionName("All")));
            OutputDestinations.SaveReport(console, output, file => ReportFile.Save(file, advice));
            return advice.Recommended is null ? ExitCodes.RequirementNotMet : ExitCodes.Success;
        });
        return command;
    }

    private static void WriteAdvice(TextWriter output, StorageAdvice advice, bool all)
    {
        output.WriteLine(advice.Summary);
        CommandHelp.WriteWrapped(output, "", advice.LoadSummary);
        output.WriteLine();
        foreach (var plan in advice.Plans.Where(plan => plan.Fits))
            WritePlan(output, plan);
        if (all)
            WriteOthers(output, advice);
        foreach (var line in advice.DescribeNotes())
            CommandHelp.WriteWrapped(output, "", line);
        foreach (var (heading, command) in advice.DescribeCommands())
        {
            output.WriteLine();
            output.WriteLine(heading);
            output.WriteLine($"  {command}");
        }
    }

    private static void WritePlan(TextWriter output, StoragePlan plan)
    {
        output.WriteLine(plan.Name);
        // Files of a managed instance: those that must grow and the busiest others, then the instance.
        var files = plan.Choices.Where(choice => choice.File is not null).OrderByDescending(choice => choice.Change is not null).ToList();
        var shown = files.Take(MaxFiles).Concat(plan.Choices.Where(choice => choice.File is null)).ToList();
        // The disks of AWS have limits in MiB/s, and its virtual machines in MB/s.
        var hasUnits = !plan.IsManagedInstance && shown.DistinctBy(choice => choice.Unit).Count() > 1;
        var hasPrices = plan.Choices.Any(choice => choice.Price is not null);
        TextTable.WriteTable(
            output,
            TextTable.MinWidth,
            [
                .. shown.Select(choice =>
                    (string[])
                        [
                            choice.Role,
                            .. files.Count > 0 ? [TextTable.ShortenText(choice.File ?? "", MaxFileLength)] : Array.Empty<string>(),
                            choice.Storage,
                            FormatLimit(choice.LimitIops),
                            $"{FormatLimit(choice.LimitThroughput)}{(hasUnits ? $" {choice.Unit}" : "")}",
                            FormattableString.Invariant($"{choice.LoadPercent:0}%"),
                            choice.Bottleneck,
                            .. hasPrices ? [FormatPrice(choice.Price)] : Array.Empty<string>(),
                        ]
                ),
            ],
            [
                "Role",
                .. files.Count > 0 ? ["File"] : Array.Empty<string>(),
                "Storage",
                "#IOPS",
                $"{(plan.IsManagedInstance ? "?" : "")}#{(hasUnits ? "Throughput" : shown[0].Unit)}",
                "#Load",
                "Bottleneck",
                .. hasPrices ? ["#Price"] : Array.Empty<string>(),
            ]
        );
        if (files.Count > MaxFiles)
            output.WriteLine($"{files.Count - MaxFiles} more files: see --format json or --report.");
        output.WriteLine();

        static string FormatLimit(double? limit) => limit is { } value ? NumberFormat.Rate(value) : "none";

        // Only parts of a managed instance can have no price of their own.
        string FormatPrice(double? price) =>
            price is { } value ? NumberFormat.Price(value)
            : plan.IsManagedInstance ? ""
            : "missing";
    }

    private const int MaxFiles = 20;
    private const int MaxFileLength = 14;

    private static void WriteOthers(TextWriter output, StorageAdvice advice)
    {
        foreach (var plan in advice.Plans)
        {
            if (plan.Others.Count > 0)
            {
                CommandHelp.WriteWrapped(
                    output,
                    "",
                    $"{plan.Name}: other storage that fits: {string.Join(", ", plan.Others.Select(choice => choice.Storage).Distinct())}."
                );
                output.WriteLine();
            }
            if (plan.Rejected.Count == 0)
                continue;
            output.WriteLine($"{plan.Name}: storage that does not fit:");
            TextTable.WriteTable(
                output,
                TextTable.MinWidth,
                [.. plan.Rejected.Select(choice => new[] { choice.File ?? choice.Role, choice.Storage, choice.Reason! })],
                "Role",
                "Storage",
                "Reason"
            );
            output.WriteLine();
        }
        output.WriteLine("Not considered:");
        TextTable.WriteTable(
            output,
            TextTable.MinWidth,
            [.. advice.NotConsidered.Select(sku => new[] { sku.Storage, sku.Reason })],
            "Storage",
            "Reason"
        );
        output.WriteLine();
    }
}
