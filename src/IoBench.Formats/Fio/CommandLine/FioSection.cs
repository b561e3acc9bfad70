namespace IoBench.Formats.Fio.CommandLine;

/// <summary>A job as a job file or a command line describes it, with what holds for all.</summary>
/// <param name="Name">The job's name.</param>
/// <param name="Line">The line of its section, from 1; null on a command line.</param>
/// <param name="Options">Its options over those for all.</param>
internal sealed record FioSection(string Name, int? Line, FioOptions Options)
{
    /// <summary>An error in it.</summary>
    internal IoBenchException Wrong(string message) => IoBenchException.Usage("IoBench.InvalidCommandLine", $"fio: job {Name}: {message}");

    /// <summary>Something in it that IoBench does not offer.</summary>
    internal IoBenchException NotOffered(string message) => IoBenchException.Usage("IoBench.NotSupported", $"fio: job {Name}: {message}");

    /// <summary>A time in seconds, or in another unit where the option has one of its own; null when it is not there.</summary>
    /// <param name="name">The option.</param>
    /// <param name="unit">What a number without a unit counts.</param>
    internal TimeSpan? Time(string name, TimeSpan unit) =>
        Options[name] is not { } text
            ? null
            : FioTime.Parse(text, unit)
                ?? throw Wrong($"{name}={text} is not a time: write a number, with d, h, m, s, ms or us behind it.");

    /// <summary>A size in bytes; null when it is not there.</summary>
    internal long? Size(string name) =>
        Options[name] is not { } text
            ? null
            : Options.Size(text)
                ?? throw Wrong($"{name}={text} is not a size that IoBench can read: write bytes, with k, m, g or t behind them.");

    /// <summary>A whole number between two others; null when it is not there.</summary>
    internal int? Number(string name, int min, int max) =>
        Options[name] is not { } text ? null
        : Options.Size(text) is { } value && value >= min && value <= max ? (int)value
        : throw Wrong(FormattableString.Invariant($"{name}={text}: {min} to {max} are possible."));
}

/// <summary>Times as fio has them.</summary>
internal static class FioTime
{
    internal static TimeSpan? Parse(string text, TimeSpan unit)
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
