using IoBench.Engine;

namespace IoBench.Formats.Tests;

/// <summary>The readers of DiskSpd and batch files must keep only one run in memory, not the whole text.</summary>
[Collection(MemoryTestGroup.Name)]
public class UnboundedInputTests
{
    public static TheoryData<string, string, string> GetInputs() =>
        new()
        {
            { "Input parameters:\n", "x", "text" },
            { "Results for timespan 1:\n", "Total IO\n", "text" },
            { "Input parameters:\n\n\ttimespan:   1\n", "\tpath: 'a'\n", "text" },
            { "Input parameters:\n\n", "\ttimespan:   1\n\tpath: 'a'\n", "text" },
            {
                "Total IO\nthread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  file\n",
                "     0 |       1 |        1 |     1.00 |    1.00 | T:\\a.dat (64MiB)\n",
                "text"
            },
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
    [MemberData(nameof(GetInputs))]
    public void Unbounded_input_is_read_in_bounded_memory(string head, string repeated, string kind)
    {
        var reader = new RepeatingReader(head, repeated, 6_000_000);
        var most = 0L;
        try
        {
            var results = kind switch
            {
                "text" => DiskSpdFormat.ReadText(reader, null),
                "xml" => DiskSpdFormat.ReadXml(reader, null),
                _ => CommandLineReader.Read(reader, null, null).Specifications.Select(_ => new IoTestResult()),
            };
            foreach (var _ in results)
                most = Math.Max(most, reader.MaxMemory);
        }
        catch (IoBenchException error)
        {
            Assert.DoesNotContain('\n', error.Message);
        }
        Assert.True(Math.Max(most, reader.MaxMemory) < 200_000_000, $"{reader.MaxMemory} bytes in use");
    }

    private sealed class RepeatingReader(string head, string repeated, long length) : TextReader
    {
        private readonly long _before = GC.GetTotalMemory(forceFullCollection: true);
        private string _text = head + string.Concat(Enumerable.Repeat(repeated, 65536 / repeated.Length + 1));
        private int _at;
        private long _given;
        private int _reads;

        public long MaxMemory { get; private set; }

        public override int Read(char[] buffer, int index, int count)
        {
            if (_given >= length)
                return 0;
            if (++_reads % 256 == 0)
                MaxMemory = Math.Max(MaxMemory, GC.GetTotalMemory(forceFullCollection: false) - _before);
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
