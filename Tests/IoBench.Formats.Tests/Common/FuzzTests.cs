using System.Globalization;
using System.Text;
using IoBench.Engine;
using Xunit.Abstractions;

namespace IoBench.Formats.Tests;

/// <summary>
/// Reads mutated inputs with every reader: no exception except the documented one, no hang, and bounded memory. IOBENCH_FUZZ is the number
/// of inputs (default 3,000). IOBENCH_FUZZ_SEED is the first seed; each input has its own seed, so it can be repeated alone.
/// </summary>
public class FuzzTests(ITestOutputHelper output)
{
    /// <summary>No input takes a thousandth of this time, so a busy computer does not look like a hang.</summary>
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(60);

    private static readonly int s_count = ReadNumber("IOBENCH_FUZZ", 3000);

    private static int ReadNumber(string variable, int otherwise) =>
        int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var number) ? number : otherwise;

    private static List<byte[]> LoadInputs()
    {
        var inputs = new List<byte[]>();
        foreach (
            var folder in (string?[])
                [
                    SampleFiles.GetPath("cases"),
                    SampleFiles.GetPath("documents"),
                    SampleFiles.GetPath("diskspd-runs"),
                    SampleFiles.GetPath("diskspd-2.3-synthetic"),
                    SampleFiles.FindPublished("sqlio-published"),
                    SampleFiles.FindPublished("diskspd-published"),
                ]
        )
            if (folder is not null)
                foreach (var file in Directory.GetFiles(folder).Order(StringComparer.Ordinal))
                    if (new FileInfo(file).Length is > 0 and < 50_000)
                        inputs.Add(File.ReadAllBytes(file));
        foreach (var file in Directory.GetFiles(SampleFiles.GetPath("diskspd-2.3-synthetic"), "*.txt").Order(StringComparer.Ordinal))
            inputs.Add(Encoding.UTF8.GetBytes(CreateXml23(File.ReadAllText(file))));
        inputs.Add("diskspd -u8 -bsn -oc4 -Suy -acsP -ag0,0-3,6 -ag1 -b8K -r a.dat"u8.ToArray());
        var results = SqlioTestText.ReadAll(SqlioTestText.Run + SqlioTestText.Run);
        results.Add(new ResultGenerator(1).CreateResult());
        inputs.Add(Encoding.UTF8.GetBytes(JsonResultTests.WriteJson(results.ToArray())));
        inputs.Add(Encoding.UTF8.GetBytes(CsvResultTests.WriteText(results.ToArray())));
        inputs.Add(Encoding.Unicode.GetBytes(SqlioTestText.Run));
        inputs.Add(Encoding.UTF8.GetBytes(s_batch));
        return inputs;
    }

    private const string s_batch = """
        @echo off
        set D=15
        set Q=31
        for %%b in (8 64) do (
          diskspd -b%%bK -d%D% -o%Q% -r a.dat > o%%b.txt
          timeout /T 60
        )
        for /L %%t in (1,1,3) do sqlio -kR -t%%t -s%D% -fsequential -b64 T:\testfile.dat
        if "%D%"=="15" (sqlio -kW -s10 -frandom x.dat) else echo %D%
        call "C:\x y\diskspd.exe" -w30 ^
         -o8 "a b.dat" >> all.txt & ping -n 5 h
        call :one
        set /a Q=D*2+1
        goto :eof
        :one
        sqlio -kR -t%1 -s%Q% x.dat
        """;

    private static string CreateXml23(string text)
    {
        var writer = new StringWriter();
        DiskSpdXmlWriter.Write(writer, DiskSpdTextReader.Read(new StringReader(text), null), form: DiskSpdOutputVersion.Version23);
        return writer.ToString();
    }

    [Fact]
    public async Task Readers_handle_mutated_inputs()
    {
        var first = ReadNumber("IOBENCH_FUZZ_SEED", Random.Shared.Next(1 << 30));
        output.WriteLine($"IOBENCH_FUZZ_SEED={first} IOBENCH_FUZZ={s_count}");
        var inputs = LoadInputs();
        await RunAll(
            first,
            seed =>
            {
                var input = new InputMutator(seed, wholeInOf: 8).Mutate(inputs, inputs);
                foreach (var reader in s_readers)
                    TryInput(seed, input, reader);
            }
        );
    }

    [Fact]
    public async Task Readers_of_other_tools_handle_mutated_outputs()
    {
        var first = ReadNumber("IOBENCH_FUZZ_SEED", Random.Shared.Next(1 << 30));
        output.WriteLine($"IOBENCH_FUZZ_SEED={first} IOBENCH_FUZZ={s_count}");
        var mutator = new WholeFileMutator(LoadOtherToolInputs());
        await RunAll(
            first,
            seed =>
            {
                var (reader, input) = mutator.CreateInput(seed);
                // The matching reader, the format recognition, and one of the other readers in turn.
                foreach (var at in (int[])[reader, s_otherReaders.Length - 1, seed & 0x7fffffff])
                    TryInput(seed, input, s_otherReaders[at % s_otherReaders.Length]);
            }
        );
        output.WriteLine(mutator.Summary);
        Assert.True(mutator.LongShare >= 0.5 || s_count < 500, mutator.Summary);
    }

    /// <summary>Returns outputs and command files of other tools, each with the index of its reader.</summary>
    private static List<(int Reader, byte[] Input)> LoadOtherToolInputs()
    {
        var inputs = new List<(int, byte[])>();
        foreach (
            var (reader, folder) in (ReadOnlySpan<(string, string?)>)
                [
                    ("fio", SampleFiles.GetPath("fio")),
                    ("fio", SampleFiles.FindPublished("fio")),
                    ("CrystalDiskMark", SampleFiles.GetPath("crystaldiskmark")),
                    ("CrystalDiskMark", SampleFiles.FindPublished("crystaldiskmark")),
                    ("VMFleet", SampleFiles.GetPath("vmfleet")),
                    ("DiskSpd text", SampleFiles.GetPath("diskspd-2.3-synthetic")),
                ]
        )
        {
            foreach (
                var file in (folder is null ? [] : Directory.GetFiles(folder))
                    .Where(file => !file.EndsWith(".md", StringComparison.Ordinal))
                    .Order(StringComparer.Ordinal)
            )
                Add(reader, File.ReadAllBytes(file));
        }
        foreach (var file in Directory.GetFiles(SampleFiles.GetPath("diskspd-2.3-synthetic"), "*.txt").Order(StringComparer.Ordinal))
        {
            var xml = CreateXml23(File.ReadAllText(file));
            Add("DiskSpd XML", Encoding.UTF8.GetBytes(xml));
            Add(
                "profile",
                Encoding.UTF8.GetBytes(
                    xml[xml.IndexOf("<Profile>", StringComparison.Ordinal)..(xml.IndexOf("</Profile>", StringComparison.Ordinal) + 10)]
                )
            );
        }
        Add("fio's job file", Encoding.UTF8.GetBytes(FioJobFileTests.Example));
        Add(
            "fio's command line",
            Encoding.UTF8.GetBytes(
                "fio --name=x --rw=randrw --bs=4k --bssplit=4k/60:64k/40 --iodepth 32 --numjobs=2 --runtime=2s --filename=a.dat --size=16m --rate_iops=300,200 > x.json"
            )
        );
        return inputs;

        void Add(string reader, byte[] input) => inputs.Add((Array.FindIndex(s_otherReaders, r => r.Name == reader), input));
    }

    /// <summary>Mutates whole files, most of them longer than 4 KB, and counts them.</summary>
    private sealed class WholeFileMutator(List<(int Reader, byte[] Input)> inputs)
    {
        private const int Long = 4096;
        private readonly List<byte[]> _all = [.. inputs.Select(input => input.Input)];
        private readonly List<int> _readers = [.. inputs.Select(input => input.Reader).Distinct()];
        private long _made;
        private long _long;

        public double LongShare => _made == 0 ? 0 : (double)_long / _made;

        public string Summary =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{_made} inputs, {LongShare:P0} longer than 4 KB, peak memory of the process {System.Diagnostics.Process.GetCurrentProcess().PeakWorkingSet64 / 1e6:0} MB"
            );

        public (int Reader, byte[] Input) CreateInput(int seed)
        {
            // Choose the reader first, because fio has most of the files.
            var random = new Random(seed);
            var reader = _readers[random.Next(_readers.Count)];
            var own = inputs.Where(input => input.Reader == reader).ToList();
            var chosen = own[random.Next(own.Count)].Input;
            // Short outputs are often repeated in one file.
            var copies = chosen.Length < Long && random.Next(4) != 0 ? Long / chosen.Length + 1 : 1;
            var whole = Enumerable.Range(0, copies).SelectMany(_ => chosen).ToArray();
            var input = new InputMutator(seed, wholeInOf: 1).Mutate([whole], _all);
            _made++;
            _long += input.Length > Long ? 1 : 0;
            return (reader, input);
        }
    }

    private static async Task RunAll(int first, Action<int> tryOne)
    {
        var at = 0;
        // A separate thread, so that a reader that never ends is detected.
        var work = Task.Factory.StartNew(
            () =>
            {
                for (; at < s_count; at++)
                    tryOne(unchecked(first + at));
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        for (var seen = -1; await Task.WhenAny(work, Task.Delay(s_timeout)) != work; seen = Volatile.Read(ref at))
            Assert.True(
                seen != Volatile.Read(ref at),
                $"IOBENCH_FUZZ_SEED={first + seen} IOBENCH_FUZZ=1: no end after {s_timeout.TotalSeconds} s"
            );
        await work;
    }

    private static void TryInput(int seed, byte[] input, (string Name, Action<byte[]> Read, long MaxBytes) reader)
    {
        var (name, read, most) = reader;
        var before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            read(input);
        }
        catch (IoBenchException e)
        {
            Assert.DoesNotContain('\n', e.Message);
        }
        catch (Exception e)
        {
            FailWithInput(seed, input, $"{name}: {e}");
        }
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        if (allocated >= most + (300L * input.Length))
            FailWithInput(seed, input, $"{name}: {allocated} bytes allocated for an input of {input.Length}");
    }

    private static void FailWithInput(int seed, byte[] input, string what)
    {
        var file = Path.Combine(Path.GetTempPath(), $"iobench-fuzz-{seed}");
        File.WriteAllBytes(file, input);
        Assert.Fail($"IOBENCH_FUZZ_SEED={seed} IOBENCH_FUZZ=1 ({file}), {what}");
    }

    /// <summary>Every reader, with the bytes that it can allocate in addition to those that the input length justifies.</summary>
    private static readonly (string Name, Action<byte[]> Read, long MaxBytes)[] s_readers =
    [
        ("SQLIO text", input => WriteResults(input, SqlioTextReader.Read(new MemoryStream(input), "fuzz")), 8_000_000),
        ("DiskSpd text", input => WriteResults(input, DiskSpdTextReader.Read(CreateReader(input), "fuzz")), 8_000_000),
        ("DiskSpd XML", input => WriteResults(input, DiskSpdXmlReader.Read(CreateReader(input), "fuzz")), 8_000_000),
        ("JSON", input => WriteResults(input, JsonResultReader.Read(new MemoryStream(input), "fuzz"), keepsWarnings: true), 8_000_000),
        ("CSV", input => WriteResults(input, CsvResultReader.Read(CreateReader(input), "fuzz"), keepsWarnings: true), 8_000_000),
        ("profile", input => DiskSpdProfileReader.Read(CreateReader(input), "fuzz", ["a.dat"]), 8_000_000),
        ("parameter file", input => SqlioParameterFile.Read(CreateReader(input), "fuzz"), 8_000_000),
        // Loops create many tests from a few words. One in sixteen can run as long as for a user, the others end sooner.
        // A loop stops after 100,000 commands or 20 million characters, each of which is copied several times into words and messages that
        // are released.
        (
            "batch file",
            input =>
                CommandLineReader.Read(
                    CreateReader(input),
                    "fuzz",
                    Path.GetTempPath(),
                    input.Length % 16 == 0 ? BatchState.MaxSteps : 3000
                ),
            400_000_000
        ),
        ("SQLIO command line", input => SqlioCommandLine.ParseLine(GetFirstLine(input), _ => [new("x", 1, 0, null, 1)]), 8_000_000),
        ("DiskSpd command line", input => DiskSpdCommandLine.ParseLine(GetFirstLine(input), Path.GetTempPath()), 8_000_000),
        (
            "recognition",
            input => ResultFormats.DetectFormat(TextInput.DecodeHead(input.AsSpan(0, Math.Min(input.Length, TextInput.HeadLength)))),
            8_000_000
        ),
    ];

    /// <summary>Readers of other tools. They get whole files, because most of these are longer than 4 KB.</summary>
    private static readonly (string Name, Action<byte[]> Read, long MaxBytes)[] s_otherReaders =
    [
        ("fio", input => WriteResults(input, FioReader.Read(new MemoryStream(input), "fuzz")), 8_000_000),
        ("fio's job file", input => FioCommandLine.ReadJobFile(CreateReader(input), "fuzz"), 8_000_000),
        ("fio's command line", input => FioCommandLine.ParseLine(GetFirstLine(input)), 8_000_000),
        ("CrystalDiskMark", input => WriteResults(input, CrystalDiskMarkReader.Read(CreateReader(input), "fuzz")), 8_000_000),
        ("VMFleet", input => WriteResults(input, VmFleetReader.Read(CreateReader(input), "fuzz")), 8_000_000),
        ("DiskSpd text", input => WriteResults(input, DiskSpdTextReader.Read(CreateReader(input), "fuzz")), 8_000_000),
        ("DiskSpd XML", input => WriteResults(input, DiskSpdXmlReader.Read(CreateReader(input), "fuzz")), 8_000_000),
        ("profile", input => DiskSpdProfileReader.Read(CreateReader(input), "fuzz", ["a.dat"]), 8_000_000),
        (
            "recognition",
            input => ResultFormats.DetectFormat(TextInput.DecodeHead(input.AsSpan(0, Math.Min(input.Length, TextInput.HeadLength)))),
            8_000_000
        ),
    ];

    private static StreamReader CreateReader(byte[] input) => TextInput.OpenText(new MemoryStream(input));

    private static string GetFirstLine(byte[] input) => TextInput.DecodeHead(input.AsSpan(0, Math.Min(input.Length, 300))).Split('\n')[0];

    /// <summary>Writes the results with one of the writers. Each result must be writable, or the writer must state why not.</summary>
    /// <param name="input">The input that was read.</param>
    /// <param name="results">Results of the input.</param>
    /// <param name="keepsWarnings">True if warnings are part of the text, so that their number is not limited.</param>
    private static void WriteResults(byte[] input, IEnumerable<IoTestResult> results, bool keepsWarnings = false)
    {
        var formats = Enum.GetValues<ResultFormat>();
        var format = formats[input.Length % formats.Length];
        foreach (var result in results)
        {
            Assert.True(keepsWarnings || result.Warnings.Count < 60 + result.Targets.Count);
            try
            {
                ResultWriter.Write(TextWriter.Null, [result], format);
            }
            catch (IoBenchException e)
            {
                Assert.Equal("IoBench.NotRepresentable", e.ErrorId);
                Assert.True(format is ResultFormat.Sqlio or ResultFormat.DiskSpd or ResultFormat.DiskSpdXml);
            }
        }
    }

    private sealed class InputMutator(int seed, int wholeInOf)
    {
        private static readonly string[] s_pieces =
        [
            "sqlio v1.5.SG\n",
            "999999999999999999999999999",
            "-1",
            "1e999",
            "0x",
            "%:",
            "ms:",
            "\0\0\0",
            "\r",
            "\uFEFF",
            "IOs/sec: ",
            "histogram:\n",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            "'",
            ",",
            ";",
            "files A, B and C",
            "thread ",
            "ProcessorNumber: ALL 0 1 2\n",
            "D:\\>sqlio -kR -F",
            "D:\\>",
            "Waiting for 60 seconds",
            "18446744073709551616",
            "|||||||||||||||||||||||||||||||||||||||",
            "%",
            "(",
            ")",
            "NaN",
            "1e309",
            "\uFFFF",
            "\ttimespan: 999999999999\n",
            "Results for timespan 2147483648:\n",
            "Results for timespan 1:\n",
            "Total IO\n",
            "Read IO\n",
            "thread |       bytes     |     I/Os\n",
            "total:\n",
            "path: '",
            "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n",
            "Command Line: diskspd.exe -r -rdabs90/1K:5/9999999999999T a.dat\n",
            "CPU |  Usage |  User  | Kernel |  Idle\n",
            "Input parameters:\n",
            "System information:\n",
            "<TimeSpan>",
            "</TimeSpan>",
            "<Thread>",
            "</Thread>",
            "<Target>",
            "</Results>",
            "<Results>",
            "<Profile>",
            "<Bucket",
            "<![CDATA[",
            "<!--",
            "<!DOCTYPE x [<!ENTITY y 'z'>]>",
            "&y;",
            "&#x110000;",
            "&amp",
            "<x y='",
            "<Range IO=\"90\">10</Range>",
            "for %%i in (1 2 3) do (\n",
            "for /L %%i in (1,1,2000000000) do diskspd -d%%i a.dat\n",
            "set A=%A%%A%%A%\n",
            "set /a A=A*A+1\n",
            ":one\n",
            "goto one\n",
            "call :one\n",
            "if exist x (\n",
            ") else (\n",
            "^\n",
            " > ",
            " | ",
            " & ",
            "!A!",
            "%~dp0",
            "%1",
            "timeout /t 99999999999\n",
            "-Xnone.xml ",
            "-Z1M,",
            "-B1G:99999999T ",
            "/",
            "{\n  \"fio version\" : \"fio-3.33\",\n",
            "\"jobs\" : [",
            "\"bins\" : {",
            "\"percentile\" : {\"99.0\" : 5}",
            "\"total_ios\" : 9223372036854775807,",
            "\"read\" : {",
            "nan",
            "\"numjobs\" : \"1000000\",",
            "x: (groupid=0, jobs=1): err= 0: pid=1: x\n",
            "  read: IOPS=1k, BW=1MiB/s (1MB/s)(1MiB/1msec)\n",
            "x: (g=0): rw=randrw, bs=(R) 8192B-8192B, ioengine=x, iodepth=9\n",
            "3;fio-3.33;x;0;0;",
            "fio: terminating on signal 2\n",
            "[global]\n",
            "[job]\n",
            "rw=randrw:8\n",
            "bssplit=4k/60:64k/40\n",
            "numjobs=256\n",
            "filename=a:b\\:c\n",
            "stonewall\n",
            "--name=x ",
            "size=99999999999t\n",
            "random_distribution=zoned:50/10:50/90\n",
            "${HOME}",
            "cpus_allowed=0-4095\n",
            "runtime=99999999999d\n",
            "CrystalDiskMark 8.0.1 x64 (C) 2007-2021 hiyohiyo\n",
            "[Mix] Read 70%/Write 30%\n",
            "  RND    4KiB (Q= 32, T= 1):   1.5 MB/s [ 9.9 IOPS] < 9.0 us>\n",
            "Test: 1 GiB (x5)\n",
            "\t",
            "using ",
            "file ",
            "size of file ",
            "buffering set to ",
            "2,681",
            "…",
            "\u00A0",
            "\u2028",
            "\"specification\": null",
            "#TYPE x\n",
        ];

        private readonly Random _random = new(seed);
        private bool _isShort;

        public byte[] Mutate(List<byte[]> inputs, List<byte[]> others)
        {
            _isShort = _random.Next(wholeInOf) != 0;
            var bytes = new List<byte>(GetPart(inputs[_random.Next(inputs.Count)]));
            for (var i = _random.Next(1, 6); i > 0; i--)
                ApplyStep(bytes, others);
            return bytes.ToArray();
        }

        /// <summary>
        /// Returns a part from the start of a line for most inputs, so that many can be tried, and the whole input for the others.
        /// </summary>
        private byte[] GetPart(byte[] input)
        {
            if (!_isShort)
                return input;
            var start =
                _random.Next(3) == 0 ? 0
                : input.AsSpan(_random.Next(input.Length)).IndexOf((byte)'\n') is >= 0 and var found ? found + 1
                : 0;
            return input[start..Math.Min(input.Length, start + _random.Next(100, 1500))];
        }

        private void ApplyStep(List<byte> bytes, List<byte[]> inputs)
        {
            var at = bytes.Count == 0 ? 0 : _random.Next(bytes.Count);
            switch (_random.Next(9))
            {
                case 0:
                    bytes.RemoveRange(at, bytes.Count - at);
                    break;
                case 1:
                    bytes.RemoveRange(at, Math.Min(_random.Next(200), bytes.Count - at));
                    break;
                case 2 when bytes.Count > 0:
                    bytes[at] ^= (byte)(1 << _random.Next(8));
                    break;
                case 3 when bytes.Count > 0:
                    bytes[at] = (byte)_random.Next(256);
                    break;
                case 4:
                    bytes.InsertRange(at, Encoding.UTF8.GetBytes(s_pieces[_random.Next(s_pieces.Length)]));
                    break;
                case 5:
                    InsertPart(bytes, at, inputs[_random.Next(inputs.Count)]);
                    break;
                case 6:
                    bytes.InsertRange(
                        at,
                        Enumerable.Repeat(
                            (byte)"0123456789 x[{\"\n\0,"[_random.Next(18)],
                            1 << _random.Next(_random.Next(_isShort ? 400 : 40) == 0 ? 19 : 11)
                        )
                    );
                    break;
                // One element many times: deep XML, endless rows.
                case 7 when _random.Next(4) == 0:
                    var piece = Encoding.UTF8.GetBytes(s_pieces[_random.Next(s_pieces.Length)]);
                    for (var n = _random.Next(1, _isShort ? 100 : 300); n > 0; n--)
                        bytes.InsertRange(at, piece);
                    break;
                case 7:
                    bytes.InsertRange(at, bytes.GetRange(at, Math.Min(_random.Next(_isShort ? 500 : 2000), bytes.Count - at)));
                    break;
                default:
                    bytes.InsertRange(at, Enumerable.Repeat((byte)0, _random.Next(1, 40)));
                    break;
            }
        }

        private void InsertPart(List<byte> bytes, int at, byte[] other)
        {
            var start = _random.Next(other.Length);
            bytes.InsertRange(at, other.AsSpan(start, Math.Min(_random.Next(_isShort ? 500 : 3000), other.Length - start)).ToArray());
        }
    }
}
