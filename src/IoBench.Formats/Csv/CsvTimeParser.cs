using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>Parses times in cells: ISO 8601, or as a culture of .NET writes them. Refuses a time that could be another day.</summary>
internal static partial class CsvTimeParser
{
    private const int BuddhistYears = 543;
    private static readonly PersianCalendar s_persian = new();

    /// <summary>Null if the cell itself shows neither order.</summary>
    public static bool? DetectDayFirst(string text)
    {
        var parts = GetTimeRegex().Match(CsvNumber.RemoveDirectionMarks(text));
        return parts.Success && parts.Groups["a"].Length <= 2
            ? DetectDayFirst(GetNumber(parts, "a"), GetNumber(parts, "b"), parts.Groups["s"].ValueSpan[0])
            : null;
    }

    /// <summary>Only some cultures of India, Pakistan, Bangladesh, and Cambodia write such times with the day first.</summary>
    public static bool LooksAmerican(string text) => GetAmericanRegex().IsMatch(text);

    /// <param name="dayFirst">Order of day and month in the file; null if unknown.</param>
    public static CsvCellStatus Parse(string text, bool? dayFirst, out DateTimeOffset time)
    {
        // The format that IoBench writes, which most files have.
        if (
            text.Length > 10
            && text[4] == '-'
            && text[10] == 'T'
            && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time)
        )
            return CsvCellStatus.Read;
        var parts = GetTimeRegex().Match(CsvNumber.RemoveDirectionMarks(text).Trim());
        if (parts.Success)
            return ParseParts(parts, dayFirst, out time);
        // An English month name is unambiguous.
        if (
            GetMonthNameRegex().IsMatch(text)
            && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out time)
        )
            return CsvCellStatus.Read;
        time = default;
        return text.Any(char.IsDigit) ? CsvCellStatus.DoubtfulTime : CsvCellStatus.Invalid;
    }

    private static CsvCellStatus ParseParts(Match parts, bool? dayFirst, out DateTimeOffset time)
    {
        time = default;
        int first = GetNumber(parts, "a"),
            second = GetNumber(parts, "b"),
            third = GetNumber(parts, "c");
        var yearFirst = parts.Groups["a"].Length == 4;
        int year,
            month,
            day;
        if (yearFirst && parts.Groups["c"].Length <= 2)
        {
            year = first;
            month = second;
            day = third;
        }
        else if (
            parts.Groups["a"].Length > 2
            || parts.Groups["c"].Length != 4
            || (DetectDayFirst(first, second, parts.Groups["s"].ValueSpan[0]) ?? dayFirst) is not { } isDayFirst
        )
            return CsvCellStatus.DoubtfulTime;
        else
        {
            year = third;
            month = isDayFirst ? second : first;
            day = isDayFirst ? first : second;
        }
        if (ParseTimeOfDay(parts) is not { } clock || CreateDate(year, month, day, yearFirst) is not { } date)
            return CsvCellStatus.DoubtfulTime;
        var offset = parts.Groups["o"].ValueSpan;
        var utcOffset = TimeSpan.Zero;
        if (
            offset.Length > 1 && !TimeSpan.TryParseExact(offset[1..], @"hh\:mm", CultureInfo.InvariantCulture, out utcOffset)
            || utcOffset > TimeSpan.FromHours(14)
        )
            return CsvCellStatus.DoubtfulTime;
        time = new DateTimeOffset(date + clock, offset.StartsWith("-") ? -utcOffset : utcOffset);
        return CsvCellStatus.Read;
    }

    /// <summary>Points separate day and month only if the day is first.</summary>
    private static bool? DetectDayFirst(int first, int second, char sign)
    {
        if (sign == '.' || (first > 12 && second <= 12))
            return true;
        return second > 12 && first <= 12 ? false : null;
    }

    /// <summary>Gregorian, Buddhist, or Persian calendar, which cultures use by default; null for other years.</summary>
    private static DateTime? CreateDate(int year, int month, int day, bool yearFirst)
    {
        try
        {
            return year switch
            {
                >= 1990 and <= 2200 => new DateTime(year, month, day),
                >= 1990 + BuddhistYears and <= 2200 + BuddhistYears => new DateTime(year - BuddhistYears, month, day),
                // Hijri years are in the same range, but cultures write them last.
                >= 1369 and <= 1479 when yearFirst => s_persian.ToDateTime(year, month, day, 0, 0, 0, 0),
                _ => null,
            };
        }
        catch (ArgumentOutOfRangeException)
        {
            return null;
        }
    }

    private static TimeSpan? ParseTimeOfDay(Match parts)
    {
        if (!parts.Groups["h"].Success)
            return TimeSpan.Zero;
        int hour = GetNumber(parts, "h"),
            minute = GetNumber(parts, "m"),
            second = parts.Groups["n"].Success ? GetNumber(parts, "n") : 0;
        if (parts.Groups["t"].Success)
        {
            if (hour is < 1 or > 12)
                return null;
            hour = hour % 12 + (parts.Groups["t"].ValueSpan[0] is 'p' or 'P' or 'م' ? 12 : 0);
        }
        if (hour > 23 || minute > 59 || second > 59)
            return null;
        var fraction = parts.Groups["f"].Success
            ? double.Parse(parts.Groups["f"].ValueSpan, NumberStyles.Float, CultureInfo.InvariantCulture)
            : 0;
        return new TimeSpan(hour, minute, second) + TimeSpan.FromTicks((long)Math.Round(fraction * TimeSpan.TicksPerSecond));
    }

    private static int GetNumber(Match parts, string name) =>
        int.Parse(parts.Groups[name].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);

    // Examples: 2026-03-01 22:04:05 +01:00, 1.03.2026 22:04:05, 3/1/2026 10:04:05 PM +01:00, 2026. 03. 01. 22.04.05. AP is the Persian era.
    [GeneratedRegex(
        @"^(AP )?(?<a>[0-9]{1,4})(?<s>[-/.]) ?(?<b>[0-9]{1,2})\k<s> ?(?<c>[0-9]{1,4})\.?([ T]+(?<h>[0-9]{1,2})[:.](?<m>[0-9]{2})([:.](?<n>[0-9]{2})(?<f>\.[0-9]{1,7})?)?( ?(?<t>[AaPp]\.? ?[Mm]\.?|[صم]))?( ?(?<o>[-+][0-9]{2}:[0-9]{2}|Z))?)?$",
        RegexOptions.ExplicitCapture
    )]
    private static partial Regex GetTimeRegex();

    [GeneratedRegex(@"^[1-9][0-9]?/[1-9][0-9]?/[0-9]{4} [1-9][0-9]?:[0-9]{2}:[0-9]{2}[ \u202F](AM|PM)\b")]
    private static partial Regex GetAmericanRegex();

    [GeneratedRegex(@"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    private static partial Regex GetMonthNameRegex();
}
