using System.Diagnostics;
using System.Text.RegularExpressions;

namespace IoBench.Formats.Tests;

/// <summary>Reading a line must take time proportional to its length. With backtracking, these lines would take hours.</summary>
public class LongLineTests
{
    private const int Length = 1 << 20;

    // Texts that each expression starts with, and texts that it repeats.
    private static readonly string[] s_beginnings =
    [
        "",
        "for ",
        "for /f \"",
        "@for %i in (",
        "set ",
        "set /a ",
        "set \"a",
        "call ",
        "PS x",
        "C:\\",
        "sqlio",
        "diskspd.exe",
        "x 1 ",
        "x 1 0x",
        "iobench --force ",
        "\"sqlio",
    ];

    private static readonly string[] s_repeated =
    [
        " ",
        "a",
        ".",
        "=",
        "\"",
        ">",
        "-",
        "%",
        "(",
        "1",
        "0x1 ",
        "set ",
        "set a",
        "call ",
        "call x.",
        " 1 ",
        "1 0x1 1 ",
        "sqlio ",
        "fio",
        "\"sqlio",
        "--force ",
        "--erase-device=a ",
        "@",
        "/a ",
        "+ ",
    ];

    [Fact]
    public void A_line_of_a_million_letters_takes_no_longer_than_its_length()
    {
        Regex[] all =
        [
            BatchCommand.For(),
            BatchCommand.Calculate(),
            BatchCommand.Set(),
            BatchCommand.AnySet(),
            BatchCommand.Jumps(),
            BatchCommand.Tool(),
        ];
        var clock = Stopwatch.StartNew();
        foreach (
            var line in from beginning in s_beginnings
            from repeated in s_repeated
            select beginning + string.Concat(Enumerable.Repeat(repeated, Length / repeated.Length))
        )
        {
            foreach (var pattern in all)
                _ = pattern.Count(line);
            Assert.True(clock.Elapsed < TimeSpan.FromMinutes(5), line[..40]);
        }
    }

    [Fact]
    public void Nor_does_one_that_looks_like_a_command_of_SQLIO()
    {
        var clock = Stopwatch.StartNew();
        foreach (var beginning in s_beginnings)
        {
            foreach (var repeated in s_repeated)
            {
                _ = SqlioNoise.TryTakeCommandLine(
                    System.Text.Encoding.ASCII.GetBytes(
                        beginning + string.Concat(Enumerable.Repeat(repeated, 4000 / repeated.Length)) + "qlio"
                    ),
                    out _
                );
                _ = SqlioNoise.HoldsCommandLine(beginning + string.Concat(Enumerable.Repeat(repeated, 4000 / repeated.Length)));
                _ = SqlioNoise.HoldsParameterLine(beginning + string.Concat(Enumerable.Repeat(repeated, 1000 / repeated.Length)));
            }
            Assert.True(clock.Elapsed < TimeSpan.FromMinutes(2), beginning);
        }
    }
}
