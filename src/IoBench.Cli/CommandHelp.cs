using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using IoBench.Analysis;

namespace IoBench.Cli;

/// <summary>Help of the program: all commands in groups. Help of a command: usage, arguments, and options in groups, with one long and one
/// short name per option. <c>--help-all</c> also shows the options that few users need.</summary>
internal sealed class CommandHelp : SynchronousCommandLineAction
{
    private const int NameWidth = 32;
    private const string OtherGroup = "Other options";

    private static readonly (string Title, string[] Options)[] s_groups =
    [
        (
            "What to test",
            [
                "--workload",
                "--block-size",
                "--block-mix",
                "--write-percent",
                "--access-pattern",
                "--random-percent",
                "--distribution",
                "--data-path",
                "--log-path",
                "--tempdb-path",
                "--backup-path",
                "--mix-load",
                "--from-file-stats",
                "--from-xevents",
                "--path-mode",
                "--buffering",
                "--verify",
                "--max-latency-ms",
                "--statistic",
                "--operation",
                "--provisioned",
                "--specification",
            ]
        ),
        (
            "How long and how large",
            [
                "--file-size",
                "--storage-cache-size",
                "--duration",
                "--warm-up",
                "--cool-down",
                "--idle",
                "--repeat",
                "--shuffle",
                "--steady-state",
                "--max-rounds",
                "--precondition",
                "--resume",
                "--stop-above-ms",
                "--until-key",
            ]
        ),
        (
            "Load",
            [
                "--thread-count",
                "--outstanding-io",
                "--read-outstanding",
                "--write-outstanding",
                "--target-iops",
                "--require-rate",
                "--arrivals",
                "--max-rate",
                "--burst-size",
                "--think-time",
                "--max-iops",
                "--ramp",
                "--alone",
                "--group-iops",
                "--group-max-rate",
            ]
        ),
        (
            "Results",
            [
                "--format",
                "--output",
                "--report",
                "--metrics",
                "--title",
                "--label",
                "--label-from",
                "--histogram",
                "--heatmap",
                "--units",
                "--no-summary",
                "--classic",
                "--body",
                "--errorlog",
                "--interval",
                "--quiet",
                "--verbose",
            ]
        ),
        ("Verdict", ["--require", "--baseline", "--storage", "--limit", "--by", "--alpha", "--min-change-percent"]),
        (
            "Safety",
            ["--overwrite", "--erase-device", "--fill-volume", "--read-database", "--force", "--remove-test-file", "--yes", "--witness"]
        ),
    ];

    public override int Invoke(ParseResult parseResult)
    {
        Write(parseResult.InvocationConfiguration.Output, parseResult.CommandResult.Command);
        return ExitCodes.Success;
    }

    private static void Write(TextWriter output, Command command)
    {
        WriteWrapped(output, "", command.Description ?? "");
        output.WriteLine();
        var path = GetPath(command);
        var arguments = string.Concat(command.Arguments.Select(argument => $" {DescribeArgument(argument)}"));
        output.WriteLine($"Usage: {path}{arguments} [options]");
        if (command.Subcommands.Count > 0)
            output.WriteLine($"       {path} <command>");
        WriteEntries(output, "Arguments", command.Arguments.Select(argument => (DescribeArgument(argument), argument.Description ?? "")));
        var options = command.Options.Where(option => !option.Hidden && option is not HelpOption).ToList();
        foreach (var (title, names) in s_groups)
            WriteEntries(
                output,
                title,
                names.Select(name => options.Find(option => option.Name == name)).OfType<Option>().Select(DescribeOption)
            );
        var known = s_groups.SelectMany(group => group.Options).ToHashSet();
        WriteEntries(output, OtherGroup, options.Where(option => !known.Contains(option.Name)).Select(DescribeOption));
        WriteEntries(output, "Commands", command.Subcommands.Select(inner => (inner.Name, inner.Description ?? "")));
        output.WriteLine();
        if (Examples.TryGetValue(command.Name, out var examples))
        {
            output.WriteLine("Examples");
            foreach (var example in examples)
                output.WriteLine($"  {example}");
            output.WriteLine();
        }
        output.WriteLine("Learn more: iobench help <option>; iobench help exit-codes; docs/index.md");
    }

    private static string GetPath(Command command) =>
        command is RootCommand ? "iobench" : $"{GetPath(command.Parents.OfType<Command>().First())} {command.Name}";

    private static string DescribeArgument(Argument argument)
    {
        var name = argument.Arity.MaximumNumberOfValues > 1 ? $"<{argument.Name}>..." : $"<{argument.Name}>";
        return argument.Arity.MinimumNumberOfValues == 0 ? $"[{name}]" : name;
    }

    // Other names still work. 'iobench help OPTION' shows them.
    private static (string Name, string Description) DescribeOption(Option option)
    {
        var shortName = option.Aliases.FirstOrDefault(alias => alias.Length == 2 && alias[0] == '-');
        var value = option.HelpName is { } name ? $" <{name}>" : "";
        return ($"{(shortName is null ? "    " : shortName + ", ")}{option.Name}{value}", option.Description ?? "");
    }

    private static void WriteEntries(TextWriter output, string title, IEnumerable<(string Name, string Description)> entries)
    {
        var list = entries.ToList();
        if (list.Count == 0)
            return;
        output.WriteLine();
        output.WriteLine(title);
        foreach (var (name, description) in list)
        {
            var heading = $"  {name}";
            if (heading.Length >= NameWidth)
            {
                output.WriteLine(heading);
                heading = "";
            }
            WriteWrapped(output, heading.PadRight(NameWidth), description);
        }
    }

    public const string Title =
        "Measures storage the way SQL Server uses it, and reads the results of SQLIO, DiskSpd, fio, and other tools.";

    private static readonly (string Title, string[] Commands)[] s_commandGroups =
    [
        ("Test storage", ["run", "verify", "drill", "limit", "cap", "commit", "where", "fleet", "check"]),
        ("Use results", ["import", "report", "compare", "test", "saturation", "history", "advise", "errorlog"]),
        ("SQLIO and DiskSpd", ["sqlio", "diskspd", "convert"]),
        ("Catalog", ["workloads", "rules"]),
        ("Maintenance", ["remove", "witness", "replica", "help"]),
    ];

    public static void WriteStartPage(TextWriter output, RootCommand root)
    {
        WriteWrapped(output, "", Title);
        output.WriteLine();
        output.WriteLine("Usage: iobench <command> [options]");
        foreach (var (title, names) in s_commandGroups)
        {
            output.WriteLine();
            output.WriteLine(title);
            foreach (var name in names)
                WriteWrapped(output, $"  {name, -11} ", root.Subcommands.Single(command => command.Name == name).Description ?? "");
        }
        string[] end =
        [
            "",
            "Examples",
            @"  iobench run T:\ --workload sql-server --report results.xlsx",
            @"  iobench import D:\old --recurse --report old.xlsx",
            @"  iobench cap D:\ --provisioned azure:P30",
            "",
            "Learn more",
            "  iobench <command> --help",
            "  iobench help <option, message id, or exit-codes>",
            "  docs/index.md",
        ];
        foreach (var line in end)
            output.WriteLine(line);
    }

    /// <summary>Writes each text in lines of at most 79 characters, and an empty line after it.</summary>
    public static void WriteParagraphs(TextWriter output, IEnumerable<string> texts)
    {
        foreach (var text in texts)
        {
            WriteWrapped(output, "", text);
            output.WriteLine();
        }
    }

    /// <summary>Writes a text in lines of at most 79 characters, with a heading in the first line and spaces in the others.</summary>
    public static void WriteWrapped(TextWriter output, string heading, string text)
    {
        var line = heading;
        var indent = new string(' ', heading.Length);
        foreach (var word in text.Split(' '))
        {
            if (line.Length + word.Length > TextTable.MinWidth && line != heading && line != indent)
            {
                output.WriteLine(line.TrimEnd());
                line = indent;
            }
            line += word + " ";
        }
        output.WriteLine(line.TrimEnd());
    }

    /// <summary>Examples at the end of the help of each command, by the name of the command.</summary>
    internal static readonly IReadOnlyDictionary<string, string[]> Examples = new Dictionary<string, string[]>
    {
        ["run"] =
        [
            @"iobench run T:\ --workload sql-server --report results.xlsx",
            @"iobench run T:\ --outstanding-io 1,2,4,8,16,32,64 --report depth.xlsx",
            @"iobench run --data-path D:\ --log-path L:\ --tempdb-path T:\",
            @"iobench run T:\ --workload canary --require ms-2005 --output {date}.json",
        ],
        ["verify"] =
        [
            @"iobench verify E:\ --file-size 10GB --write-percent 50 --duration 10m",
            @"iobench verify E:\iobench.dat --write-percent 0",
        ],
        ["drill"] = [@"iobench drill \\cluster\sql\ --duration 10m", @"iobench drill E:\ --until-key --limit 5s"],
        ["limit"] =
        [
            @"iobench limit D:\ --max-latency-ms 5",
            @"iobench limit L:\ --workload log-commit --max-latency-ms 2 --statistic p99",
        ],
        ["cap"] = [@"iobench cap D:\ --provisioned azure:P30", @"iobench cap D:\ E:\ --duration 60s"],
        ["commit"] =
        [
            "iobench commit /var/opt/mssql/data",
            @"iobench commit L:\ --report commit.xlsx",
            @"iobench commit L:\ --replica sql2:8434 --secret-file secret.txt --redo",
        ],
        ["where"] = ["iobench where /var/opt/mssql/data --report latency.html", @"iobench where D:\ --ab filter-on.cmd filter-off.cmd"],
        ["fleet"] =
        [
            "iobench fleet hosts.csv --workload sql-server --report fleet.xlsx",
            @"iobench fleet sql1,sql2 T:\ --duration 30s",
            "iobench fleet merge sql1.json sql2.json --report fleet.xlsx",
        ],
        ["merge"] = ["iobench fleet merge sql1.json sql2.json --report fleet.xlsx"],
        ["check"] = [@"iobench check T:\ L:\", "iobench check /var/opt/mssql/data --output check.json"],
        ["import"] = [@"iobench import D:\old --recurse --report old.xlsx", "iobench import old.txt --format csv"],
        ["report"] =
        [
            "iobench report results.json --report results.xlsx",
            "iobench report old.json new.json --label-from filename --report new.html",
        ],
        ["compare"] = ["iobench compare before.json after.json", "iobench compare before.json after.json --report change.xlsx"],
        ["test"] =
        [
            "iobench test results.json",
            "iobench test results.json --require ms-2005 --format json",
            "iobench test samples.csv --report files.xlsx",
        ],
        ["advise"] = ["iobench advise samples.csv --cloud azure", "iobench advise samples.csv --prices prices.csv"],
        ["saturation"] = ["iobench saturation depth.json"],
        ["history"] = [@"iobench history D:\nightly", @"iobench history D:\nightly --metric P99Ms --report trend.xlsx"],
        ["errorlog"] = [@"iobench errorlog D:\MSSQL\Log", "iobench errorlog ERRORLOG ERRORLOG.1 --report errorlog.html"],
        ["convert"] = ["iobench convert test.bat", "iobench convert profile.xml --format json"],
        ["workloads"] = ["iobench workloads", "iobench workloads log-commit"],
        ["rules"] = ["iobench rules", "iobench rules flash --format json"],
        ["remove"] = [@"iobench remove T:\"],
        ["replica"] = [@"iobench replica L:\ --listen 192.0.2.7:8434 --secret-file secret.txt"],
        ["witness"] = ["iobench witness --output E:\\witness.log --listen 192.0.2.7:8433"],
    };

    public const string HelpAllOption = "--help-all";

    /// <summary>Shows the query of a captured workload for <c>--from-file-stats --help</c>. Returns false if other help is
    /// requested.</summary>
    public static bool TryShowFileStatsHelp(CliConsole console, IReadOnlyList<string> args)
    {
        if (args is not ["run", ..] || !args.Contains("--from-file-stats") || !args.Any(arg => arg is "--help" or "-h" or "-?"))
            return false;
        console.Out.WriteLine(
            "--from-file-stats BEFORE,AFTER or --from-file-stats SAMPLES: CSV files with two or more snapshots of one server."
        );
        console.Out.WriteLine(
            "Two snapshots show the average load. Several snapshots at short intervals also show the busiest window. This query takes a snapshot (for other options, see iobench run --help):"
        );
        console.Out.WriteLine();
        foreach (var line in FileStatsSnapshot.QueryText.TrimEnd('\n').Split('\n'))
            console.Out.WriteLine(line);
        console.Out.WriteLine();
        foreach (var line in FileStatsSnapshot.AzureSqlDatabaseQueryText.TrimEnd('\n').Split('\n'))
            console.Out.WriteLine(line);
        return true;
    }

    public static void AddHiddenOptions(Command command, IEnumerable<Option> options)
    {
        foreach (var option in options)
        {
            option.Hidden = true;
            command.Add(option);
        }
        // Several sets of options of one command can have hidden options, but the command has one --help-all.
        if (command.Options.Any(option => option.Name == HelpAllOption))
            return;
        command.Add(new Option<bool>(HelpAllOption) { Description = "Show all options.", Arity = ArgumentArity.Zero });
    }

    /// <summary>Shows the hidden options and turns the arguments into a request for help.</summary>
    public static IReadOnlyList<string> ExpandHelpRequest(RootCommand root, IReadOnlyList<string> args)
    {
        foreach (var option in root.Subcommands.SelectMany(command => command.Options))
            option.Hidden = false;
        return [.. args.TakeWhile(arg => !arg.StartsWith('-')).Take(1), "--help"];
    }
}
