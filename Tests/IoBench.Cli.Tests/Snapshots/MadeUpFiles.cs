using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>Files with made-up results for the snapshots of commands, in a folder of their own.</summary>
internal sealed class MadeUpFiles : IDisposable
{
    private static readonly DateTimeOffset s_start = new(2026, 1, 10, 2, 0, 0, TimeSpan.Zero);
    private readonly TestFolder _folder = new();

    public MadeUpFiles()
    {
        Pass = Save("pass.json", PageRead(1, 0.25), LogCommit(0.5));
        Fail = Save("fail.json", PageRead(1, 4), LogCommit(8));
        ShortRun = Save("short.json", Short(PageRead(1, 0.25)), Short(LogCommit(0.5)));
        NotRated = Save("not-rated.json", PageRead(256, 60));
        Before = Save("before.json", [.. new[] { 0.25, 0.26, 0.24 }.Select(ms => PageRead(1, ms)), LogCommit(0.5)]);
        After = Save("after.json", [.. new[] { 0.5, 0.52, 0.48 }.Select(ms => PageRead(1, ms)), LogCommit(0.5)]);
        Repeats = Save("repeats.json", Repeat(1, 0.25), Repeat(2, 0.26), Repeat(3, 0.24));
        Sweep = Save("sweep.json", Step(1, 1), Step(2, 1), Step(4, 1.02), Step(8, 2), Step(16, 4));
        History = Directory.CreateDirectory(_folder.GetPath("history")).FullName;
        Save("history/nights.json", [.. Enumerable.Range(0, 12).Select(Night)]);
        SqlioLines = _folder.WriteFile(
            "sqlio.cmd",
            "sqlio -kR -s60 -frandom -o8 -b8 -LS -t4 T:\\testfile.dat > reads.txt\nsqlio -kW -s60 -fsequential -o1 -b60 -LS T:\\testfile.dat\n"
        );
        DiskSpdLines = _folder.WriteFile(
            "diskspd.cmd",
            "diskspd -b8K -d60 -o8 -t4 -r -w30 -Sh -L T:\\testfile.dat > mixed.txt\ndiskspd -b60K -d60 -si -w100 T:\\testfile.dat\n"
        );
        Broken = _folder.WriteFile("broken.json", "[{\"iops\": }]");
        Text = _folder.WriteFile("text.txt", "This is not a result.\n");
    }

    public string Pass { get; }
    public string Fail { get; }
    public string ShortRun { get; }
    public string NotRated { get; }
    public string Before { get; }
    public string After { get; }
    public string Repeats { get; }
    public string Sweep { get; }
    public string History { get; }
    public string SqlioLines { get; }
    public string DiskSpdLines { get; }
    public string Broken { get; }
    public string Text { get; }

    /// <summary>A path in the folder.</summary>
    public string File(string name) => _folder.GetPath(name);

    /// <summary>A text with a placeholder for the folder, also where JSON escapes its path.</summary>
    public string Normalize(string text) => text.Replace(_folder.Path, "{folder}", StringComparison.Ordinal);

    public void Dispose() => _folder.Dispose();

    private static IoTestResult PageRead(int outstanding, double ms) =>
        Result(outstanding == 1 ? "page-read-qd1" : "page-read", IoOperation.Read, IoAccessPattern.Random, 8, outstanding, ms);

    private static IoTestResult Step(int outstanding, double ms) =>
        Result("page-read", IoOperation.Read, IoAccessPattern.Random, 8, outstanding, ms);

    private static IoTestResult LogCommit(double ms) => Result("log-commit", IoOperation.Write, IoAccessPattern.Sequential, 4, 1, ms);

    private static IoTestResult Short(IoTestResult result)
    {
        (result.FileSizeMB, result.DurationSeconds) = (1024, 3);
        return result;
    }

    private static IoTestResult Repeat(int number, double ms)
    {
        var result = PageRead(1, ms);
        (result.Repeat, result.StartTime) = (number, s_start.AddMinutes(number));
        return result;
    }

    private static IoTestResult Night(int day)
    {
        var result = PageRead(1, 0.25 + 0.01 * day);
        (result.StartTime, result.RunId) = (s_start.AddDays(day), $"night-{day}");
        return result;
    }

    private static IoTestResult Result(
        string workload,
        IoOperation operation,
        IoAccessPattern pattern,
        double block,
        int outstanding,
        double ms
    ) =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            RunId = "run",
            Workload = workload,
            ComputerName = "SQL1",
            StartTime = s_start,
            Path = "T:\\iobench.dat",
            TargetCount = 1,
            FileSizeMB = 20480,
            ThreadCount = 1,
            OutstandingIO = outstanding,
            TotalOutstanding = outstanding,
            BlockSizeKB = block,
            Operation = operation,
            WritePercent = operation == IoOperation.Read ? 0 : 100,
            AccessPattern = pattern,
            IOPattern = $"{block}KB {$"{pattern} {operation}".ToLowerInvariant()}",
            Buffering = IoBuffering.None,
            LoadModel = IoLoadModel.Closed,
            DurationSeconds = 30,
            IOPS = outstanding * 1000 / ms,
            BandwidthMBps = outstanding * 1000 / ms * block / 1024,
            AverageLatencyMs = ms,
            P50Ms = ms,
            P99Ms = ms * 2,
            MaxLatencyMs = ms * 10,
            LittlesLawLatencyMs = ms,
        };

    private string Save(string name, params IoTestResult[] results)
    {
        using (var writer = new StreamWriter(_folder.GetPath(name)))
            ResultWriter.Write(writer, results, ResultFormat.Json);
        return _folder.GetPath(name);
    }
}
