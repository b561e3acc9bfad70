namespace IoBench.Reports;

/// <summary>
/// The series colors are those of Okabe and Ito ("Color Universal Design", 2008), which people with any color blindness can distinguish,
/// without yellow (too light on white), and with an indigo and a gray. Markers and dashes differ as well, for gray printing.
/// </summary>
internal sealed class Palette
{
    public const string TextColor = "1F2933";

    public const string MutedTextColor = "5F6B76";

    public const string HeaderFill = "1F4E79";

    public const string LineColor = "D5DBE1";

    /// <summary>Blue instead of green, because it is next to orange and red.</summary>
    public const string PassFill = "D6E8F7",
        PassText = "0B4F82";

    public const string WarningFill = "FDECC8",
        WarningText = "7A4B00";

    public const string FailFill = "F8D3C5",
        FailText = "8A2A00";

    public const string NeutralFill = "ECEFF2",
        NeutralText = "4A545E";

    private static readonly string[] s_seriesColors =
    [
        "0072B2",
        "E69F00",
        "009E73",
        "D55E00",
        "56B4E9",
        "CC79A7",
        "332288",
        "5A5A5A",
        "8C6D31",
        "000000",
    ];
    private static readonly MarkerShape[] s_markers = [MarkerShape.Circle, MarkerShape.Square, MarkerShape.Triangle, MarkerShape.Diamond];

    /// <summary>From short to long latencies, light to dark, so that gray printing keeps the order.</summary>
    public static readonly IReadOnlyList<string> LatencyRamp =
    [
        "E3F0FA",
        "BBD9F0",
        "8BC0E4",
        "56A3D6",
        "2B7FBC",
        "B34A00",
        "8A3300",
        "622000",
        "3A1000",
    ];

    public static readonly IReadOnlyList<string> HeatRamp =
    [
        "DDEBF7",
        "BBD6EC",
        "93BDDF",
        "66A1CF",
        "2F76AD",
        "1C649C",
        "0A4577",
        "02264A",
    ];

    /// <summary>On a dark background, few I/Os are dark and many are light.</summary>
    public static readonly IReadOnlyList<string> HeatRampDark =
    [
        "14304A",
        "1A4165",
        "215482",
        "2B6BA2",
        "4F9AD6",
        "77B4E2",
        "9FCCEE",
        "D2E8FA",
    ];

    /// <summary>Background of a heat map where no I/O ended, in light and dark mode.</summary>
    public const string HeatBackground = "FDFDFD",
        HeatBackgroundDark = "12171B";

    public static string GetHeatTextColor(int level) => level < FirstDarkLevel ? TextColor : "FFFFFF";

    private const int FirstDarkLevel = 4;

    private readonly Dictionary<string, int> _indexes = new(StringComparer.Ordinal);

    /// <summary>A pattern has the same color on every sheet.</summary>
    public string GetColor(string key) => s_seriesColors[GetIndex(key) % s_seriesColors.Length];

    public SeriesStyle GetStyle(string key) => GetLineStyle(GetIndex(key));

    /// <summary>For lines that are not patterns, such as percentiles and labels.</summary>
    public static SeriesStyle GetLineStyle(int index) =>
        new(
            s_seriesColors[index % s_seriesColors.Length],
            s_markers[index % s_markers.Length],
            index / s_seriesColors.Length % 2 == 1 ? LineDash.Dash : LineDash.Solid
        );

    // Bars have no markers, so only their lightness distinguishes them in gray printing.
    private static readonly string[] s_barColors = ["0B4F82", "E69F00", "009E73", "1A1A1A", "BBD9F0"];

    public static SeriesStyle GetBarStyle(int index) => new(s_barColors[index % s_barColors.Length], s_markers[index % s_markers.Length]);

    private int GetIndex(string key)
    {
        if (!_indexes.TryGetValue(key, out var index))
        {
            index = _indexes.Count;
            _indexes.Add(key, index);
        }
        return index;
    }
}
