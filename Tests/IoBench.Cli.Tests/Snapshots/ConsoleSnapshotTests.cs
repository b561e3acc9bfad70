using System.Globalization;
using System.Text;

namespace IoBench.Cli.Tests;

/// <summary>Standard output, standard error and exit code of calls that print the same everywhere.</summary>
public class ConsoleSnapshotTests
{
    [SnapshotFact]
    public void Output_of_commands_is_as_recorded()
    {
        using var made = new MadeUpFiles();
        string Sample(params string[] parts) => SampleFiles.GetPath(parts);
        var files = new Dictionary<string, string[][]>
        {
            ["workloads.txt"] =
            [
                ["workloads"],
                ["workloads", "log-commit"],
                ["workloads", "sql-server"],
                ["workloads", "page-reed"],
                ["workloads", "--format", "xml"],
            ],
            ["rules.txt"] =
            [
                ["rules"],
                ["rules", "flash"],
                ["rules", "ms-2005"],
                ["rules", "none"],
            ],
            ["import.txt"] =
            [
                ["import", Sample("documents", "reads-8k-random-3-files.txt")],
                ["import", Sample("diskspd-runs", "v22-mix-r-L.out")],
                ["import", Sample("diskspd-runs", "v22-multi-si-L-D-xml.out")],
                ["import", Sample("fio", "v3.42-mix.json")],
                ["import", Sample("fio", "v2.21-error.json")],
                ["import", Sample("crystaldiskmark", "v8.txt")],
                ["import", Sample("vmfleet", "result.tsv")],
                ["import", made.Pass],
                ["import", Sample("documents", "param.txt")],
                ["import", Sample("diskspd-runs", "v22-err-badopt.out")],
                ["import", made.Text],
                ["import", made.Broken],
                ["import", made.File("missing.txt")],
                ["import", made.File("*.none")],
                ["import", made.Pass, "--format", "sqlio"],
            ],
            ["convert.txt"] =
            [
                ["convert", Sample("documents", "sqlio-commands.txt")],
                ["convert", Sample("documents", "diskspd-commands.txt")],
                ["convert", made.SqlioLines],
                ["convert", made.DiskSpdLines],
                ["convert", made.Text],
            ],
            ["compare.txt"] =
            [
                ["compare", made.Before, made.After],
                ["compare", made.After, "--baseline", made.Before],
                ["compare", made.Before, "--baseline", made.After],
                ["compare", made.Repeats, "--repeat"],
                ["compare", made.Pass],
                ["compare", made.Pass, "--role"],
            ],
            ["test.txt"] =
            [
                ["test", made.Pass, "--require", "flash"],
                ["test", made.Fail, "--require", "flash"],
                ["test", made.ShortRun, "--require", "flash"],
                ["test", made.NotRated, "--require", "flash"],
                ["test", made.Pass],
                ["test", made.Fail, "--storage", "hdd", "--units", "si"],
                ["test", made.Pass, "--require", "none"],
            ],
            ["saturation.txt"] =
            [
                ["saturation", made.Sweep],
                ["saturation", made.Pass],
            ],
            ["history.txt"] =
            [
                ["history", made.History],
                ["history", made.History, "--metric", "P99Ms"],
                ["history", made.History, "--metric", "none"],
                ["history", made.File("no-folder")],
            ],
            ["report.txt"] =
            [
                ["report", made.Pass, "--output", made.File("report.html")],
                ["report", made.Pass, "--output", made.File("report.html")],
                ["report", made.Fail, "--output", made.File("report.xlsx"), "--title", "Title"],
                ["report", made.Pass, "--require", "flash"],
                ["report", made.Pass],
                ["report", made.Pass, "--output", made.File("report.doc")],
            ],
            ["run.txt"] =
            [
                ["run", made.File("data.mdf")],
                ["run", made.File("none/data.dat"), "--size", "1MB", "--duration", "1s"],
                ["run", made.Text, "--write", "100", "--size", "1MB"],
                ["run", made.File("t.dat"), "--block", "8"],
                ["run", made.File("t.dat"), "--blok", "8KB"],
                ["run", made.File("t.dat"), "--qd", "9999"],
                ["run", made.File("t.dat"), "--write", "101"],
                ["run", made.File("t.dat"), "--workload", "page-reed"],
                ["run", made.File("t.dat"), "--steady-state", "--repeat", "3"],
                ["remove", made.Text],
                ["limit", made.File("t.dat")],
                ["verify", made.File("t.dat"), "--after-crash", made.File("missing.witness")],
                ["drill", made.File("t.dat"), "--duration", "soon"],
                ["cap", made.File("t.dat"), "--specification", "azure:P999"],
                ["fleet", made.File("missing.csv"), "T:\\iobench.dat"],
                ["frobnicate"],
                [],
            ],
            ["drop-ins.txt"] =
            [
                ["sqlio", "-kR", "-s0", "T:\\testfile.dat"],
                ["sqlio", "-kX", "T:\\testfile.dat"],
                ["sqlio", "-F" + made.File("missing.txt")],
                ["diskspd", "-q", "T:\\testfile.dat"],
                ["diskspd", "-w101", "-c1M", "T:\\testfile.dat"],
                ["diskspd"],
            ],
        };
        Snapshot.Match(
            "console",
            files.ToDictionary(file => file.Key, file => made.Normalize(string.Join('\n', file.Value.Select(Transcript))))
        );
    }

    [SnapshotFact]
    public void Exit_codes_are_as_recorded()
    {
        using var made = new MadeUpFiles();
        string[] none = ["--backend", "null", "--size", "1MB", "--duration", "100ms", "--warm-up", "0"];
        string[][] calls =
        [
            ["--help"],
            ["--version"],
            ["workloads"],
            ["rules"],
            ["workloads", "none"],
            ["rules", "none"],
            [],
            ["frobnicate"],
            ["import", made.Pass],
            ["import", made.Text],
            ["import", made.Broken],
            ["import", made.File("missing.txt")],
            ["import", made.Pass, made.File("missing.txt")],
            ["import", made.Pass, "--bogus"],
            ["convert", made.SqlioLines],
            ["convert", made.Text],
            ["compare", made.Before, made.After],
            ["compare", made.After, "--baseline", made.Before],
            ["compare", made.Before, "--baseline", made.After],
            ["test", made.Pass, "--require", "flash"],
            ["test", made.ShortRun, "--require", "flash"],
            ["test", made.Fail, "--require", "flash"],
            ["test", made.NotRated, "--require", "flash"],
            ["saturation", made.Sweep],
            ["saturation", made.Pass],
            ["history", made.History],
            ["history", made.File("no-folder")],
            ["report", made.Pass],
            ["run", made.File("data.mdf")],
            ["run", made.File("t.dat"), "--qd", "9999"],
            ["run", made.Text, "--write", "100", "--size", "1MB"],
            ["run", made.File("t.dat"), .. none],
            ["run", made.File("t.dat"), .. none, "--require", "none"],
            ["run", made.File("t.dat"), .. none, "--baseline", made.File("missing.json")],
            ["remove", made.Text],
            ["remove", made.File("missing.dat")],
            ["sqlio", "-?"],
            ["sqlio", "-kX", "T:\\testfile.dat"],
            ["sqlio", "-kR", "-s1", made.File("missing.dat")],
            ["diskspd", "-?"],
            ["diskspd", "-q", "T:\\testfile.dat"],
            ["diskspd", "-d1", made.File("missing.dat")],
        ];
        var lines = calls
            .Select(call => $"{Cli.Run(call).ExitCode, 3}  {Line(call)}")
            .Concat(
                new[] { new[] { "import", made.Pass }, ["run", made.File("t.dat"), .. none] }.Select(call =>
                    $"{Canceled(call), 3}  {Line(call)}, canceled"
                )
            );
        Snapshot.Match("exit-codes", new Dictionary<string, string> { ["exit-codes.txt"] = made.Normalize(string.Join('\n', lines)) });
    }

    private static string Transcript(string[] args)
    {
        var outcome = Cli.Run(args);
        var text = new StringBuilder($"$ {Line(args)}\n");
        if (outcome.Output.Length > 0)
            text.Append(CultureInfo.InvariantCulture, $"--- standard output\n{outcome.Output.TrimEnd('\n')}\n");
        if (outcome.Error.Length > 0)
            text.Append(CultureInfo.InvariantCulture, $"--- standard error\n{outcome.Error.TrimEnd('\n')}\n");
        return text.Append(CultureInfo.InvariantCulture, $"--- exit code {outcome.ExitCode}\n").ToString();
    }

    private static string Line(string[] args) =>
        string.Join(' ', ["iobench", .. args.Select(arg => arg.Contains(' ', StringComparison.Ordinal) ? $"\"{arg}\"" : arg)]);

    private static int Canceled(string[] args)
    {
        using var console = new CliConsole(TextWriter.Null, TextWriter.Null, errorIsTerminal: false, canAsk: false);
        console.Cancel();
        return App.Run(args, console);
    }
}
