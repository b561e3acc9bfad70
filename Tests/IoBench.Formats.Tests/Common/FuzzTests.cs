using System.Globalization;
using System.Text;
using IoBench.Engine;
using IoBench.Tests;
using Xunit.Abstractions;

namespace IoBench.Formats.Tests;

/// <summary>
/// Mutated inputs through every reader: no exception but the documented one, in bounded memory. IOBENCH_FUZZ says how many (5,000 when it is not
/// set), IOBENCH_FUZZ_SEED where to begin.
/// </summary>
public class FuzzTests(ITestOutputHelper output)
{
    private static readonly int s_count = Number("IOBENCH_FUZZ", 5000);

    private static int Number(string variable, int otherwise)
        => int.TryParse(Environment.GetEnvironmentVariable(variable), CultureInfo.InvariantCulture, out var number) ? number : otherwise;

    private static List<byte[]> Inputs()
    {
        var inputs = new List<byte[]>();
        foreach (var file in (string[])["reads-8k-random-3-files.txt", "write-8k-sequential-BH.txt", "size-matters-fragments.txt", "param.txt", "sqlio-commands.txt"])
            inputs.Add(File.ReadAllBytes(Samples.Path("documents", file)));
        if (Samples.Published("sqlio-published") is { } folder)
            foreach (var file in Directory.GetFiles(folder, "*.txt").Order(StringComparer.Ordinal))
                inputs.Add(File.ReadAllBytes(file));
        var results = SqlioText.Read(SqlioText.Run + SqlioText.Run);
        results.Add(new ResultGenerator(1).Result());
        inputs.Add(Encoding.UTF8.GetBytes(JsonResultTests.Write(results.ToArray())));
        inputs.Add(Encoding.UTF8.GetBytes(CsvResultTests.Write(results.ToArray())));
        inputs.Add(Encoding.Unicode.GetBytes(SqlioText.Run));
        return inputs;
    }

    [Fact]
    public void Mutated_inputs_do_no_harm()
    {
        var first = Number("IOBENCH_FUZZ_SEED", Random.Shared.Next(1 << 30));
        output.WriteLine($"IOBENCH_FUZZ_SEED={first} IOBENCH_FUZZ={s_count}");
        var inputs = Inputs();
        for (var i = 0; i < s_count; i++)
        {
            var seed = unchecked(first + i);
            var mutator = new Mutator(seed);
            var input = mutator.Mutate(inputs);
            try
            {
                ReadAll(input);
            }
            catch (Exception e) when (e is not IoBenchException)
            {
                Assert.Fail($"IOBENCH_FUZZ_SEED={seed} IOBENCH_FUZZ=1: {e}");
            }
        }
    }

    private static void ReadAll(byte[] input)
    {
        Guarded(input, () => Drain(SqlioTextReader.Read(new MemoryStream(input), "fuzz")));
        Guarded(input, () => Drain(JsonResultReader.Read(new MemoryStream(input), "fuzz")));
        Guarded(input, () => Drain(CsvResultReader.Read(TextInput.OpenText(new MemoryStream(input)), "fuzz")));
        Guarded(input, () => SqlioParameterFile.Read(TextInput.OpenText(new MemoryStream(input)), "fuzz"));
        Guarded(input, () =>
        {
            var line = TextInput.DecodeHead(input.AsSpan(0, Math.Min(input.Length, 300))).Split('\n')[0];
            SqlioCommandLine.ParseLine(line, _ => [new("x", 1, 0, null, 1)]);
        });
        Guarded(input, () => FormatReader.Of(TextInput.DecodeHead(input.AsSpan(0, Math.Min(input.Length, TextInput.HeadLength)))));
    }

    /// <summary>What was read must be a result that can be written; so nothing strange is in it.</summary>
    private static void Drain(IEnumerable<IoTestResult> results)
    {
        foreach (var result in results)
        {
            ResultWriter.Write(TextWriter.Null, [result], ResultFormat.Json);
            Assert.True(result.Warnings.Count < 60 + result.Targets.Count);
        }
    }

    private static void Guarded(byte[] input, Action read)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            read();
        }
        catch (IoBenchException e)
        {
            Assert.DoesNotContain('\n', e.Message);
        }
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated < 8_000_000 + (300L * input.Length), $"{allocated} bytes for an input of {input.Length}");
    }

    private sealed class Mutator(int seed)
    {
        private static readonly string[] s_pieces =
        [
            "sqlio v1.5.SG\n", "999999999999999999999999999", "-1", "1e999", "0x", "%:", "ms:", "\0\0\0", "\r", "\uFEFF", "IOs/sec: ", "histogram:\n", "{", "}", "[", "]", "\"",
            "\\", "'", ",", ";", "files A, B and C", "thread ", "ProcessorNumber: ALL 0 1 2\n", "D:\\>sqlio -kR -F", "D:\\>", "Waiting for 60 seconds", "18446744073709551616",
            "using ", "file ", "size of file ", "buffering set to ", "2,681", "…", "\u00A0", "\u2028", "\"specification\": null", "#TYPE x\n",
        ];

        private readonly Random _random = new(seed);

        public byte[] Mutate(List<byte[]> inputs)
        {
            var bytes = new List<byte>(inputs[_random.Next(inputs.Count)]);
            for (var i = _random.Next(1, 6); i > 0; i--)
                Step(bytes, inputs);
            return bytes.ToArray();
        }

        private void Step(List<byte> bytes, List<byte[]> inputs)
        {
            var at = bytes.Count == 0 ? 0 : _random.Next(bytes.Count);
            switch (_random.Next(9))
            {
                case 0: bytes.RemoveRange(at, bytes.Count - at); break;
                case 1: bytes.RemoveRange(at, Math.Min(_random.Next(200), bytes.Count - at)); break;
                case 2 when bytes.Count > 0: bytes[at] ^= (byte)(1 << _random.Next(8)); break;
                case 3 when bytes.Count > 0: bytes[at] = (byte)_random.Next(256); break;
                case 4: bytes.InsertRange(at, Encoding.UTF8.GetBytes(s_pieces[_random.Next(s_pieces.Length)])); break;
                case 5: Splice(bytes, at, inputs[_random.Next(inputs.Count)]); break;
                case 6: bytes.InsertRange(at, Enumerable.Repeat((byte)"0123456789 x[{\"\n\0,"[_random.Next(18)], 1 << _random.Next(_random.Next(20) == 0 ? 20 : 12))); break;
                case 7: bytes.InsertRange(at, bytes.GetRange(at, Math.Min(_random.Next(2000), bytes.Count - at))); break;
                default: bytes.InsertRange(at, Enumerable.Repeat((byte)0, _random.Next(1, 40))); break;
            }
        }

        private void Splice(List<byte> bytes, int at, byte[] other)
        {
            var start = _random.Next(other.Length);
            bytes.InsertRange(at, other.AsSpan(start, Math.Min(_random.Next(3000), other.Length - start)).ToArray());
        }
    }
}
