using System.Globalization;
using System.Text;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Tests.DiskSpd;

/// <summary>
/// Changed samples through every reader: no exception but the documented one, no memory without bound. A short run with a new seed each time;
/// IOBENCH_FUZZ=n runs n inputs, IOBENCH_FUZZ_SEED=s repeats a run.
/// </summary>
public class FuzzTests
{
    private static readonly string[] s_scraps =
    [
        "\0", "\uFFFF", "99999999999999999999999999999999", "-1", "1e309", "NaN", "18446744073709551615", "|||||||||||||||||||||||||||||||||||||||", "%", "(", ")",
        "\ttimespan: 999999999999\n", "Results for timespan 2147483648:\n", "Results for timespan 1:\n", "Total IO\n", "Read IO\n", "thread |       bytes     |     I/Os\n", "total:\n", "path: '",
        "Command Line: diskspd.exe -r -rdabs90/1K:5/9999999999999T a.dat\n", "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n", "CPU |  Usage |  User  | Kernel |  Idle\n", "Input parameters:\n", "System information:\n",
        "<TimeSpan>", "</TimeSpan>", "<Thread>", "</Thread>", "<Target>", "</Results>", "<Results>", "<Profile>", "<Bucket", "<![CDATA[", "<!--", "&#x110000;", "&amp", "\"", "<x y='", "<Range IO=\"90\">10</Range>",
        "for %%i in (1 2 3) do (\n", "for /L %%i in (1,1,2000000000) do diskspd -d%%i a.dat\n", "set A=%A%%A%%A%\n", "^\n", " > ", " | ", " & ", "!A!", "%~dp0", "timeout /t 99999999999\n", "-Xnone.xml ", "-Z1M,", "-B1G:99999999T ", "/",
    ];

    [Fact]
    public void Changed_samples_give_results_or_the_documented_error()
    {
        var seed = int.Parse(Environment.GetEnvironmentVariable("IOBENCH_FUZZ_SEED") ?? Environment.TickCount.ToString(CultureInfo.InvariantCulture), CultureInfo.InvariantCulture);
        var count = int.Parse(Environment.GetEnvironmentVariable("IOBENCH_FUZZ") ?? "500", CultureInfo.InvariantCulture);
        Console.WriteLine($"DiskSpd fuzzing: seed {seed}, {count} inputs");
        var corpus = Corpus();
        var random = new Random(seed);
        for (var i = 0; i < count; i++)
        {
            var input = Change(corpus[random.Next(corpus.Count)], corpus, random);
            var before = GC.GetAllocatedBytesForCurrentThread();
            foreach (var read in s_readers)
            {
                try
                {
                    read(input);
                }
                catch (IoBenchException error)
                {
                    Assert.DoesNotContain('\n', error.Message);
                }
                catch (Exception error)
                {
                    Assert.Fail($"seed {seed}, input {i}: {error}\n{(input.Length > 4000 ? input[..4000] : input)}");
                }
            }
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            Assert.True(allocated < 200_000_000, $"seed {seed}, input {i}: {allocated} bytes allocated for {input.Length} characters");
        }
    }

    private static readonly Action<string>[] s_readers =
    [
        text => WriteAll(DiskSpdTextReader.Read(new StringReader(text), "fuzz")),
        text => WriteAll(DiskSpdXmlReader.Read(new StringReader(text), "fuzz")),
        text => DiskSpdProfileReader.Read(new StringReader(text), "fuzz", ["a.dat"]),
        text => CommandLineReader.Read(new StringReader(text), "fuzz", Path.GetTempPath()),
        text => DiskSpdTextReader.LooksLike(text),
        text => DiskSpdXmlReader.LooksLike(text),
    ];

    /// <summary>What was read must also be possible to write.</summary>
    private static void WriteAll(IEnumerable<IoTestResult> results)
    {
        foreach (var result in results)
        {
            DiskSpdTextWriter.Write(TextWriter.Null, [result]);
            DiskSpdXmlWriter.Write(TextWriter.Null, [result]);
        }
    }

    private static List<string> Corpus()
    {
        var corpus = Directory.GetFiles(Samples.Path("diskspd-runs")).Select(File.ReadAllText).Where(t => t.Length is > 0 and < 60_000).ToList();
        corpus.AddRange(Directory.GetFiles(Samples.Path("documents"), "*commands*").Select(File.ReadAllText));
        corpus.Add("@echo off\r\nset D=15\r\nfor %%b in (8 64) do (\r\n  diskspd -b%%bK -d%D% -r a.dat > o%%b.txt\r\n  timeout /T 60\r\n)\r\ncall \"C:\\x y\\diskspd.exe\" -w30 ^\r\n -o8 \"a b.dat\" >> all.txt & ping -n 5 h\r\n");
        return corpus;
    }

    private static string Change(string text, List<string> corpus, Random random)
    {
        var changed = new StringBuilder(text);
        for (var n = random.Next(1, 8); n > 0 && changed.Length > 0; n--)
        {
            var at = random.Next(changed.Length);
            switch (random.Next(8))
            {
                case 0: changed.Length = at; break;
                case 1: changed.Remove(at, Math.Min(random.Next(1, 400), changed.Length - at)); break;
                case 2: changed[at] = (char)random.Next(random.Next(4) == 0 ? 65536 : 128); break;
                case 3: changed.Insert(at, s_scraps[random.Next(s_scraps.Length)]); break;
                case 4:
                    var other = corpus[random.Next(corpus.Count)];
                    var from = random.Next(other.Length);
                    changed.Insert(at, other.AsSpan(from, Math.Min(random.Next(1, 3000), other.Length - from)));
                    break;
                case 5: changed.Insert(at, changed.ToString(at, Math.Min(random.Next(1, 300), changed.Length - at))); break;
                case 6:
                    var digit = changed.ToString(at, changed.Length - at).IndexOfAny(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
                    if (digit >= 0)
                        changed.Insert(at + digit, new string('9', random.Next(1, 40)));
                    break;
                default: changed.Insert(at, string.Concat(Enumerable.Repeat(s_scraps[random.Next(s_scraps.Length)], random.Next(1, 200)))); break;
            }
        }
        return changed.ToString();
    }

    public static TheoryData<string, string, string> Endless() => new()
    {
        // What comes first, what is repeated, what reads it.
        { "Input parameters:\n", "x", "text" },
        { "Results for timespan 1:\n", "Total IO\n", "text" },
        { "Input parameters:\n\n\ttimespan:   1\n", "\tpath: 'a'\n", "text" },
        { "Input parameters:\n\n", "\ttimespan:   1\n\tpath: 'a'\n", "text" },
        { "Total IO\nthread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  file\n", "     0 |       1 |        1 |     1.00 |    1.00 | T:\\a.dat (64MiB)\n", "text" },
        { "Results for timespan 1:\nCPU |  Usage |  User  | Kernel |  Idle\n", "   0| 100.00%|  38.61%|  61.39%|   0.00%\n", "text" },
        { "Results for timespan 1:\nETW:\n", "Read: 12345\n", "text" },
        { "ERROR: x\n", "ERROR: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n", "text" },
        { "<Results>", "<a>", "xml" },
        { "<Results><System>", "<a></a>", "xml" },
        { "<Results>", "<TimeSpan/>", "xml" },
        { "<Results><TimeSpan><Iops>", "<Bucket SampleMillisecond=\"500\" Total=\"5\"/>", "xml" },
        { "<Results><TimeSpan><Thread>", "<Target><Path>a</Path></Target>", "xml" },
        { "<Results><System><ComputerName>", "x", "xml" },
        { "<Results a=\"", "x", "xml" },
        { "<Results ", "a=\"b\" ", "xml" },
        { "diskspd -d1 a.dat ", "x", "batch" },
        { "for %%i in (1) do (\n", "echo (\n", "batch" },
        { "", "for /L %%a in (1,1,9999) do for /L %%b in (1,1,9999) do echo x\n", "batch" },
    };

    [Theory]
    [MemberData(nameof(Endless))]
    public void Endless_input_takes_no_endless_memory(string head, string repeated, string kind)
    {
        var reader = new RepeatingReader(head, repeated, 6_000_000);
        var most = 0L;
        try
        {
            var results = kind switch
            {
                "text" => DiskSpdTextReader.Read(reader, null),
                "xml" => DiskSpdXmlReader.Read(reader, null),
                _ => CommandLineReader.Read(reader, null, null).Specifications.Select(_ => new IoTestResult()),
            };
            foreach (var _ in results)
                most = Math.Max(most, reader.MostMemory);
        }
        catch (IoBenchException error)
        {
            Assert.DoesNotContain('\n', error.Message);
        }
        Assert.True(Math.Max(most, reader.MostMemory) < 200_000_000, $"{reader.MostMemory} bytes in use");
    }

    /// <summary>A text that repeats itself, and looks now and then how much memory is in use.</summary>
    private sealed class RepeatingReader(string head, string repeated, long length) : TextReader
    {
        private readonly long _before = GC.GetTotalMemory(forceFullCollection: true);
        private string _text = head + string.Concat(Enumerable.Repeat(repeated, 65536 / repeated.Length + 1));
        private int _at;
        private long _given;
        private int _reads;

        public long MostMemory { get; private set; }

        public override int Read(char[] buffer, int index, int count)
        {
            if (_given >= length)
                return 0;
            if (++_reads % 256 == 0)
                MostMemory = Math.Max(MostMemory, GC.GetTotalMemory(forceFullCollection: false) - _before);
            if (_at >= _text.Length)
            {
                _text = head.Length < _text.Length && _text.StartsWith(head, StringComparison.Ordinal) ? _text[head.Length..] : _text;
                _at = 0;
            }
            var given = Math.Min(count, _text.Length - _at);
            _text.CopyTo(_at, buffer, index, given);
            _at += given;
            _given += given;
            return given;
        }
    }
}
