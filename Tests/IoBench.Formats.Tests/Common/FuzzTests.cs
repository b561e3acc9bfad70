using System.Globalization;
using System.Text;
using IoBench.Engine;
using Xunit.Abstractions;

namespace IoBench.Formats.Tests;

/// <summary>Reads mutated inputs with every reader of this assembly, as <see cref="FuzzRun"/> says.</summary>
public class FuzzTests(ITestOutputHelper output)
{
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
        DiskSpdFormat.WriteXml(writer, DiskSpdFormat.ReadText(new StringReader(text), null), form: DiskSpdOutputVersion.Version23);
        return writer.ToString();
    }

    [Fact]
    public async Task Readers_handle_mutated_inputs()
    {
        var inputs = LoadInputs();
        var run = new FuzzRun(output);
        await run.RunAll(seed =>
        {
            var input = new InputMutator(seed, wholeInOf: 8).Mutate(inputs, inputs);
            foreach (var reader in s_readers)
                run.TryInput(seed, input, reader);
        });
    }

    [Fact]
    public async Task Readers_of_other_tools_handle_mutated_outputs()
    {
        var run = new FuzzRun(output);
        var mutator = new WholeFileMutator(LoadOtherToolInputs());
        await run.RunAll(seed =>
        {
            var (reader, input) = mutator.CreateInput(seed);
            // The matching reader, the reader of the recognized format, and one of the other readers in turn.
            foreach (var at in (int[])[reader, s_otherReaders.Length - 1, seed & 0x7fffffff])
                run.TryInput(seed, input, s_otherReaders[at % s_otherReaders.Length]);
        });
        output.WriteLine(mutator.Summary);
        Assert.True(mutator.LongShare >= 0.5 || FuzzRun.Count < 500, mutator.Summary);
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
                    ("DiskSpd text", SampleFiles.GetPath("diskspd-runs")),
                    ("DiskSpd text", SampleFiles.FindPublished("diskspd-published")),
                    ("SQLIO text", SampleFiles.FindPublished("sqlio-published")),
                ]
        )
        {
            foreach (
                var file in (folder is null ? [] : Directory.GetFiles(folder))
                    .Where(file => !file.EndsWith(".md", StringComparison.Ordinal))
                    .Order(StringComparer.Ordinal)
            )
                Add(file.EndsWith("xml.out", StringComparison.Ordinal) ? "DiskSpd XML" : reader, File.ReadAllBytes(file));
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
        foreach (
            var (reader, name) in (ReadOnlySpan<(string, string)>)
                [
                    ("CrystalDiskMark", "kdiskmark-3.1.txt"),
                    ("DiskSpd text", "diskspd-failed-disk-full.txt"),
                    ("DiskSpd text", "diskspd-failed-share.txt"),
                    ("batch file", "diskspd-powershell.ps1"),
                    ("batch file", "fio-lines.txt"),
                    ("profile", "diskspd-profile-empty-duration.xml"),
                    ("fio's job file", "fio-job-latency-target.fio"),
                    ("fio's job file", "fio-job-poisson-ss.fio"),
                    ("fio", "fio-write-then-verify.txt"),
                    ("SQLIO text", "sqlio-quoted-post.txt"),
                ]
        )
            Add(reader, File.ReadAllBytes(SampleFiles.GetPath("cases", name)));
        var results = SqlioTestText.ReadAll(SqlioTestText.Run + SqlioTestText.Run);
        results.Add(new ResultGenerator(1).CreateResult());
        Add("SQLIO text", Encoding.UTF8.GetBytes(SqlioTestText.Run));
        Add("JSON", Encoding.UTF8.GetBytes(JsonResultTests.WriteJson(results.ToArray())));
        Add("CSV", Encoding.UTF8.GetBytes(CsvResultTests.WriteText(results.ToArray())));
        Add("batch file", Encoding.UTF8.GetBytes(s_batch));
        Add("fio's job file", Encoding.UTF8.GetBytes(FioJobFileTests.Example));
        Add(
            "fio's command line",
            Encoding.UTF8.GetBytes(
                "fio --name=x --rw=randrw --bs=4k --bssplit=4k/60:64k/40 --iodepth 32 --numjobs=2 --runtime=2s --filename=a.dat --size=16m --rate_iops=300,200 > x.json"
            )
        );
        return inputs;

        void Add(string reader, byte[] input)
        {
            if (input.Length > 0)
                inputs.Add((Array.FindIndex(s_otherReaders, r => r.Name == reader), input));
        }
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

    private static readonly FuzzReader[] s_readers =
    [
        new("SQLIO text", input => WriteResults(input, SqlioFormat.Read(new MemoryStream(input), "fuzz"))),
        new("DiskSpd text", input => WriteResults(input, DiskSpdFormat.ReadText(CreateReader(input), "fuzz"))),
        new("DiskSpd XML", input => WriteResults(input, DiskSpdFormat.ReadXml(CreateReader(input), "fuzz"))),
        new("JSON", input => WriteResults(input, JsonFormat.Read(new MemoryStream(input), "fuzz"), keepsWarnings: true)),
        new("CSV", input => WriteResults(input, CsvResultReader.Read(CreateReader(input), "fuzz"), keepsWarnings: true)),
        new("profile", input => DiskSpdProfile.Read(CreateReader(input), "fuzz", ["a.dat"])),
        new("parameter file", input => SqlioCommandLine.ReadParameterLines(CreateReader(input), "fuzz")),
        // Loops create many tests from a few words. One in sixteen can run as long as for a user, the others end sooner.
        // A loop stops after 100,000 commands or 20 million characters, each of which is copied several times into words and messages that
        // are released.
        new(
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
        new("SQLIO command line", input => SqlioCommandLine.ParseLine(GetFirstLine(input), _ => [new("x", 1, 0, null, 1)])),
        new("DiskSpd command line", input => DiskSpdCommandLine.ParseLine(GetFirstLine(input), Path.GetTempPath())),
        new("recognized format", ReadRecognized),
    ];

    /// <summary>Readers of other tools. They get whole files, because most of these are longer than 4 KB.</summary>
    private static readonly FuzzReader[] s_otherReaders =
    [
        new("fio", input => WriteResults(input, FioFormat.Read(new MemoryStream(input), "fuzz"))),
        new("fio's job file", input => FioCommandLine.ReadJobFile(CreateReader(input), "fuzz")),
        new("fio's command line", input => FioCommandLine.ParseLine(GetFirstLine(input))),
        new("CrystalDiskMark", input => WriteResults(input, CrystalDiskMarkFormat.Read(CreateReader(input), "fuzz"))),
        new("VMFleet", input => WriteResults(input, VmFleetFormat.Read(CreateReader(input), "fuzz"))),
        .. s_readers,
    ];

    private static void ReadRecognized(byte[] input)
    {
        var head = TextInput.DecodeHead(input.AsSpan(0, Math.Min(input.Length, TextInput.HeadLength)));
        if (ResultFormats.DetectFormat(head) is { } format)
            WriteResults(input, format.Read(new MemoryStream(input), "fuzz"), keepsWarnings: true);
    }

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
}
