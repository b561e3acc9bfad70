using IoBench.Engine;

namespace IoBench.Formats;

/// <param name="Line">Line of its section, from 1; null for a command line.</param>
/// <param name="Options">Options of the job, including the options for all jobs.</param>
internal sealed record FioJobDefinition(string Name, int? Line, FioOptions Options)
{
    internal IoBenchException CreateError(string message) =>
        IoBenchException.Usage("IoBench.InvalidCommandLine", $"fio: job {Name}: {message}");

    internal IoBenchException CreateNotSupportedError(string message) =>
        IoBenchException.Usage("IoBench.NotSupported", $"fio: job {Name}: {message}");

    /// <param name="unit">Unit of a number without a unit.</param>
    internal TimeSpan? GetTime(string name, TimeSpan unit) =>
        Options[name] is not { } text
            ? null
            : FioJobDefinition.ParseTime(text, unit)
                ?? throw CreateError($"{name}={text} is not a time. Use a number with d, h, m, s, ms, or us.");

    internal long? GetSize(string name) =>
        Options[name] is not { } text
            ? null
            : Options.ParseSize(text)
                ?? throw CreateError($"{name}={text} is not a size that IoBench can read. Use bytes, or a number with k, m, g, or t.");

    internal int? GetNumber(string name, int min, int max) =>
        Options[name] is not { } text ? null
        : Options.ParseSize(text) is { } value && value >= min && value <= max ? (int)value
        : throw CreateError(FormattableString.Invariant($"{name}={text} is out of range. Use {min} to {max}."));

    internal static TimeSpan? ParseTime(string text, TimeSpan unit)
    {
        text = text.Trim().ToLowerInvariant();
        var digits = text.Length;
        while (digits > 0 && !char.IsAsciiDigit(text[digits - 1]))
            digits--;
        if (
            !long.TryParse(
                text.AsSpan(0, digits),
                System.Globalization.NumberStyles.None,
                System.Globalization.CultureInfo.InvariantCulture,
                out var value
            )
            || value > 315_360_000_000
        )
            return null;
        double? seconds = text[digits..] switch
        {
            "" => value * unit.TotalSeconds,
            "d" => value * 86400.0,
            "h" => value * 3600.0,
            "m" => value * 60.0,
            "s" => value,
            "ms" or "msec" => value / 1e3,
            "us" or "usec" => value / 1e6,
            _ => null,
        };
        return seconds is <= 315_360_000 ? TimeSpan.FromSeconds(seconds.Value) : null;
    }
}
