using System.Globalization;

namespace IoBench.Formats;

internal static class DistributionText
{
    private const int Width = 9;

    /// <summary>Formats a range in bytes. A null end is the end of the target.</summary>
    internal static string Range(int percent, long from, long? to, DiskSpdForm form) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"   {percent, 3}% of IO => [{(from == 0 ? "     0   " : Size(from, form))} - {(to is null ? "      end" : Size(to.Value, form))})"
        );

    private static string Size(long bytes, DiskSpdForm form) =>
        form == DiskSpdForm.Version23 ? DiskSpdSize.Format23(bytes).PadLeft(Width) : DiskSpdSize.Format(bytes, Width - 3);
}
