using System.Globalization;

namespace IoBench.Formats;

internal static class DiskSpdValueFormat
{
    internal static DateTimeOffset? ParseTime(ReadOnlySpan<char> text) =>
        DateTimeOffset.TryParseExact(
            text,
            "yyyy/MM/dd HH:mm:ss 'UTC'",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out var time
        )
            ? time
            : null;

    internal static string FormatTime(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy/MM/dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);
}
