using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

public class DiskSpdDropInTests
{
    /// <summary>Runs every published DiskSpd command for 1 second on test files.</summary>
    [Fact]
    public void Eight_published_DiskSpd_commands_run()
    {
        var commands = File.ReadAllLines(SampleFiles.GetPath("documents", "diskspd-commands.txt"))
            .Where(l => l.StartsWith("diskspd", StringComparison.Ordinal))
            .ToList();
        Assert.Equal(8, commands.Count);
        // Each takes a second at least, so four run at the same time.
        Parallel.ForEach(commands, new ParallelOptions { MaxDegreeOfParallelism = 4 }, RunCommand);

        static void RunCommand(string command)
        {
            using var folder = new TestFolder();
            string[] args =
            [
                "diskspd",
                "-W0",
                "-c64M",
                .. command.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).SkipLast(1).Select(a => a == "-d15" ? "-d1" : a),
                folder.GetPath("iotest.dat"),
            ];
            var outcome = Cli.Run(args);
            Assert.True(outcome.ExitCode == 0, command + outcome.Error);
            var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
            Assert.Equal(DiskSpdFormat.Source, read.Source);
            Assert.True(read.IOPS > 0);
            Assert.NotNull(read.AverageLatencyMs);
        }
    }

    [Fact]
    public void Xml_output_can_be_read_back()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-b8K", "-d1", "-W0", "-o2", "-t2", "-r", "-w50", "-L", "-Rxml", "-c8M", folder.GetPath("t.dat"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var read = ResultReader.ReadFile(folder.WriteFile("out.xml", outcome.Output)).Single();
        Assert.Equal((DiskSpdFormat.XmlSource, 2, 50), (read.Source, read.ThreadCount!.Value, read.WritePercent!.Value));
    }

    [Fact]
    public void Missing_file_is_an_error_when_no_size_is_given()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-d1", folder.GetPath("t.dat"));
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains("-c1G", Assert.Single(outcome.ErrorLines));
        Assert.False(File.Exists(folder.GetPath("t.dat")));
    }

    [Fact]
    public void Failed_run_writes_complete_text_or_Xml()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-d1", "-b8K", "-r", folder.GetPath("t.dat"));
        Assert.Contains(
            "The test was interrupted before the measurements began. No results are displayed.",
            outcome.Output,
            StringComparison.Ordinal
        );
        Assert.Contains("Results for timespan 1:", outcome.Output, StringComparison.Ordinal);
        var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
        Assert.Equal(
            (IoResultStatus.Incomplete, 8192L, folder.GetPath("t.dat")),
            (read.Status, read.Specification!.BlockSize, read.Specification.Targets[0].Path)
        );

        Assert.Contains($"cpu count:\t\t{HostFacts.GetProcessorGroups().Sum()}", outcome.Output, StringComparison.Ordinal);

        outcome = Cli.Run("diskspd", "-Rxml", "-d1", "-b8K", "-r", folder.GetPath("t.dat"));
        Assert.Equal(1, outcome.ExitCode);
        var document = System.Xml.Linq.XDocument.Parse(outcome.Output);
        Assert.Single(document.Root!.Elements("TimeSpan").Select(span => span.Element("Error")));
        Assert.Empty(document.Descendants("Thread"));
        Assert.Equal(IoResultStatus.Incomplete, ResultReader.ReadFile(folder.WriteFile("out.xml", outcome.Output)).Single().Status);
    }

    [Theory]
    [InlineData("-Rptext", "timespan:")]
    [InlineData("-Rpxml", "<Profile>")]
    public void Rp_option_prints_the_profile_without_running(string option, string part)
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", option, "-b8K", "-r", "-c8M", folder.GetPath("t.dat"));
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains(part, outcome.Output);
        Assert.False(File.Exists(folder.GetPath("t.dat")));
    }

    [Fact]
    public void Verbose_lines_and_progress_dots_precede_the_output()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "diskspd",
            "-b8K",
            "-d1",
            "-W1",
            "-C1",
            "-t2",
            "-si",
            "-z5",
            "-a0",
            "-v",
            "-P5",
            "-c8M",
            folder.GetPath("t.dat")
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var before = outcome.Output[..outcome.Output.IndexOf("Command Line:", StringComparison.Ordinal)];
        var file = folder.GetPath("t.dat");
        var processors = $"get system perf info: queried for Group 0 ({HostFacts.GetProcessorGroups()[0]} CPUs)";
        var at = -1;
        foreach (
            var line in (string[])
                [
                    "Generating requests for timespan 1.",
                    "creating thread 0",
                    $"thread 0 is relative thread 0 for {file}",
                    "creating thread 1",
                    "thread 0: affinitizing to Group 0 / CPU 0",
                    $"thread 0: file '{file}' relative thread 0 (random seed: 5)",
                    "thread 0: interlocked sequential IO",
                    "thread 0: waiting for a signal to start",
                    "thread 0: received signal to start",
                    "thread 1: affinitizing to Group 0 / CPU 0",
                    $"thread 1: file '{file}' relative thread 1 (random seed: 6)",
                    "starting warm up for 1s...",
                    processors,
                    "starting measurements for 1s...",
                    "stopped measurements, total measured time 1.0",
                    processors,
                    "starting cool down for 1s...",
                    "finished test...",
                ]
        )
        {
            var found = before.IndexOf(": " + line, at + 1, StringComparison.Ordinal);
            Assert.True(found > at, line + before);
            at = found;
        }
        Assert.Contains("....", before, StringComparison.Ordinal);
        Assert.Contains("using verbose mode", outcome.Output, StringComparison.Ordinal);
        var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
        Assert.Equal((IoResultStatus.Complete, 2), (read.Status, read.ThreadCount!.Value));
        Assert.Empty(read.Warnings);
    }

    /// <summary>
    /// Threads of a pool serve every target; without affinity no thread is bound. Verbose lines go to standard error with XML output.
    /// </summary>
    [Fact]
    public void Verbose_lines_of_a_thread_pool_omit_affinity_when_disabled()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "diskspd",
            "-b8K",
            "-d1",
            "-W0",
            "-F1",
            "-rs40",
            "-n",
            "-v",
            "-Rxml",
            "-c8M",
            folder.GetPath("a.dat"),
            folder.GetPath("b.dat")
        );
        Assert.StartsWith("<Results>", outcome.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("affinitizing", outcome.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("is relative thread", outcome.Error, StringComparison.Ordinal);
        foreach (var name in (string[])["a.dat", "b.dat"])
            Assert.Contains(
                $": thread 0: file '{folder.GetPath(name)}' relative thread 0 (random seed: 0)",
                outcome.Error,
                StringComparison.Ordinal
            );
        Assert.Equal(2, outcome.ErrorLines.Count(line => line.EndsWith(": thread 0: 40% random IO", StringComparison.Ordinal)));
    }

    /// <summary>The expected elements come from a real run of DiskSpd 2.2.</summary>
    [Fact]
    public void Xml_thread_elements_match_DiskSpd_2_2()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-b8K", "-d1", "-W0", "-t2", "-r", "-w50", "-L", "-vs", "-Rxml", "-c8M", folder.GetPath("t.dat"));
        Assert.Contains(
            "-vs: IoBench does not measure wait statistics, so they are 0.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        var genuine = System.Xml.Linq.XDocument.Parse(
            File.ReadAllText(SampleFiles.GetPath("diskspd-runs", "v22-mix-r-L-D-xml.out"))
                .Replace("\"<unknown>\"", "\"\"", StringComparison.Ordinal)
        );
        var document = System.Xml.Linq.XDocument.Parse(outcome.Output);
        var target = genuine
            .Descendants("Thread")
            .First()
            .Element("Target")!
            .Elements()
            .Select(e => e.Name.LocalName)
            .Where(name => name != "Iops")
            .ToList();
        Assert.All(
            document.Descendants("Thread"),
            thread =>
            {
                Assert.Equal(["Id", "Target", "WaitStatistics"], thread.Elements().Select(e => e.Name.LocalName));
                Assert.Equal(target, thread.Element("Target")!.Elements().Select(e => e.Name.LocalName));
                Assert.Equal(["0", "0", "0", "0", "0 0 0 0 0 0 0 0"], thread.Element("WaitStatistics")!.Elements().Select(e => e.Value));
            }
        );
        Assert.Contains(
            "Wait Statistics",
            Cli.Run("diskspd", "-d1", "-W0", "-vs", folder.GetPath("t.dat")).Output,
            StringComparison.Ordinal
        );
    }

    /// <summary>With -D, each thread and target has its own intervals.</summary>
    [Fact]
    public void Intervals_of_each_thread_are_read_back_from_Xml()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "diskspd",
            "-b8K",
            "-d1",
            "-W0",
            "-t2",
            "-r",
            "-w50",
            "-L",
            "-D250",
            "-Rxml",
            "-c8M",
            folder.GetPath("t.dat")
        );
        var read = ResultReader.ReadFile(folder.WriteFile("out.xml", outcome.Output)).Single();
        Assert.Equal(2, read.Threads.Count);
        Assert.All(read.Threads, t => Assert.Equal([0.25, 0.5, 0.75, 1], t.Timeline.Select(p => p.Seconds)));
        for (var i = 0; i < 4; i++)
        {
            Assert.Equal(read.Timeline[i].IOPS!.Value, read.Threads.Sum(t => t.Timeline[i].IOPS!.Value), 3.0);
            Assert.Equal(read.Timeline[i].ReadLatency!.MinMs, read.Threads.Min(t => t.Timeline[i].ReadLatency!.MinMs));
            Assert.Equal(read.Timeline[i].WriteLatency!.MaxMs, read.Threads.Max(t => t.Timeline[i].WriteLatency!.MaxMs));
            Assert.All(
                read.Threads,
                t => Assert.True(t.Timeline[i].ReadLatency is { } l && l.MinMs <= l.AverageMs && l.AverageMs <= l.MaxMs && l.StdDevMs >= 0)
            );
        }
        foreach (var thread in read.Threads)
        {
            var rates = thread.Timeline.Select(p => p.ReadIOPS!.Value).ToList();
            Assert.Equal(Math.Sqrt(rates.Average(r => (r - rates.Average()) * (r - rates.Average()))), thread.Read.IopsStdDev!.Value, 0.51);
        }
    }

    [Fact]
    public void Effective_distributions_are_in_text_and_Xml()
    {
        using var folder = new TestFolder();
        string[] args = ["-b4K", "-d1", "-W0", "-t2", "-r", "-rdpct90/25:0/25", "-c8M", folder.GetPath("t.dat")];
        var outcome = Cli.Run(["diskspd", .. args]);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains(
            CliOutcome.NormalizeLegacyText(
                $"Effective IO Distributions\r\n--------------------------\r\ntarget: {folder.GetPath("t.dat")} [thread: 0 1]\r\n    90% of IO => [     0    -      2MiB)\r\n    10% of IO => [     4MiB -      8MiB)\r\n"
            ),
            outcome.Output,
            StringComparison.Ordinal
        );
        Assert.Equal(
            $"target: {folder.GetPath("t.dat")} [thread: 0 1]\n90% of IO => [     0    -      2MiB)\n10% of IO => [     4MiB -      8MiB)",
            ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single().ToolDetails["Effective IO distributions"]
        );

        var document = System.Xml.Linq.XDocument.Parse(Cli.Run(["diskspd", "-Rxml", .. args]).Output);
        var ranges = document
            .Descendants("Thread")
            .Select(t => string.Join(' ', t.Descendants("Range").Select(r => $"{r.Attribute("IO")!.Value}:{r.Value}")));
        Assert.Equal(["90:2097152 0:2097152 10:4194304", "90:2097152 0:2097152 10:4194304"], ranges);
    }

    /// <summary>Runs each option; the output must show the requested pattern.</summary>
    [Theory]
    [InlineData("-b4K -t2 -o4 -r -w30 -z7 -Zr -Suw -D200", "4KB random 30% write", 2, 4)]
    [InlineData("-b64K -si -t2 -o2 -w100 -Z1M -Su", "64KB interlocked write", 2, 2)]
    [InlineData("-b8K -s16K -T1M -t2 -B1M -f6M -Sw -fs", "8KB sequential read", 2, 2)]
    [InlineData("-b8K -rs50 -o3 -Sb -n -I1", "8KB part random read", 1, 3)]
    [InlineData("-b8K -r4K -rdpct90/10:0/10 -g200i -o1 -h", "8KB random read", 1, 1)]
    [InlineData("-b16K -F2 -O3 -a0 -fr", "16KB sequential read", 2, 3)]
    [InlineData("-b8K -p -o2 -i5 -j10 -x -w100 -Z", "8KB sequential write", 1, 2)]
    [InlineData("-b8K -g100 -C1 -L", "8KB sequential read", 1, 2)]
    public void IO_options_are_applied_and_read_back_from_the_output(string options, string pattern, int threads, int outstanding)
    {
        using var folder = new TestFolder();
        // A rate limit keeps the rate low, and a busy computer can also lower it.
        var leastIops = options.Contains("-g200i", StringComparison.Ordinal) ? 100 : 0.1;
        var leastBytes = options.Contains("-g100 ", StringComparison.Ordinal) ? 50_000 : 1;
        var read = TestTimeouts.RetryUntil(
            r => r.IOPS >= leastIops && r.ByteCount >= leastBytes,
            () =>
            {
                var outcome = Cli.Run(["diskspd", "-d1", "-W0", "-c8M", .. options.Split(' '), folder.GetPath("t.dat")]);
                Assert.True(outcome.ExitCode == 0, outcome.Error);
                return ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
            }
        );
        Assert.Equal(
            (pattern, threads, outstanding, IoResultStatus.Complete),
            (PatternText.Describe(read.Specification!), read.ThreadCount!.Value, read.OutstandingIO!.Value, read.Status)
        );
        Assert.True(read.IOPS > 0);
        if (options.Contains("-g200i", StringComparison.Ordinal))
            Assert.InRange(read.IOPS!.Value, 100, 260);
        if (options.Contains("-g100 ", StringComparison.Ordinal))
            Assert.InRange(read.ByteCount!.Value, 50_000, 200_000);
    }
}
