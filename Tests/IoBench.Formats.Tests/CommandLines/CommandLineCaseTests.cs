using IoBench.Engine;

namespace IoBench.Formats.Tests;

public sealed class CommandLineCaseTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static CommandLineTests ReadCase(string name) => CommandLineReader.ReadFile(SampleFiles.GetPath("cases", name));

    private static CommandLineTests ReadText(string text) => CommandLineReader.Read(text);

    private CommandLineTests ReadFile(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return CommandLineReader.ReadFile(path);
    }

    [Fact]
    public void Poisson_arrivals_and_a_steady_state_are_converted()
    {
        var tests = ReadCase("fio-job-poisson-ss.fio");

        Assert.Equal(2, tests.Specifications.Count);
        Assert.Equal(
            (400.0, IoArrivals.Poisson, (int?)null),
            (tests.Specifications[0].TargetIops, tests.Specifications[0].Arrivals, tests.Specifications[0].SteadyStateRounds)
        );
        Assert.Equal(
            (25, 16, TimeSpan.FromSeconds(60), (int?)null),
            (
                tests.Specifications[1].SteadyStateRounds!.Value,
                tests.Specifications[1].OutstandingIO,
                tests.Specifications[1].Duration,
                tests.Specifications[1].Repeat
            )
        );
        Assert.Contains("IoBench replaces ss=iops:2% for 20 s with --steady-state", Assert.Single(tests.Notes), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--rate_iops=100 --rate_process=linear", IoArrivals.Even, 0)]
    [InlineData("--rate_iops=100,200 --rate_process=poisson", IoArrivals.Poisson, 0)]
    [InlineData("--rate=1m --rate_process=poisson", IoArrivals.Even, 1)]
    public void Rate_process_is_converted(string options, IoArrivals arrivals, int notes)
    {
        var tests = ReadText($"fio --name=a --filename=/t/a --rw=randread --runtime=9 --time_based {options}");

        Assert.Equal((arrivals, notes), (tests.Specifications.Single().Arrivals, tests.Notes.Count));
    }

    [Fact]
    public void Steady_state_by_its_alias_has_short_rounds()
    {
        var tests = ReadText(
            "fio --name=a --filename=/t/a --rw=randread --runtime=3600 --time_based --steadystate=bw_slope:0.3% --steadystate_duration=300 --ss_ramp=10"
        );

        Assert.Equal((25, TimeSpan.FromMinutes(1)), (tests.Specifications[0].SteadyStateRounds, tests.Specifications[0].Duration));
        Assert.Contains("bw_slope:0.3% for 300 s", Assert.Single(tests.Notes), StringComparison.Ordinal);
    }

    [Fact]
    public void Latency_target_points_to_the_limit_search() =>
        Assert.Contains(
            "iobench limit --max-latency 5 --statistic p99",
            Assert.Single(ReadCase("fio-job-latency-target.fio").Notes),
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData("--latency_target=2000 --latency_percentile=99.9", "--max-latency 2 ", "99.9% of the I/Os")]
    [InlineData("--latency_target=500us", "--max-latency 0.5 ", "100% of the I/Os")]
    public void Latency_target_has_its_unit_and_percentile(string options, string limit, string percentile)
    {
        var note = Assert.Single(ReadText($"fio --name=a --filename=/t/a --rw=randread --runtime=9 --time_based {options}").Notes);

        Assert.Contains(limit, note, StringComparison.Ordinal);
        Assert.Contains(percentile, note, StringComparison.Ordinal);
    }

    [Fact]
    public void Programs_that_start_fio_are_skipped()
    {
        var tests = ReadCase("fio-lines.txt");

        Assert.Empty(tests.Refused);
        Assert.Equal(["/mnt/t.dat", "d:\\bench", "/dev/sdx"], tests.Specifications.Select(GetFolderOrFile));
        Assert.Contains(tests.Notes, note => note.Contains("iobench verify --witness", StringComparison.Ordinal));
        Assert.DoesNotContain(tests.Notes, note => note.Contains("trigger-timeout", StringComparison.Ordinal));
    }

    [Fact]
    public void Prompts_of_Linux_shells_are_removed()
    {
        var tests = ReadText(
            """
            $ sudo fio --name=a \
                --filename=/t.dat --rw=read --bs=8k --size=1g --runtime=20 --time_based
            # fio --name=b --filename=/t.dat --rw=read
            root@h:~# fio --name=c --filename=/t.dat --rw=read --bs=64k --size=1g --runtime=20 --time_based
            [u@host bench]$ fio --name=d --filename=/t.dat --rw=read --bs=1m --size=1g --runtime=20 --time_based
            """
        );

        Assert.Empty(tests.Refused);
        Assert.Equal([8192, 65536, 1048576], tests.Specifications.Select(test => test.GetPattern(test.Targets[0]).BlockSize));
        Assert.Contains("is a comment", Assert.Single(tests.Notes), StringComparison.Ordinal);
    }

    [Fact]
    public void Outputs_of_two_lines_with_different_spelling_are_one_file() =>
        Assert.Contains(
            "only the last output remains",
            Assert.Single(ReadText("diskspd -b8K -d5 -Sh a.dat > a.txt\ndiskspd -b64K -d5 -Sh a.dat > .\\A.txt\n").Notes),
            StringComparison.Ordinal
        );

    [Fact]
    public void Template_of_a_command_line_is_refused()
    {
        var file = Path.GetTempFileName();
        File.WriteAllText(file, "fio --name={{ name }} --rw={{ rw }} --bs=8k --size=1g\n");

        var error = Assert.Throws<IoBenchException>(() => CommandLineReader.ReadFile(file));
        File.Delete(file);

        Assert.Contains("This file is a template (Jinja), not a command line.", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("20", " for 20 s with")]
    [InlineData("30s", " for 30s with")]
    public void Duration_of_a_steady_state_has_one_unit(string duration, string expected) =>
        Assert.Contains(
            FioCommandLine
                .ReadJobFile(new StringReader($"[a]\nrw=read\nsize=1g\nruntime=60\nss=iops:2%\nss_dur={duration}\n"), "x.fio")
                .Notes,
            note => note.Contains(expected, StringComparison.Ordinal)
        );

    private static string GetFolderOrFile(IoTestSpecification test)
    {
        var path = test.Targets[0].Path;
        return path.StartsWith("d:", StringComparison.Ordinal) ? path[..path.IndexOf("bench", StringComparison.Ordinal)] + "bench" : path;
    }

    [Theory]
    [InlineData("sudo -u root")]
    [InlineData("sudo -E env LD_LIBRARY_PATH=/opt/lib")]
    [InlineData("nice -n -5 ionice -c1 -n0")]
    [InlineData("timeout 60")]
    [InlineData("timeout -s KILL -k 5 1m")]
    [InlineData("/usr/bin/time -v taskset -c 0-3")]
    [InlineData("taskset 0xff")]
    [InlineData("sudo numactl --cpunodebind=0 --membind 0")]
    [InlineData("LC_ALL=C")]
    [InlineData("nohup")]
    public void Prefix_is_skipped(string prefix)
    {
        var tests = ReadText($"{prefix} /usr/local/bin/fio --name=a --filename=/t/a --rw=read --runtime=9 --time_based");

        Assert.Empty(tests.Refused);
        Assert.Equal("/t/a", tests.Specifications.Single().Targets[0].Path);
        Assert.Equal(TimeSpan.Zero, tests.Specifications.Single().RestBefore);
    }

    [Theory]
    [InlineData("sudo apt install fio")]
    [InlineData("sudo rm fio")]
    public void Other_commands_are_not_tests(string line) => Assert.Empty(ReadText(line).Specifications);

    [Fact]
    public void Timeout_of_Windows_stays_idle_time() =>
        Assert.Equal(
            TimeSpan.FromSeconds(30),
            ReadText("diskspd -d1 a.dat\ntimeout /T 30 /nobreak\ndiskspd -d1 a.dat").Specifications[1].RestBefore
        );

    [Theory]
    [InlineData("\\")]
    [InlineData("`")]
    [InlineData("^")]
    public void Continued_line_is_joined(string sign)
    {
        var tests = ReadText($"fio --name=a {sign}\n  --filename=/t/a --rw=read {sign}\r\n  --bs=64k --runtime=9 --time_based\n");

        Assert.Empty(tests.Refused);
        Assert.Equal(65536, tests.Specifications.Single().BlockSize);
    }

    [Fact]
    public void Trigger_with_shell_operators_stays_one_value()
    {
        var tests = ReadText(
            "fio --name=c --filename=/t/a --rw=randwrite --trigger='sync && ssh host \"echo b > /proc/sysrq-trigger\" | cat' --bs=8k --runtime=9 --time_based"
        );

        Assert.Empty(tests.Refused);
        Assert.Equal(
            (8192, (string?)null),
            (tests.Specifications.Single().BlockSize, tests.Specifications.Single().GetOrAddOrigin().OutputFile)
        );
    }

    [Theory]
    [InlineData("[{{ name }}]\nrw={{ kind }}\nbs=8k\n", "Jinja")]
    [InlineData("[global]\nbs=8k\n{% for d in depths %}\n[d{{d}}]\niodepth={{d}}\n{% endfor %}\n", "Jinja")]
    [InlineData("[a]\r\nrw=read\r\nbs=<%= @size %>\r\n", "ERB")]
    public void Template_is_refused(string text, string language)
    {
        var error = Assert.Throws<IoBenchException>(() => ReadFile("a.fio", text));

        Assert.Contains($"This file is a template ({language}), not a job file.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Template_of_the_sample_is_refused() =>
        Assert.Contains(
            "This file is a template (Jinja), not a job file.",
            Assert.Throws<IoBenchException>(() => ReadCase("fio-job-template.fio")).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Empty_durations_of_a_profile_have_defaults_and_a_note()
    {
        var tests = ReadCase("diskspd-profile-empty-duration.xml");

        var test = tests.Specifications.Single();
        Assert.Equal((10.0, 5.0, 0.0), (test.Duration.TotalSeconds, test.WarmUp.TotalSeconds, test.CoolDown.TotalSeconds));
        Assert.Contains("-d10 -W5 -C0", Assert.Single(tests.Notes), StringComparison.Ordinal);
        Assert.Equal("8KB random 25% write; 32KB sequential write", PatternText.Describe(test));
        Assert.Equal(("2; 1", "4; 1"), (PatternText.DescribeThreads(test), PatternText.DescribeOutstanding(test)));
    }

    [Theory]
    [InlineData("-d30 -W6 -C1", 30, 6, 1, 0)]
    [InlineData("-d30", 30, 5, 0, 1)]
    public void Command_line_fills_empty_durations(string options, double duration, double warmUp, double coolDown, int notes)
    {
        var text = File.ReadAllText(SampleFiles.GetPath("cases", "diskspd-profile-empty-duration.xml"));
        File.WriteAllText(
            Path.Combine(_folder, "p.xml"),
            text.Replace("<Warmup></Warmup>", "<Warmup/>", StringComparison.Ordinal)
                .Replace("<Cooldown></Cooldown>", "<Cooldown> </Cooldown>", StringComparison.Ordinal)
        );
        var tests = ReadFile("a.bat", $"diskspd {options} -Xp.xml\r\n");

        Assert.Empty(tests.Refused);
        var test = tests.Specifications.Single();
        Assert.Equal((duration, warmUp, coolDown), (test.Duration.TotalSeconds, test.WarmUp.TotalSeconds, test.CoolDown.TotalSeconds));
        Assert.Equal(notes, tests.Notes.Count);
    }

    [Fact]
    public void Script_of_calls_is_read()
    {
        var tests = ReadCase("diskspd-powershell.ps1");

        Assert.Equal(3, tests.Specifications.Count);
        Assert.Equal(@"\\.\PhysicalDrive1", tests.Specifications[0].Targets.Single().Path);
        Assert.Contains(
            "line 3: this line and line 2 both write to a.txt, so only the last output remains.",
            Assert.Single(tests.Notes),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Script_with_quotation_and_comments_is_read()
    {
        var tests = ReadFile(
            "a.ps1",
            """
            <# Loads of
               { the data disk } #>
            # $x is not used
            & 'C:\my tools\diskspd.exe' -b8K -d30 `
               -o8 -r "T:\my data\t.dat" | Out-File 'a b.txt' # first
            Start-Sleep -Seconds 10
            .\diskspd.exe -b8K -d30 '#1' > b.txt
            """
        );

        Assert.Empty(tests.Refused);
        Assert.Equal([@"T:\my data\t.dat", @"\\.\PhysicalDrive1"], tests.Specifications.Select(test => test.Targets[0].Path));
        Assert.Equal(["a b.txt", "b.txt"], tests.Specifications.Select(test => test.GetOrAddOrigin().OutputFile));
        Assert.Equal(TimeSpan.FromSeconds(10), tests.Specifications[1].RestBefore);
    }

    [Theory]
    [InlineData("$b = 8\n.\\diskspd.exe -b${b}K -d1 a.dat\n")]
    [InlineData("foreach ($b in 8, 64) {\n  .\\diskspd.exe -d1 -b8K T:\\a.dat\n}\n")]
    [InlineData("if (Test-Path x) { .\\diskspd.exe -d1 a.dat }\n")]
    public void Script_with_variables_or_blocks_is_refused(string text) =>
        Assert.Equal("IoBench.NotSupported", Assert.Throws<IoBenchException>(() => ReadFile("a.ps1", text)).ErrorId);

    [Theory]
    [InlineData("diskspd -d1 x > a.txt\ndiskspd -d1 y > A.TXT", 1)]
    [InlineData("diskspd -d1 x >> a.txt\ndiskspd -d1 y >> a.txt", 0)]
    [InlineData("diskspd -d1 x > a.txt\ndiskspd -d1 y >> a.txt", 0)]
    [InlineData("diskspd -d1 x >> a.txt\ndiskspd -d1 y > a.txt", 1)]
    [InlineData("diskspd -d1 x > nul\ndiskspd -d1 y > nul", 0)]
    [InlineData(
        "fio --name=a --filename=/x --runtime=1 --time_based --output=a.txt\nfio --name=b --filename=/x --runtime=1 --time_based --output=a.txt",
        1
    )]
    [InlineData("diskspd -d1 x | tee a.txt\ndiskspd -d1 y | tee a.txt", 1)]
    [InlineData("diskspd -d1 x | tee -a a.txt\ndiskspd -d1 y | tee -a a.txt", 0)]
    [InlineData("for %%b in (8 64) do diskspd -d1 -b%%bK x > a.txt", 1)]
    [InlineData("for %%b in (8 64) do diskspd -d1 -b%%bK x > a%%b.txt", 0)]
    public void Lines_that_replace_an_output_have_a_note(string text, int expected)
    {
        var tests = ReadText(text);

        Assert.Equal(2, tests.Specifications.Count);
        Assert.Equal(expected, tests.Notes.Count(note => note.Contains("only the last output remains", StringComparison.Ordinal)));
    }

    [Fact]
    public void Moved_output_has_no_note() =>
        Assert.DoesNotContain(
            ReadText("diskspd -d1 x > a.txt\nmove a.txt b.txt\ndiskspd -d1 y > a.txt").Notes,
            note => note.Contains("only the last", StringComparison.Ordinal)
        );
}
