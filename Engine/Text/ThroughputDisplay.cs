namespace IoBench.Engine;

public enum ThroughputUnits
{
    /// <summary>MiB/s: 2^20 bytes per second, as in stored results, SQLIO, and DiskSpd (which call it MB/s).</summary>
    Binary,

    /// <summary>MB/s: 10^6 bytes per second, as CrystalDiskMark and most vendors count.</summary>
    Si,
}

/// <summary>
/// Display unit of throughput. It belongs to the current call, like the culture. Stored values are always in MiB/s, also in JSON, CSV, and
/// the text formats of other tools.
/// </summary>
public static class ThroughputDisplay
{
    private const double MegabytesPerMebibyte = 1.048576;
    private static readonly AsyncLocal<ThroughputUnits> s_units = new();

    public static ThroughputUnits Units
    {
        get => s_units.Value;
        set => s_units.Value = value;
    }

    public static string Unit => Units == ThroughputUnits.Si ? "MB/s" : "MiB/s";

    /// <summary>Converts MiB/s to the display unit.</summary>
    public static double ToUnit(double mebibytes) => Units == ThroughputUnits.Si ? mebibytes * MegabytesPerMebibyte : mebibytes;

    public static double? ToUnit(double? mebibytes) => mebibytes is { } known ? ToUnit(known) : null;

    /// <summary>Returns a text such as <c>95.1 MiB/s</c>.</summary>
    /// <param name="mebibytes">In MiB/s.</param>
    public static string Format(double mebibytes) => $"{NumberFormat.Rate(ToUnit(mebibytes))} {Unit}";
}
