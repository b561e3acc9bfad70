using System.Globalization;

namespace IoBench.Formats;

internal static class TimeText
{
    internal static DateTimeOffset? Parse(ReadOnlySpan<char> text) =>
        DateTimeOffset.TryParseExact(
            text,
            "yyyy/MM/dd HH:mm:ss 'UTC'",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal,
            out var time
        )
            ? time
            : null;

    internal static string Format(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy/MM/dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);
}
