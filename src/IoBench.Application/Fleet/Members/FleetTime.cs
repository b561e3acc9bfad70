using System.Globalization;

namespace IoBench.Application.Fleet.Members;

/// <summary>A moment as people write it.</summary>
public static class FleetTime
{
    /// <summary><c>02:00</c> is the next time the clock shows it, <c>+90s</c> so long from now, else a date and time with or without its offset from UTC.</summary>
    /// <param name="text">What was written.</param>
    /// <param name="now">What a time of day is counted from.</param>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidTime</c>: it is no moment, or it is over.</exception>
    public static DateTimeOffset Parse(string text, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(text);
        text = text.Trim();
        if (text.StartsWith('+'))
            return now + IoDuration.Parse(text[1..]).TimeSpan;
        if (TimeOnly.TryParseExact(text, ["H:mm", "HH:mm", "HH:mm:ss"], CultureInfo.InvariantCulture, DateTimeStyles.None, out var clock))
        {
            var today = new DateTimeOffset(now.Date + clock.ToTimeSpan(), now.Offset);
            return today > now ? today : today.AddDays(1);
        }
        if (!DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var moment))
            throw IoBenchException.Usage(
                "IoBench.InvalidTime",
                $"'{text}' is not a time.",
                text,
                advice: "Write 02:00, 2026-12-01T02:00:00Z or +90s."
            );
        return moment > now ? moment : throw IoBenchException.Usage("IoBench.InvalidTime", $"{text} is over.", text);
    }
}
