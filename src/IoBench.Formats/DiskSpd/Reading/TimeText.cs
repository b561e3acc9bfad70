using System.Globalization;

namespace IoBench.Formats.DiskSpd.Reading;

/// <summary>DiskSpd's time of start, always UTC.</summary>
internal static class TimeText
{
    /// <summary>Reads <c>2026/11/21 05:54:24 UTC</c>; null when it is none.</summary>
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

    /// <summary>Writes it.</summary>
    internal static string Format(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy/MM/dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);
}
