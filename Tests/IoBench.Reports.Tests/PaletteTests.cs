namespace IoBench.Reports.Tests;

/// <summary>Checks the colors for accessibility: contrast of text (WCAG 2.1), color vision deficiency, and gray printing.</summary>
public class PaletteTests
{
    // Machado, Oliveira, and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1, on
    // linear light.
    private static readonly double[][] s_deuteranopia =
    [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ];
    private static readonly double[][] s_protanopia =
    [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ];
    private static readonly double[][] s_everybody =
    [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ];

    public static TheoryData<string, string> Texts() =>
        new()
        {
            { Palette.Ink, "FFFFFF" },
            { Palette.Muted, "FFFFFF" },
            { Palette.HeaderFill, "FFFFFF" },
            { "FFFFFF", Palette.HeaderFill },
            { Palette.GoodText, Palette.GoodFill },
            { Palette.WatchText, Palette.WatchFill },
            { Palette.BadText, Palette.BadFill },
            { Palette.NeutralText, Palette.NeutralFill },
        };

    [Fact]
    public void Figures_stand_out_from_the_colours_of_a_heat_map_light_and_dark()
    {
        foreach (var level in Enumerable.Range(0, Palette.HeatRamp.Count))
        {
            Text_stands_out_from_its_ground(Palette.HeatText(level), Palette.HeatRamp[level]);
            Text_stands_out_from_its_ground(Palette.HeatText(Palette.HeatRamp.Count - 1 - level), Palette.HeatRampDark[level]);
        }
    }

    [Fact]
    public void More_IOs_are_darker_on_a_light_ground_and_lighter_on_a_dark_one()
    {
        List<double> light = [Lightness(Palette.HeatGround), .. Palette.HeatRamp.Select(Lightness)],
            dark = [Lightness(Palette.HeatGroundDark), .. Palette.HeatRampDark.Select(Lightness)];
        Assert.All(light.Zip(light.Skip(1)), pair => Assert.True(pair.First - pair.Second >= 5, $"{pair}"));
        Assert.All(dark.Zip(dark.Skip(1)), pair => Assert.True(pair.Second - pair.First >= 5, $"{pair}"));
    }

    [Theory]
    [MemberData(nameof(Texts))]
    public void Text_stands_out_from_its_ground(string text, string ground)
    {
        var (light, dark) = (Math.Max(Luminance(text), Luminance(ground)), Math.Min(Luminance(text), Luminance(ground)));

        Assert.True((light + 0.05) / (dark + 0.05) >= 4.5, $"{text} on {ground}: {(light + 0.05) / (dark + 0.05):0.0}");
    }

    [Fact]
    public void Lines_and_bars_are_seen_on_white() =>
        Assert.All(
            Enumerable.Range(0, 10).Select(index => Palette.Nth(index).Colour),
            colour => Assert.True(1.05 / (Luminance(colour) + 0.05) >= 2, colour)
        );

    [Theory]
    [InlineData("everybody")]
    [InlineData("deuteranopia")]
    [InlineData("protanopia")]
    public void Colours_that_stand_side_by_side_differ_for(string sight)
    {
        var matrix = sight switch
        {
            "deuteranopia" => s_deuteranopia,
            "protanopia" => s_protanopia,
            _ => s_everybody,
        };
        var seen = Enumerable.Range(0, 8).Select(index => Lab(Palette.Nth(index).Colour, matrix)).ToList();

        for (var one = 0; one < seen.Count; one++)
        for (var other = one + 1; other < seen.Count; other++)
            // A distance of about 10 (CIE 1976) is visible at a glance.
            Assert.True(
                Distance(seen[one], seen[other]) > 10,
                $"{Palette.Nth(one).Colour} and {Palette.Nth(other).Colour}: {Distance(seen[one], seen[other]):0.0}"
            );
    }

    [Fact]
    public void In_grey_neighbours_differ_by_lightness_or_by_their_marker()
    {
        for (var index = 0; index < 7; index++)
        {
            var (one, next) = (Palette.Nth(index), Palette.Nth(index + 1));
            Assert.True(
                one.Marker != next.Marker || Math.Abs(Lightness(one.Colour) - Lightness(next.Colour)) > 10,
                $"{one.Colour} and {next.Colour}"
            );
        }
    }

    [Fact]
    public void Bars_side_by_side_differ_by_lightness()
    {
        for (var one = 0; one < 5; one++)
        for (var other = 0; other < one; other++)
            Assert.True(
                Math.Abs(Lightness(Palette.Bar(one).Colour) - Lightness(Palette.Bar(other).Colour)) > 10,
                $"{Palette.Bar(one).Colour} and {Palette.Bar(other).Colour}"
            );
    }

    [Fact]
    public void The_ramp_of_latencies_grows_darker_in_grey()
    {
        var lightness = Palette.LatencyRamp.Select(Lightness).ToList();
        Assert.Equal(lightness.OrderDescending(), lightness);
        Assert.All(lightness.Zip(lightness.Skip(1)), pair => Assert.True(pair.First - pair.Second >= 5, $"{pair}"));
    }

    [Fact]
    public void Good_and_bad_differ_without_colour_by_their_words()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        Assert.Contains("✔ Good", book.Text("Summary"), StringComparison.Ordinal);
        using var slow = new Workbook(Runs.SqlServerSuite(faster: 0.02));
        Assert.Contains("✘ Bad", slow.Text("Summary"), StringComparison.Ordinal);
    }

    private static double[] Linear(string colour) =>
        [
            .. new[] { 0, 2, 4 }
                .Select(at => Convert.ToInt32(colour.Substring(at, 2), 16) / 255.0)
                .Select(value => value <= 0.04045 ? value / 12.92 : Math.Pow((value + 0.055) / 1.055, 2.4)),
        ];

    private static double Luminance(string colour) =>
        Linear(colour) is [var red, var green, var blue] ? 0.2126 * red + 0.7152 * green + 0.0722 * blue : 0;

    private static double Lightness(string colour) => 116 * Root(Luminance(colour)) - 16;

    private static double[] Lab(string colour, double[][] sight)
    {
        var light = Linear(colour);
        var (red, green, blue) = (Seen(0), Seen(1), Seen(2));
        var (x, y, z) = (
            0.4124 * red + 0.3576 * green + 0.1805 * blue,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            0.0193 * red + 0.1192 * green + 0.9505 * blue
        );
        return [116 * Root(y) - 16, 500 * (Root(x / 0.9505) - Root(y)), 200 * (Root(y) - Root(z / 1.089))];

        double Seen(int row) => Math.Clamp(sight[row].Zip(light, (factor, part) => factor * part).Sum(), 0, 1);
    }

    private static double Root(double value) => value > 0.008856 ? Math.Cbrt(value) : 7.787 * value + 16.0 / 116;

    private static double Distance(double[] one, double[] other) => Math.Sqrt(one.Zip(other, (a, b) => (a - b) * (a - b)).Sum());
}
