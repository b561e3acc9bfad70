using System.CommandLine;
using IoBench.Engine;

namespace IoBench.Cli;

/// <summary>Every option takes text, and commas separate list items. Errors name an option as the user typed it.</summary>
internal static class OptionParsing
{
    public static Option<string[]> CreateOption(string name, string valueName, string description, params string[] aliases) =>
        new(name, aliases)
        {
            HelpName = valueName,
            Description = description,
            Arity = ArgumentArity.OneOrMore,
            AllowMultipleArgumentsPerToken = false,
        };

    public static Option<bool> CreateFlag(string name, string description, params string[] aliases) =>
        new(name, aliases) { Description = description, Arity = ArgumentArity.Zero };

    public static string GetTypedName(this ParseResult parsed, Option option) =>
        parsed.GetResult(option)?.IdentifierToken?.Value ?? option.Name;

    /// <summary>Commas separate values, and the option can be repeated.</summary>
    public static IReadOnlyList<string> GetList(this ParseResult parsed, Option<string[]> option)
    {
        if (parsed.GetResult(option) is not { Implicit: false })
            return [];
        var values = (parsed.GetValue(option) ?? []).SelectMany(value => value.Split(',')).Select(value => value.Trim()).ToList();
        if (values.Any(value => value.Length == 0))
            throw CreateOptionError(parsed, option, "a value is missing.");
        return values;
    }

    /// <returns>The value, including commas; null if the option is not specified.</returns>
    public static string? GetText(this ParseResult parsed, Option<string[]> option)
    {
        if (parsed.GetResult(option) is not { Implicit: false })
            return null;
        var values = parsed.GetValue(option) ?? [];
        return values.Length switch
        {
            0 => throw CreateOptionError(parsed, option, "a value is missing."),
            1 when values[0].Trim().Length == 0 => throw CreateOptionError(parsed, option, "a value is missing."),
            1 => values[0],
            _ => throw CreateOptionError(parsed, option, "given twice."),
        };
    }

    public static IoBenchException CreateOptionError(ParseResult parsed, Option option, string message) =>
        IoBenchException.Usage("IoBench.Usage", $"{parsed.GetTypedName(option)}: {message}");
}
