using System.Globalization;

namespace IoBench.Formats;

internal static class DiskSpdDistributionFormat
{
    private const int Width = 9;

    /// <summary>Formats a range in bytes. A null end is the end of the target.</summary>
    internal static string FormatRange(int percent, long from, long? to, DiskSpdOutputVersion form) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"   {percent, 3}% of IO => [{(from == 0 ? "     0   " : FormatSize(from, form))} - {(to is null ? "      end" : FormatSize(to.Value, form))})"
        );

    private static string FormatSize(long bytes, DiskSpdOutputVersion form) =>
        form == DiskSpdOutputVersion.Version23
            ? DiskSpdValueFormat.FormatSize23(bytes).PadLeft(Width)
            : DiskSpdValueFormat.FormatSize(bytes, Width - 3);
}
