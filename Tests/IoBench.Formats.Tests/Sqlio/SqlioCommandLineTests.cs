using IoBench.Engine;

namespace IoBench.Formats.Tests;

public class SqlioCommandLineTests
{
    private static readonly IReadOnlyList<SqlioParameterLine> s_lines = [new(@"O:\t.dat", 48, 0, 92160, 1)];

    private static IoTestSpecification ParseOptions(string options) => SqlioCommandLine.ParseLine("sqlio " + options, _ => s_lines);

    private static string GetError(string options, string id = "IoBench.InvalidCommandLine")
    {
        var error = Assert.Throws<IoBenchException>(() => ParseOptions(options));
        Assert.Equal((id, IoErrorKind.Usage), (error.ErrorId, error.Kind));
        Assert.DoesNotContain('\n', error.Message);
        return error.Message;
    }

    [Fact]
    public void Defaults_match_SQLIO()
    {
        // -kR -t1 -s30 -f64 -b2 -i64 -BN testfile.dat
        var s = ParseOptions("");

        Assert.Equal((0, 1, 30.0, 2048L, 1), (s.WritePercent, s.ThreadCount, s.Duration.TotalSeconds, s.BlockSize, s.OutstandingIO));
        Assert.Equal((IoAccessPattern.Stride, 64, 64, false), (s.AccessPattern, s.StripeColumns, s.StripeRows, s.StripeStays));
        Assert.Equal(IoBuffering.None, s.Buffering);
        Assert.Equal("testfile.dat", Assert.Single(s.Targets).Path);
        Assert.Equal((TimeSpan.Zero, TimeSpan.Zero), (s.WarmUp, s.CoolDown));
        Assert.Equal(IoAffinityMode.Off, s.AffinityMode);
        Assert.Equal(new SqlioOptions(), s.GetOrAddOrigin().Sqlio);
        Assert.Null(s.FileSize);
    }

    public static TheoryData<string, Func<IoTestSpecification, object?>, object?> Options =>
        new()
        {
            { "-kW", s => s.WritePercent, 100 },
            { "-kr", s => s.WritePercent, 0 },
            { "-t16", s => s.ThreadCount, 16 },
            { "-s360", s => s.Duration, TimeSpan.FromSeconds(360) },
            { "-frandom", s => s.AccessPattern, IoAccessPattern.Random },
            { "-fsequential", s => s.AccessPattern, IoAccessPattern.Interlocked },
            { "-f16", s => s.StripeColumns, 16 },
            { "-i8", s => s.StripeRows, 8 },
            { "-v1.1.1", s => s.StripeStays, true },
            { "-b256", s => s.BlockSize, 262144L },
            { "-o200", s => s.OutstandingIO, 200 },
            { "-o1", s => s.GetOrAddOrigin().Sqlio!.OutstandingGiven, true },
            { "-o0", s => (s.OutstandingIO, s.GetOrAddOrigin().Sqlio!.OutstandingGiven), (1, false) },
            { "-i2000000", s => s.StripeRows, 2000000 },
            { "-BN", s => s.GetOrAddOrigin().Sqlio!.BufferingGiven, true },
            { "-BY", s => s.Buffering, IoBuffering.Both },
            { "-BH", s => s.Buffering, IoBuffering.Hardware },
            { "-BS", s => s.Buffering, IoBuffering.Software },
            { "-LS", s => s.GetOrAddOrigin().Sqlio!.LatencyTimer, 'S' },
            { "-LP", s => s.GetOrAddOrigin().Sqlio!.LatencyTimer, 'P' },
            { "-LSi", s => s.GetOrAddOrigin().Sqlio!.InitiationLatency, true },
            { "-U", s => s.GetOrAddOrigin().Sqlio!.ProcessorUse, true },
            { "-U", s => s.GetOrAddOrigin().Sqlio!.ProcessorUseEach, false },
            { "-Up", s => s.GetOrAddOrigin().Sqlio!.ProcessorUseEach, true },
            { "-p3", s => string.Join(',', s.Processors), "3" },
            { "-p3", s => s.AffinityMode, IoAffinityMode.Mask },
            { "-a0x5", s => string.Join(',', s.Processors), "0,2" },
            { "-a5", s => string.Join(',', s.Processors), "0,2" },
            { "-aR0xf -t16", s => s.AffinityMode, IoAffinityMode.RoundRobin },
            { "-aR0xf -t16", s => string.Join(',', s.Processors), "0,1,2,3" },
            { "-S100 -b8", s => s.Targets[0].BaseOffset, 819200L },
            { "-64", s => s.Targets.Count, 1 },
            { "d:\\x.dat", s => s.Targets[0].Path, "d:\\x.dat" },
            { "\"d:\\my file.dat\"", s => s.Targets[0].Path, "d:\\my file.dat" },
            { "-dEF x.dat", s => string.Join(',', s.Targets.Select(t => t.Path)), "E:x.dat,F:x.dat" },
            { "-dE", s => s.Targets[0].Path, "E:testfile.dat" },
            { "-RE,9", s => string.Join(',', s.Targets.Select(t => t.Path)), @"\\.\E:,\\.\PhysicalDrive9" },
            { "-R9:", s => s.Targets[0].Path, @"\\.\PhysicalDrive9" },
            { "-frandom -Fp.txt", s => s.ThreadCount, 48 },
            { "-frandom -Fp.txt", s => s.Targets[0].FileSize, 92160L << 20 },
            { "-frandom -Fp.txt", s => s.GetOrAddOrigin().Sqlio!.ParameterFile, "p.txt" },
            { "-frandom -t2 -Fp.txt", s => s.GetOrAddOrigin().Sqlio!.Note is not null, true },
            { "-kR > out.txt", s => s.GetOrAddOrigin().OutputFile, "out.txt" },
            { "-kR >>out.txt", s => s.GetOrAddOrigin().OutputFile, "out.txt" },
            { "-kR >> \"my out.txt\" 2>&1", s => s.GetOrAddOrigin().OutputFile, "my out.txt" },
            { "-kR 2>err.txt", s => s.GetOrAddOrigin().OutputFile, null },
            { "-kR", s => s.GetOrAddOrigin().CommandLine, "sqlio -kR" },
            { "–kW", s => s.WritePercent, 100 },
        };

    [Theory]
    [MemberData(nameof(Options))]
    public void Option_sets_its_specification_property(string options, Func<IoTestSpecification, object?> value, object? expected) =>
        Assert.Equal(expected, value(ParseOptions(options)));

    [Fact]
    public void Threads_are_shared_by_all_drives()
    {
        var synchronous = ParseOptions("-dEFG -t4 -frandom x.dat");
        Assert.True(synchronous.SharedThreadPool);
        Assert.Equal((4, 1), (synchronous.ThreadCount, synchronous.PoolOutstandingIO));

        var overlapped = ParseOptions("-dEFG -t4 -o8 -frandom x.dat");
        Assert.True(overlapped.SharedThreadPool);
        Assert.Equal((8, null), (overlapped.OutstandingIO, overlapped.PoolOutstandingIO));
    }

    [Theory]
    [InlineData("-kX", "-kR or -kW")]
    [InlineData("-k", "-kR or -kW")]
    [InlineData("-t0", "1 to 256")]
    [InlineData("-t257", "1 to 256")]
    [InlineData("-t", "-t4")]
    [InlineData("-t 4", "-t4")]
    [InlineData("-s0", "1 to")]
    [InlineData("-b0", "1 to 65536")]
    [InlineData("-b8K", "1 to 65536")]
    [InlineData("-o257", "0 to 256")]
    [InlineData("-frandomly", "is invalid. Use -frandom, -fsequential, or a number of blocks such as -f64.")]
    [InlineData("-f0", "1 to")]
    [InlineData("-BX", "-BN (none)")]
    [InlineData("-L", "-LS (system timer)")]
    [InlineData("-LX", "-LS (system timer)")]
    [InlineData("-Ux", "-Up")]
    [InlineData("-d1", "-dEFG")]
    [InlineData("-Rxyz", "-RE,2")]
    [InlineData("-F", "-Fparam.txt")]
    [InlineData("-p64", "0 to 63")]
    [InlineData("-aQ", "-a0xF")]
    [InlineData("-T50", "is not an option of SQLIO")]
    [InlineData("-", "an option has no letter. Specify options in the form -kR.")]
    [InlineData("-kR -kW", "is specified twice. Remove one of them.")]
    [InlineData("-kR >", "requires the name of a file.")]
    public void Invalid_option_error_names_the_valid_values(string options, string hint) =>
        Assert.Contains(hint, GetError(options), StringComparison.Ordinal);

    [Theory]
    [InlineData("-mC4", "-m")]
    [InlineData("-mS4", "-m")]
    [InlineData("-D1", "-D")]
    [InlineData("-v2", "-v1.1.1")]
    [InlineData("-pI3", "Use -p3")]
    [InlineData("-aI0xf", "Use -a0xf")]
    [InlineData("-aRI0xf", "Use -aR0xf")]
    public void Unsupported_option_throws(string options, string hint) =>
        Assert.Contains(hint, GetError(options, "IoBench.NotSupported"), StringComparison.Ordinal);

    [Theory]
    [InlineData("-Fp.txt -frandom -dE", "-d and -F cannot be combined")]
    [InlineData("-Fp.txt -frandom -RE", "-R and -F cannot be combined")]
    [InlineData("-Fp.txt -frandom -p1", "-p and -F cannot be combined")]
    [InlineData("-Fp.txt -frandom -a1", "-a and -F cannot be combined")]
    [InlineData("-Fp.txt -frandom x.dat", "x.dat and -F cannot be combined")]
    [InlineData("-p1 -a1", "-p and -a cannot be combined, because both bind threads to CPUs.")]
    [InlineData("-f1 -t2", "2 threads share the 1 column of -f1, but IoBench needs at least as many columns as threads")]
    [InlineData("-f8 -t16", "at least as many columns as threads")]
    [InlineData("-frandom -v1.1.1", "-v1.1.1 requires stripes (-f and a number).")]
    [InlineData("-f64 -Fp.txt", "a size requires -frandom or -fsequential.")]
    public void Conflicting_options_throw(string options, string hint) =>
        Assert.Contains(hint, GetError(options), StringComparison.Ordinal);

    [Fact]
    public void Raw_drive_in_a_parameter_file_requires_a_size() =>
        Assert.Contains(
            "a raw drive requires a size in MB.",
            Assert
                .Throws<IoBenchException>(() => SqlioCommandLine.ParseLine("sqlio -frandom -Fp.txt", _ => [new("9:", 1, 0, null, 3)]))
                .Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Commands_of_a_published_article_are_parsed()
    {
        var lines = File.ReadAllLines(SampleFiles.GetPath("documents", "sqlio-commands.txt")).Where(l => l.Length > 0).ToList();
        var specifications = lines.ConvertAll(l => SqlioCommandLine.ParseLine(l, _ => s_lines));

        Assert.Equal(12, specifications.Count);
        Assert.Equal([8, 64, 512, 8, 256, 256, 8, 64, 512, 8, 256, 256], specifications.Select(s => (int)(s.BlockSize / 1024)));
        Assert.Equal([0, 0, 0, 100, 100, 100, 0, 0, 0, 100, 100, 100], specifications.Select(s => s.WritePercent));
        Assert.Equal([8, 8, 8, 8, 100, 200, 8, 8, 8, 8, 100, 200], specifications.Select(s => s.OutstandingIO));
        Assert.Equal(
            Enumerable.Repeat(IoAccessPattern.Random, 6).Concat(Enumerable.Repeat(IoAccessPattern.Interlocked, 6)),
            specifications.Select(s => s.AccessPattern)
        );
        Assert.All(
            specifications,
            s =>
                Assert.Equal(
                    (7200.0, IoBuffering.None, 'S', 92160L << 20),
                    (s.Duration.TotalSeconds, s.Buffering, s.GetOrAddOrigin().Sqlio!.LatencyTimer!.Value, s.Targets[0].FileSize!.Value)
                )
        );
        Assert.Equal("Reads8KRandom8Oustanding.txt", specifications[0].GetOrAddOrigin().OutputFile);
    }

    [Fact]
    public void Parameter_file_is_read_from_the_specified_folder()
    {
        var s = SqlioCommandLine.Parse(["-kR", "-frandom", "-FparamMT.txt"], SampleFiles.GetPath("documents"));
        Assert.Equal(@"O:\SQLIOMP\Disk1\testfile.dat", Assert.Single(s.Targets).Path);

        Assert.Equal(
            "IoBench.FileNotFound",
            Assert.Throws<IoBenchException>(() => SqlioCommandLine.Parse(["-Fnone.txt"], SampleFiles.GetPath("documents"))).ErrorId
        );
    }

    [Theory]
    [InlineData("iobench --force sqlio -kW -t3")]
    [InlineData("iobench --force --erase-device sdx sqlio -kW -t3")]
    [InlineData("iobench --overwrite t.dat --fill-volume --read-database sqlio -kW -t3")]
    [InlineData("start /wait \"\" \"C:\\Program Files\\SQLIO\\sqlio.exe\" -kW -t3")]
    [InlineData("@call .\\SQLIO.EXE -kW -t3")]
    public void Options_before_the_program_name_are_ignored(string line)
    {
        var s = SqlioCommandLine.ParseLine(line);
        Assert.Equal((100, 3, "testfile.dat"), (s.WritePercent, s.ThreadCount, Assert.Single(s.Targets).Path));
    }

    [Theory]
    [InlineData("sqlio -kR \"a b\" c>d", "sqlio|-kR|a b|c|>|d")]
    [InlineData("x 1>y 2>&1 >>z", "x|1>|y|2>&1|>>|z")]
    [InlineData("  -F\"my param.txt\"\t“q r” ", "-Fmy param.txt|q r")]
    [InlineData("\"\" x", "|x")]
    public void Command_line_is_split_into_words(string line, string words) =>
        Assert.Equal(words, string.Join('|', CommandLineSplitter.Split(line)));
}
