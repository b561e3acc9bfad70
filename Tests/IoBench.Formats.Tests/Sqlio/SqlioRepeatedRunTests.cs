using System.Text;

namespace IoBench.Formats.Tests;

/// <summary>Lines of earlier runs must not change how a run is read.</summary>
public class SqlioRepeatedRunTests
{
    private static readonly (string Name, Func<string, string> Change)[] s_changes =
    [
        ("none", line => line),
        ("blank before", line => " " + line),
        ("blank behind", line => line + " "),
        ("other figures", line => string.Concat(line.Select(c => char.IsAsciiDigit(c) ? (char)('0' + ((c - '0' + 3) % 10)) : c))),
        ("more digits", line => line + "7"),
        ("a fraction", line => line + ".5"),
        ("many digits", line => line + new string('1', 30)),
        ("separators", line => line.Replace("15504", "15,504", StringComparison.Ordinal)),
        ("left out", _ => ""),
        ("twice", line => line + "\n" + line),
        ("cut", line => line[..(line.Length / 2)]),
        ("upper case", line => line.ToUpperInvariant()),
        ("collapsed", line => line.Replace(" ", "", StringComparison.Ordinal)),
        ("a zero in it", line => line.Insert(3, "\0")),
        ("a blank of the web", line => line.Replace(' ', '\u00A0')),
        ("another run behind it", line => line + "sqlio v1.5.SG"),
        ("a lone carriage return", line => line + "\r\r"),
        ("the command line is not a valid SQLIO command line:", line => "? " + line),
    ];

    public static TheoryData<string> Changes => [.. s_changes.Select(c => c.Name)];

    private static string ReadAsJson(string text, int skip) =>
        JsonResultTests.WriteJson(SqlioTestText.ReadAll(Encoding.UTF8.GetBytes(text)).Skip(skip).ToArray());

    /// <summary>The third run, with one changed line, and the fourth run are read as without previous runs.</summary>
    [Theory]
    [MemberData(nameof(Changes))]
    public void Run_is_read_the_same_after_any_other_run(string change)
    {
        var run = SqlioTestText.Run;
        var lines = run.TrimEnd('\n').Split('\n');
        for (var i = 1; i < lines.Length; i++)
        {
            string[] changed = [.. lines[..i], s_changes.Single(c => c.Name == change).Change(lines[i]), .. lines[(i + 1)..]];
            var tail = string.Join('\n', changed) + "\n" + run + run;
            foreach (var end in (string[])["\n", "\r\n"])
            {
                var alone = new string('\n', 2 * lines.Length) + tail;
                Assert.Equal(
                    ReadAsJson(alone.Replace("\n", end, StringComparison.Ordinal), 0),
                    ReadAsJson((run + run + tail).Replace("\n", end, StringComparison.Ordinal), 2)
                );
            }
        }
    }

    [Fact]
    public void Lines_split_by_buffer_boundaries_are_read_the_same()
    {
        var text = string.Concat(
            Enumerable.Repeat(SqlioTestText.Run + "\n" + SqlioTestText.Run.Replace("\n", "\r\n", StringComparison.Ordinal), 3)
        );
        var whole = ReadAsJson(text, 0);

        foreach (var most in (int[])[1, 2, 7, 100, 1000])
            Assert.Equal(
                whole,
                JsonResultTests.WriteJson(SqlioFormat.Read(new SlowStream(Encoding.UTF8.GetBytes(text), most), "test.txt").ToArray())
            );
    }

    [Fact]
    public void All_runs_of_a_long_log_are_read_with_line_numbers()
    {
        var log = string.Concat(
            Enumerable
                .Range(0, 3000)
                .Select(i => SqlioTestText.ReplaceLine("15504.09", $"{i}.5").Replace("8KB", $"{8 << (i % 4)}KB", StringComparison.Ordinal))
        );
        var results = SqlioTestText.ReadAll(Encoding.UTF8.GetBytes(log));

        Assert.Equal(
            Enumerable.Range(0, 3000).Select(i => ((double?)(i + 0.5), (double?)(8 << (i % 4)), (int?)((i * 21) + 1))),
            results.Select(r => (r.IOPS, r.BlockSizeKB, r.SourceLine))
        );
        Assert.All(results, r => Assert.Empty(r.Warnings));
    }
}
