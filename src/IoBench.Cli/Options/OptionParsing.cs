using System.CommandLine;
using System.CommandLine.Parsing;
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

    /// <summary>Whether <c>--format</c> of a command that prints a table or JSON is json.</summary>
    public static bool IsJsonRequested(this ParseResult parsed, Option<string[]> format) =>
        parsed.GetText(format)?.ToUpperInvariant() switch
        {
            null or "TABLE" => false,
            "JSON" => true,
            var other => throw CreateOptionError(parsed, format, $"'{other.ToLowerInvariant()}' is not one of table, json."),
        };

    public static IoBenchException CreateOptionError(ParseResult parsed, Option option, string message) =>
        IoBenchException.Usage("IoBench.Usage", $"{parsed.GetTypedName(option)}: {message}");

    public static void ThrowIfAny(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        var full = GetFullName(parsed.CommandResult);
        var help = command is RootCommand ? "iobench --help" : $"iobench {full} --help";

        // A path argument would accept a mistyped option as a file name. All arguments after -- are names.
        var names = parsed
            .Tokens.SkipWhile(token => token.Type != TokenType.DoubleDash)
            .ToHashSet<Token>(ReferenceEqualityComparer.Instance);
        foreach (var argument in parsed.CommandResult.Children.OfType<ArgumentResult>())
        {
            foreach (var token in argument.Tokens)
            {
                // An unset variable of a script in quotation marks.
                if (token.Value.Length == 0)
                    throw CreateUsageError(
                        $"{argument.Argument.HelpName ?? argument.Argument.Name} is empty. Specify a name, or remove the argument."
                    );
                if (LooksLikeOption(token.Value) && !names.Contains(token) && !File.Exists(token.Value))
                    throw CreateUnknownOptionError(token.Value, command, full, help);
            }
        }

        if (parsed.UnmatchedTokens.Count > 0)
        {
            var token = parsed.UnmatchedTokens[0];
            throw LooksLikeOption(token) || command is not RootCommand
                ? CreateUnknownOptionError(token, command, full, help)
                : CreateUsageError(
                    $"'{token}' is not a command: {GetSuggestion(token, command.Subcommands.Select(c => c.Name), "'iobench --help' lists the commands.")}"
                );
        }

        if (parsed.Errors.Count == 0)
            return;
        if (command is RootCommand)
            throw CreateUsageError(
                $"the command is missing. For a first test, use 'iobench run PATH --workload sql-server'. 'iobench --help' lists all commands."
            );
        if (parsed.Errors[0].SymbolResult is OptionResult option)
            throw CreateUsageError(
                $"{option.IdentifierToken?.Value ?? option.Option.Name}: {(option.Tokens.Count == 0 ? "a value is missing" : parsed.Errors[0].Message.TrimEnd('.'))}; '{help}' lists the options."
            );
        var missing = command.Arguments.FirstOrDefault(a =>
            a.Arity.MinimumNumberOfValues > 0 && parsed.GetResult(a) is not { Tokens.Count: > 0 }
        );
        throw CreateUsageError(
            missing is not null
                ? $"{full} requires {missing.HelpName ?? missing.Name}: {missing.Description}"
                : $"{parsed.Errors[0].Message.TrimEnd('.')}; '{help}' lists the options."
        );
    }

    /// <summary>Name of a command with the names of its parents, such as <c>fleet remove</c>; empty for the program itself.</summary>
    private static string GetFullName(CommandResult command) =>
        command is { Command: not RootCommand, Parent: CommandResult parent }
            ? $"{GetFullName(parent)} {command.Command.Name}".TrimStart()
            : "";

    private static bool LooksLikeOption(string token) => token.Length > 1 && token[0] == '-' && !char.IsAsciiDigit(token[1]);

    private static IoBenchException CreateUnknownOptionError(string token, Command command, string full, string help)
    {
        if (!LooksLikeOption(token))
            return CreateUsageError($"'{token}' is an extra argument. '{help}' lists the arguments of {full}.");
        var name = token.Split('=', ':')[0];
        if (name == "--force")
        {
            var advice =
                command.Name == "remove"
                    ? "iobench remove deletes only test files that IoBench created. Use the operating system's own command to remove other files."
                    : "Remove --force.";
            return CreateUsageError($"{command.Name} has no --force, because --force applies only to output files. {advice}");
        }
        if (name == "-o")
            return CreateUsageError(
                $"-o is not an option of {full}, because -o sets the number of outstanding I/Os of a test. For an output file, use --output."
            );
        var names = command.Options.SelectMany(o => o.Aliases.Append(o.Name)).Where(n => n.StartsWith("--", StringComparison.Ordinal));
        // -x.txt is more likely a file name than an option.
        var file =
            token[1] != '-' && token.Contains('.', StringComparison.Ordinal)
                ? $" If you mean a file with this name, put -- before the name: -- {token}"
                : "";
        return CreateUsageError($"{name} is not an option of {full}: {GetSuggestion(name, names, $"'{help}' lists the options.")}{file}");
    }

    private static string GetSuggestion(string text, IEnumerable<string> names, string otherwise)
    {
        var near = Suggestions.FindNearest(text, names);
        return near.Count > 0 ? $"did you mean {string.Join(" or ", near)}?" : otherwise;
    }

    private static IoBenchException CreateUsageError(string message) => IoBenchException.Usage("IoBench.Usage", message);
}
