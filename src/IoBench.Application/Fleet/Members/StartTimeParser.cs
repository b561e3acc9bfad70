using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

public static class StartTimeParser
{
    /// <summary><c>02:00</c> is the next time of day, <c>+90s</c> is relative, and a date and time may have an offset from UTC.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidTime</c>: the text is invalid, or the time has passed.</exception>
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
                advice: "Use a time such as 02:00, 2026-12-01T02:00:00Z, or +90s."
            );
        return moment > now
            ? moment
            : throw IoBenchException.Usage("IoBench.InvalidTime", $"The time {text} is in the past. Use a later time.", text);
    }
}
