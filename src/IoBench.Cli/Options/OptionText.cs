using System.CommandLine;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Cli.Options;

/// <summary>
/// Reads the text of options the way the whole of IoBench reads sizes, durations and names, with messages that begin with the option
/// as it was typed. Commas make lists.
/// </summary>
internal static class OptionText
{
    /// <summary>An option that takes text, or a list of it.</summary>
    public static Option<string[]> Create(string name, string valueName, string description, params string[] aliases)
        => new(name, aliases)
        {
            HelpName = valueName,
            Description = description,
            Arity = ArgumentArity.OneOrMore,
            AllowMultipleArgumentsPerToken = false,
        };

    /// <summary>An option that is there or not.</summary>
    public static Option<bool> CreateFlag(string name, string description, params string[] aliases)
        => new(name, aliases) { Description = description, Arity = ArgumentArity.Zero };

    /// <summary>The option as it was typed: its alias, else its name.</summary>
    public static string Typed(this ParseResult parsed, Option option) => parsed.GetResult(option)?.IdentifierToken?.Value ?? option.Name;

    /// <summary>All values of an option; a comma separates, and so does giving the option twice.</summary>
    public static IReadOnlyList<string> List(this ParseResult parsed, Option<string[]> option)
    {
        if (parsed.GetResult(option) is not { Implicit: false })
            return [];
        var values = (parsed.GetValue(option) ?? []).SelectMany(value => value.Split(',')).Select(value => value.Trim()).ToList();
        if (values.Any(value => value.Length == 0))
            throw Wrong(parsed, option, "a value is missing.");
        return values;
    }

    /// <summary>The one value of an option, commas and all; null when it is not given.</summary>
    public static string? Text(this ParseResult parsed, Option<string[]> option)
    {
        if (parsed.GetResult(option) is not { Implicit: false })
            return null;
        var values = parsed.GetValue(option) ?? [];
        return values.Length switch
        {
            0 => throw Wrong(parsed, option, "a value is missing."),
            1 when values[0].Trim().Length == 0 => throw Wrong(parsed, option, "a value is missing."),
            1 => values[0],
            _ => throw Wrong(parsed, option, "given twice."),
        };
    }

    /// <summary>Every value of a list, read by <paramref name="read"/>.</summary>
    public static IReadOnlyList<T> List<T>(this ParseResult parsed, Option<string[]> option, Func<string, T> read)
        => [.. parsed.List(option).Select(text => Read(parsed, option, text, read))];

    /// <summary>The one value, read by <paramref name="read"/>; null when it is not given.</summary>
    public static T? Value<T>(this ParseResult parsed, Option<string[]> option, Func<string, T> read) where T : struct
        => parsed.Text(option) is { } text ? Read(parsed, option, text, read) : null;

    /// <summary>A whole number.</summary>
    public static int Integer(string text) => int.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) ? number
        : throw IoBenchException.Usage("IoBench.InvalidNumber", $"'{text}' is not a whole number.");

    /// <summary>A number, possibly with a fraction.</summary>
    public static double Number(string text) => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number
        : throw IoBenchException.Usage("IoBench.InvalidNumber", $"'{text}' is not a number.");

    /// <summary>A seed.</summary>
    public static ulong Seed(string text) => ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number
        : throw IoBenchException.Usage("IoBench.InvalidNumber", $"'{text}' is not a seed: a whole number from 0.");

    /// <summary>A size in bytes.</summary>
    public static long Size(string text) => IoSize.Parse(text).Bytes;

    /// <summary>A duration.</summary>
    public static TimeSpan Duration(string text) => IoDuration.Parse(text).TimeSpan;

    /// <summary>One of an enumeration's names, upper or lower case, never a number.</summary>
    public static T Name<T>(string text) where T : struct, Enum
        => Enum.GetNames<T>().FirstOrDefault(name => name.Equals(text.Replace("-", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase)) is { } found
            ? Enum.Parse<T>(found)
            : throw IoBenchException.Usage("IoBench.InvalidName", $"'{text}' is not one of {string.Join(", ", Enum.GetNames<T>().Select(name => name.ToLowerInvariant()))}.");

    /// <summary>An error about an option.</summary>
    public static IoBenchException Wrong(ParseResult parsed, Option option, string message)
        => IoBenchException.Usage("IoBench.Usage", $"{parsed.Typed(option)}: {message}");

    private static T Read<T>(ParseResult parsed, Option option, string text, Func<string, T> read)
    {
        try
        {
            return read(text);
        }
        catch (IoBenchException error)
        {
            throw new IoBenchException(error.ErrorId, error.Kind, $"{parsed.Typed(option)}: {error.Message}", error.Target, error);
        }
    }
}
