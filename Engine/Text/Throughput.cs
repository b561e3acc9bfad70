namespace IoBench.Engine;

/// <summary>Display units of throughput.</summary>
public enum ThroughputUnits
{
    /// <summary>MiB/s: 2^20 bytes per second, as in stored results, SQLIO, and DiskSpd (which call it MB/s).</summary>
    Binary,

    /// <summary>MB/s: 10^6 bytes per second, as CrystalDiskMark and most vendors count.</summary>
    Si,
}

/// <summary>
/// Display unit of throughput in messages, tables, and reports. The unit belongs to the current call, like the culture. Stored values are
/// always in MiB/s, also in
/// JSON, CSV, and the text formats of other tools.
/// </summary>
public static class Throughput
{
    private const double MegabytesPerMebibyte = 1.048576;
    private static readonly AsyncLocal<ThroughputUnits> s_units = new();

    /// <summary>Display unit of the current call.</summary>
    public static ThroughputUnits Units
    {
        get => s_units.Value;
        set => s_units.Value = value;
    }

    /// <summary><c>MiB/s</c> or <c>MB/s</c>.</summary>
    public static string Unit => Units == ThroughputUnits.Si ? "MB/s" : "MiB/s";

    /// <summary>Converts a throughput to the display unit.</summary>
    /// <param name="mebibytes">Throughput in MiB/s.</param>
    public static double ToUnit(double mebibytes) => Units == ThroughputUnits.Si ? mebibytes * MegabytesPerMebibyte : mebibytes;

    /// <summary>Converts a throughput to the display unit; null stays null.</summary>
    /// <param name="mebibytes">Throughput in MiB/s.</param>
    public static double? ToUnit(double? mebibytes) => mebibytes is { } known ? ToUnit(known) : null;

    /// <summary>Formats a throughput with its unit: <c>95.1 MiB/s</c>.</summary>
    /// <param name="mebibytes">Throughput in MiB/s.</param>
    public static string Format(double mebibytes) => $"{NumberFormat.Rate(ToUnit(mebibytes))} {Unit}";
}
