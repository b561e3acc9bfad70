using System.Diagnostics;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Tests;

/// <summary>
/// The DiskSpd drop-in with options and output of 2.3. That output format comes from the format strings of DiskSpd, not from a real run.
/// </summary>
public class DiskSpd23DropInTests
{
    private static CliOutcome RunVersion23(TestFolder folder, params string[] args) => RunVersion(folder, "2.3", args);

    private static CliOutcome RunVersion(TestFolder folder, string version, params string[] args)
    {
        var start = new ProcessStartInfo(Cli.Command[0], [.. Cli.Command[1..], "diskspd", .. args])
        {
            WorkingDirectory = folder.Path,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["IOBENCH_DISKSPD_VERSION"] = version;
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return new CliOutcome(process.ExitCode, output, error.Result);
    }

    [Fact]
    public void Text_output_version_follows_the_environment_variable()
    {
        using var folder = new TestFolder();
        string[] args = ["-b8K", "-r", "-d1", "-W0", "-o2", "-t2", "-L", "-vs", "-a0", "-c8M", folder.GetPath("t.dat")];
        var outcome = RunVersion23(folder, args);
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        foreach (
            var line in (string[])
                [
                    "  timespan:   1\r\n",
                    "\r\n    duration: 1s\r\n",
                    "\r\n    affinity assignment: cpu order, fill groups, P-cores first\r\n    affinity (cpu): 0\r\n    buffer separation: thread optimized (16MiB)\r\n    path: '",
                    "\r\n      think time: 0ms\r\n",
                    "\r\n  computer name:        ",
                    "\r\n  page size:            ",
                    "\r\neffective affinity (cpu): 0\r\n",
                    "\r\nWait Statistics - Completion Wait\r\n",
                    "\r\nWait Statistics - Lookaside\r\n",
                ]
        )
            Assert.Contains(CliOutcome.NormalizeLegacyText(line), outcome.Output, StringComparison.Ordinal);
        var read = ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single();
        Assert.Equal(("2.3", 2, IoResultStatus.Complete), (read.ToolVersion, read.ThreadCount!.Value, read.Status));
        Assert.Empty(read.Warnings);

        read = ResultReader.ReadFile(folder.WriteFile("out.txt", Cli.Run(["diskspd", .. args]).Output)).Single();
        Assert.Equal("2.2", read.ToolVersion);
    }

    [Fact]
    public void Xml_output_is_2_3_when_the_environment_variable_is_set()
    {
        using var folder = new TestFolder();
        var outcome = RunVersion23(folder, "-b8K", "-r", "-d1", "-W0", "-D", "-Rxml", "-c8M", folder.GetPath("t.dat"));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        var document = System.Xml.Linq.XDocument.Parse(outcome.Output);
        Assert.Equal("2.3.0", document.Descendants("Version").Single().Value);
        foreach (
            var element in (string[])
                ["ProcessorName", "PageSize", "AffinityTraversal", "BufferSeparation", "EffectiveBufferSeparation", "EffectiveAffinity"]
        )
            Assert.Single(document.Descendants(element));
        var read = ResultReader.ReadFile(folder.WriteFile("out.xml", outcome.Output)).Single();
        Assert.Equal(("2.3.0", 8.0), (read.ToolVersion, read.BlockSizeKB!.Value));
        Assert.Empty(read.Warnings);
    }

    [Fact]
    public void Unknown_version_is_refused()
    {
        using var folder = new TestFolder();
        var outcome = RunVersion(folder, "2.4", "-c8M", "-d1", folder.GetPath("t.dat"));
        Assert.Equal(3, outcome.ExitCode);
        Assert.Contains(
            "IOBENCH_DISKSPD_VERSION is '2.4'. Set the variable to 2.2 or 2.3",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.False(File.Exists(folder.GetPath("t.dat")));
    }

    [Fact]
    public void Options_of_2_3_run_an_equivalent_test_with_a_notice()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run(
            "diskspd",
            "-b8K",
            "-r",
            "-d1",
            "-W0",
            "-u8",
            "-bsn",
            "-oc4",
            "-Suy",
            "-ac",
            "-ag0",
            "-c8M",
            folder.GetPath("t.dat")
        );
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Equal(
            ["-u:", "-bsn:", "-oc:", "-a:", "-Sy:"],
            ((string[])["-u:", "-bsn:", "-oc:", "-a:", "-Sy:"]).Where(option =>
                outcome.ErrorLines.Count(line => line.StartsWith(option, StringComparison.Ordinal)) == 1
            )
        );
        Assert.True(ResultReader.ReadFile(folder.WriteFile("out.txt", outcome.Output)).Single().IOPS > 0);
    }

    [Fact]
    public void Required_BypassIO_is_refused_by_option_name()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-b8K", "-r", "-d1", "-SuY", "-c8M", folder.GetPath("t.dat"));
        Assert.Equal(3, outcome.ExitCode);
        Assert.Contains(
            "-SY: IoBench does not support BypassIO, and -SY requires it.",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.False(File.Exists(folder.GetPath("t.dat")));
    }

    [Fact]
    public void Block_above_64_MB_is_refused_by_option_name()
    {
        using var folder = new TestFolder();
        var outcome = Cli.Run("diskspd", "-b128M", "-d1", "-c256M", folder.GetPath("t.dat"));
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains(
            "-b: blocks of 128MB are larger than the maximum of IoBench, 64MB",
            Assert.Single(outcome.ErrorLines),
            StringComparison.Ordinal
        );
        Assert.False(File.Exists(folder.GetPath("t.dat")));
    }

    [Theory]
    [InlineData("-Rs", "  cpu count:            ")]
    [InlineData("-Rstext", "System information:\r\n\r\n  computer name:        ")]
    [InlineData("-Rsxml", "<System>\r\n  <ComputerName>")]
    public void Rs_option_prints_system_information_without_running(string option, string part)
    {
        var outcome = Cli.Run("diskspd", option);
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains(CliOutcome.NormalizeLegacyText(part), outcome.Output, StringComparison.Ordinal);
        Assert.Equal(3, Cli.Run("diskspd", option, "-v").ExitCode);
    }

    [Fact]
    public void Profile_of_2_3_is_printed_and_can_be_run()
    {
        using var folder = new TestFolder();
        var profile = RunVersion23(
            folder,
            "-Rpxml",
            "-b8K",
            "-r",
            "-d1",
            "-W0",
            "-u50p",
            "-oc2",
            "-a0",
            "-c8M",
            folder.GetPath("t.dat")
        ).Output;
        Assert.Contains("<IoRingBatchSize Percent=\"true\">50</IoRingBatchSize>", profile, StringComparison.Ordinal);
        var outcome = Cli.Run("diskspd", "-X" + folder.WriteFile("p.xml", profile));
        Assert.True(outcome.ExitCode == 0, outcome.Error);
        Assert.Contains(outcome.ErrorLines, line => line.StartsWith("-u:", StringComparison.Ordinal));
    }
}
