using System.CommandLine;
using System.CommandLine.Parsing;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class OptionParsing
{
    public static void ThrowIfAny(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        var help = command is RootCommand ? "iobench --help" : $"iobench {command.Name} --help";

        // A path argument would accept a mistyped option as a file name, so report it as an unknown option. All arguments after -- are
        // names.
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
                        $"{argument.Argument.HelpName ?? argument.Argument.Name} is empty: a name is needed, or nothing at all."
                    );
                if (LooksLikeOption(token.Value) && !names.Contains(token) && !File.Exists(token.Value))
                    throw CreateUnknownOptionError(token.Value, command, help);
            }
        }

        if (parsed.UnmatchedTokens.Count > 0)
        {
            var token = parsed.UnmatchedTokens[0];
            throw LooksLikeOption(token) || command is not RootCommand
                ? CreateUnknownOptionError(token, command, help)
                : CreateUsageError(
                    $"'{token}' is not a command: {GetSuggestion(token, command.Subcommands.Select(c => c.Name), "'iobench --help' lists them.")}"
                );
        }

        if (parsed.Errors.Count == 0)
            return;
        if (command is RootCommand)
            throw CreateUsageError(
                $"no command: for a first test try 'iobench run PATH --workload sql-server'; 'iobench --help' lists all commands."
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
                ? $"{command.Name} needs {missing.HelpName ?? missing.Name}: {missing.Description}"
                : $"{parsed.Errors[0].Message.TrimEnd('.')}; '{help}' lists the options."
        );
    }

    private static bool LooksLikeOption(string token) => token.Length > 1 && token[0] == '-' && !char.IsAsciiDigit(token[1]);

    private static IoBenchException CreateUnknownOptionError(string token, Command command, string help)
    {
        if (!LooksLikeOption(token))
            return CreateUsageError($"'{token}' is one argument too many; '{help}' lists what {command.Name} takes.");
        var name = token.Split('=', ':')[0];
        var names = command.Options.SelectMany(o => o.Aliases.Append(o.Name)).Where(n => n.StartsWith("--", StringComparison.Ordinal));
        // -x.txt is more likely a file name than an option.
        var file = token[1] != '-' && token.Contains('.', StringComparison.Ordinal) ? $" For a file of that name write -- {token}." : "";
        return CreateUsageError($"{name} is not an option of {command.Name}: {GetSuggestion(name, names, $"'{help}' lists them.")}{file}");
    }

    private static string GetSuggestion(string text, IEnumerable<string> names, string otherwise)
    {
        var near = Suggestions.FindNearest(text, names);
        return near.Count > 0 ? $"did you mean {string.Join(" or ", near)}?" : otherwise;
    }

    private static IoBenchException CreateUsageError(string message) => IoBenchException.Usage("IoBench.Usage", message);
}
