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
    private static readonly double[][] s_normalVision =
    [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ];

    public static TheoryData<string, string> GetTextColors() =>
        new()
        {
            { Palette.TextColor, "FFFFFF" },
            { Palette.MutedTextColor, "FFFFFF" },
            { Palette.HeaderFill, "FFFFFF" },
            { "FFFFFF", Palette.HeaderFill },
            { Palette.PassText, Palette.PassFill },
            { Palette.WarningText, Palette.WarningFill },
            { Palette.FailText, Palette.FailFill },
            { Palette.NeutralText, Palette.NeutralFill },
        };

    [Fact]
    public void Heat_map_values_have_enough_contrast_in_both_modes()
    {
        foreach (var level in Enumerable.Range(0, Palette.HeatRamp.Count))
        {
            Text_has_a_contrast_of_at_least_4_5(Palette.GetHeatTextColor(level), Palette.HeatRamp[level]);
            Text_has_a_contrast_of_at_least_4_5(Palette.GetHeatTextColor(Palette.HeatRamp.Count - 1 - level), Palette.HeatRampDark[level]);
        }
    }

    [Fact]
    public void Heat_map_colors_have_ordered_lightness_in_both_modes()
    {
        List<double> light = [GetLightness(Palette.HeatBackground), .. Palette.HeatRamp.Select(GetLightness)],
            dark = [GetLightness(Palette.HeatBackgroundDark), .. Palette.HeatRampDark.Select(GetLightness)];
        Assert.All(light.Zip(light.Skip(1)), pair => Assert.True(pair.First - pair.Second >= 5, $"{pair}"));
        Assert.All(dark.Zip(dark.Skip(1)), pair => Assert.True(pair.Second - pair.First >= 5, $"{pair}"));
    }

    [Theory]
    [MemberData(nameof(GetTextColors))]
    public void Text_has_a_contrast_of_at_least_4_5(string text, string ground)
    {
        var (light, dark) = (Math.Max(GetLuminance(text), GetLuminance(ground)), Math.Min(GetLuminance(text), GetLuminance(ground)));

        Assert.True((light + 0.05) / (dark + 0.05) >= 4.5, $"{text} on {ground}: {(light + 0.05) / (dark + 0.05):0.0}");
    }

    [Fact]
    public void Series_colors_have_enough_contrast_on_white() =>
        Assert.All(
            Enumerable.Range(0, 10).Select(index => Palette.GetLineStyle(index).Color),
            colour => Assert.True(1.05 / (GetLuminance(colour) + 0.05) >= 2, colour)
        );

    [Theory]
    [InlineData("everybody")]
    [InlineData("deuteranopia")]
    [InlineData("protanopia")]
    public void Series_colors_differ_with_color_vision_deficiency(string sight)
    {
        var matrix = sight switch
        {
            "deuteranopia" => s_deuteranopia,
            "protanopia" => s_protanopia,
            _ => s_normalVision,
        };
        var seen = Enumerable.Range(0, 8).Select(index => ToLab(Palette.GetLineStyle(index).Color, matrix)).ToList();

        for (var one = 0; one < seen.Count; one++)
        for (var other = one + 1; other < seen.Count; other++)
            // A distance of about 10 (CIE 1976) is visible at a glance.
            Assert.True(
                GetDistance(seen[one], seen[other]) > 10,
                $"{Palette.GetLineStyle(one).Color} and {Palette.GetLineStyle(other).Color}: {GetDistance(seen[one], seen[other]):0.0}"
            );
    }

    [Fact]
    public void Adjacent_series_differ_in_gray_or_by_marker()
    {
        for (var index = 0; index < 7; index++)
        {
            var (one, next) = (Palette.GetLineStyle(index), Palette.GetLineStyle(index + 1));
            Assert.True(
                one.Marker != next.Marker || Math.Abs(GetLightness(one.Color) - GetLightness(next.Color)) > 10,
                $"{one.Color} and {next.Color}"
            );
        }
    }

    [Fact]
    public void Bar_colors_differ_by_lightness()
    {
        for (var one = 0; one < 5; one++)
        for (var other = 0; other < one; other++)
            Assert.True(
                Math.Abs(GetLightness(Palette.GetBarStyle(one).Color) - GetLightness(Palette.GetBarStyle(other).Color)) > 10,
                $"{Palette.GetBarStyle(one).Color} and {Palette.GetBarStyle(other).Color}"
            );
    }

    [Fact]
    public void Latency_colors_get_darker_in_gray()
    {
        var lightness = Palette.LatencyRamp.Select(GetLightness).ToList();
        Assert.Equal(lightness.OrderDescending(), lightness);
        Assert.All(lightness.Zip(lightness.Skip(1)), pair => Assert.True(pair.First - pair.Second >= 5, $"{pair}"));
    }

    [Fact]
    public void Verdict_words_differ_without_color()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        Assert.Contains("✔ pass", book.GetText("Summary"), StringComparison.Ordinal);
        using var slow = new Workbook(ReportSamples.CreateSqlServerSuite(faster: 0.02));
        Assert.Contains("✘ fail", slow.GetText("Summary"), StringComparison.Ordinal);
    }

    private static double[] ToLinear(string colour) =>
        [
            .. new[] { 0, 2, 4 }
                .Select(at => Convert.ToInt32(colour.Substring(at, 2), 16) / 255.0)
                .Select(value => value <= 0.04045 ? value / 12.92 : Math.Pow((value + 0.055) / 1.055, 2.4)),
        ];

    private static double GetLuminance(string colour) =>
        ToLinear(colour) is [var red, var green, var blue] ? 0.2126 * red + 0.7152 * green + 0.0722 * blue : 0;

    private static double GetLightness(string colour) => 116 * GetLabRoot(GetLuminance(colour)) - 16;

    private static double[] ToLab(string colour, double[][] sight)
    {
        var light = ToLinear(colour);
        var (red, green, blue) = (Seen(0), Seen(1), Seen(2));
        var (x, y, z) = (
            0.4124 * red + 0.3576 * green + 0.1805 * blue,
            0.2126 * red + 0.7152 * green + 0.0722 * blue,
            0.0193 * red + 0.1192 * green + 0.9505 * blue
        );
        return [116 * GetLabRoot(y) - 16, 500 * (GetLabRoot(x / 0.9505) - GetLabRoot(y)), 200 * (GetLabRoot(y) - GetLabRoot(z / 1.089))];

        double Seen(int row) => Math.Clamp(sight[row].Zip(light, (factor, part) => factor * part).Sum(), 0, 1);
    }

    private static double GetLabRoot(double value) => value > 0.008856 ? Math.Cbrt(value) : 7.787 * value + 16.0 / 116;

    private static double GetDistance(double[] one, double[] other) => Math.Sqrt(one.Zip(other, (a, b) => (a - b) * (a - b)).Sum());
}
