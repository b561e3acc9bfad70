using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary><c>iobench fleet</c>: tests that begin on many hosts at one moment, and one answer for all of them.</summary>
internal static class FleetCommand
{
    public static Command Create(CliConsole console)
    {
        var inventory = new Argument<string>("INVENTORY") { Description = "a file of hosts (.csv, .json, Ansible's .ini or .yml), or names with commas between them; localhost is this computer." };
        var path = new Argument<string?>("PATH") { Description = "what is tested on each host that names nothing of its own: a test file, or a folder.", Arity = ArgumentArity.ZeroOrOne };
        var tests = new RowOptions(OptionTables.FleetTests.Where(row => row.Name != Opt.Force.Name));
        var lead = new RowOptions(OptionTables.FleetLead);
        var output = new OutputOptions();
        var require = OptionText.Create("--require", "TEXT", "Figures to reach, such as \"sum iops > 300000\" or \"p99 < 5\"; exit code 3 when one is missed.");
        var write = OptionText.Create("--document", "KIND", $"Run nothing; write a document that starts the same on all hosts: {string.Join(", ", FleetDocuments.Names)}.");
        var startAt = OptionText.Create("--start-at", "TIME", "With a document: when the first test begins, 02:00 or 2026-12-01T02:00:00Z.");
        var quiet = OptionText.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command("fleet", "Runs tests on many hosts, each test at one moment on all of them: the sum, the slowest host, the knee of the storage that they share.") { inventory, path };
        lead.AddTo(command);
        command.Add(require);
        tests.AddTo(command, twoPages: true);
        output.AddTo(command);
        command.Add(write);
        command.Add(startAt);
        command.Add(quiet);
        command.Add(Merge(console));
        command.SetAction(parsed =>
        {
            var values = lead.Read(parsed);
            var results = output.Read(parsed, DateTime.Now);
            var plan = FleetPlan.Create(FleetInventory.Read(parsed.GetValue(inventory)!), parsed.GetValue(path), () => new PlanRequest([], tests.Read(parsed)));
            if (parsed.Text(write) is { } kind)
                return WriteDocument(console, plan, values, kind, parsed.Text(startAt), results.Force);
            return new FleetRun(console) { Lead = values, Output = results, Requirements = parsed.Text(require) is { } text ? FleetRequirement.Parse(text) : [], IsQuiet = parsed.GetValue(quiet) }.Execute(plan);
        });
        return command;
    }

    private static Command Merge(CliConsole console)
    {
        var files = new Argument<string[]>("FILE") { Description = "what members printed, a file for each host.", Arity = ArgumentArity.OneOrMore };
        var output = new OutputOptions();
        var require = OptionText.Create("--require", "TEXT", "Figures to reach; exit code 3 when one is missed.");
        var command = new Command("merge", "Reads what members printed that started at a time by themselves, in any order, and gives their one answer.") { files };
        command.Add(require);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var run = new FleetRun(console) { Lead = new OptionValues(OptionTables.FleetLead), Output = output.Read(parsed, DateTime.Now), Requirements = parsed.Text(require) is { } text ? FleetRequirement.Parse(text) : [] };
            return run.End(FleetFiles.Read(parsed.GetValue(files)!), saves: true);
        });
        return command;
    }

    private static int WriteDocument(CliConsole console, FleetPlan plan, OptionValues lead, string kind, string? startAt, bool force)
    {
        if (startAt is null)
            throw IoBenchException.Usage(FleetErrors.Member, $"{new OptionName("Document")}: hosts that nobody leads begin at a time. Give {new OptionName("StartAt")} too.");
        var text = FleetDocuments.Write(kind, plan, new FleetDocumentRequest(FleetIds.New(DateTimeOffset.Now), FleetTime.Parse(startAt, DateTimeOffset.Now), lead.Text(new OptionName("Program")) ?? "iobench", force));
        console.Data.Write(text);
        console.Data.Flush();
        return ExitCodes.Done;
    }
}
