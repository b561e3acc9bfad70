using System.CommandLine;

namespace IoBench.Cli.Options;

/// <summary>
/// Options as the program has them: each takes text, commas make lists. Errors about one begin with the option as it was typed.
/// </summary>
internal static class OptionText
{
    /// <summary>An option that takes text, or a list of it.</summary>
    public static Option<string[]> Create(string name, string valueName, string description, params string[] aliases) =>
        new(name, aliases)
        {
            HelpName = valueName,
            Description = description,
            Arity = ArgumentArity.OneOrMore,
            AllowMultipleArgumentsPerToken = false,
        };

    /// <summary>An option that is there or not.</summary>
    public static Option<bool> CreateFlag(string name, string description, params string[] aliases) =>
        new(name, aliases) { Description = description, Arity = ArgumentArity.Zero };

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

    /// <summary>An error about an option.</summary>
    public static IoBenchException Wrong(ParseResult parsed, Option option, string message) =>
        IoBenchException.Usage("IoBench.Usage", $"{parsed.Typed(option)}: {message}");
}
