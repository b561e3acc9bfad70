namespace IoBench.Engine.Text;

/// <summary>Units in which throughput is shown.</summary>
public enum ThroughputUnits
{
    /// <summary>MiB/s: 2^20 bytes per second, as the figures are kept and as SQLIO and DiskSpd count, whatever they call it.</summary>
    Binary,

    /// <summary>MB/s: 10^6 bytes per second, as CrystalDiskMark and most vendors count.</summary>
    Si,
}

/// <summary>
/// Throughput in words, tables and reports. The unit belongs to the call that was made, as the culture does: figures are kept in MiB per second, and
/// JSON, CSV and the old tools' text have them so whatever was asked for.
/// </summary>
public static class Throughput
{
    private const double MegabytesPerMebibyte = 1.048576;
    private static readonly AsyncLocal<ThroughputUnits> s_units = new();

    /// <summary>The units in which this call shows throughput.</summary>
    public static ThroughputUnits Units
    {
        get => s_units.Value;
        set => s_units.Value = value;
    }

    /// <summary><c>MiB/s</c> or <c>MB/s</c>.</summary>
    public static string Unit => Units == ThroughputUnits.Si ? "MB/s" : "MiB/s";

    /// <summary>A throughput in <see cref="Unit"/>.</summary>
    /// <param name="mebibytes">MiB per second.</param>
    public static double In(double mebibytes) => Units == ThroughputUnits.Si ? mebibytes * MegabytesPerMebibyte : mebibytes;

    /// <summary>The same; null stays null.</summary>
    /// <param name="mebibytes">MiB per second.</param>
    public static double? In(double? mebibytes) => mebibytes is { } known ? In(known) : null;

    /// <summary>With its unit: <c>95.1 MiB/s</c>.</summary>
    /// <param name="mebibytes">MiB per second.</param>
    public static string Text(double mebibytes) => $"{Figures.Rate(In(mebibytes))} {Unit}";
}
