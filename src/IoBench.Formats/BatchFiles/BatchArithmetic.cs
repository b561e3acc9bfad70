using System.Globalization;

namespace IoBench.Formats;

/// <summary>Evaluates <c>set /a</c> as cmd does: 32-bit integers, the operators and precedence of C, names without percent signs.</summary>
internal ref struct BatchArithmetic
{
    private const int DeepestNesting = 32;

    private static readonly string[][] s_levels =
    [
        ["|"],
        ["^"],
        ["&"],
        ["<<", ">>"],
        ["+", "-"],
        ["*", "/", "%"],
    ];

    private readonly BatchVariables _variables;
    private ReadOnlySpan<char> _rest;
    private int _depth;

    private BatchArithmetic(string text, BatchVariables variables)
    {
        _rest = text.AsSpan().Trim();
        _variables = variables;
    }

    /// <summary>Returns the error as the end of a sentence, or null.</summary>
    internal static string? Evaluate(string text, BatchVariables variables)
    {
        var parser = new BatchArithmetic(text.Replace("\"", "", StringComparison.Ordinal), variables);
        while (true)
        {
            if (parser.ParseAssignment() is not { } value)
                return "is not a calculation with whole numbers, or one that divides by 0";
            if (parser._rest.IsEmpty)
                return null;
            if (!parser.TryRead(","))
                return $"cannot be read from '{BatchPlaceholder.FormatForMessage(parser._rest.ToString())}' on";
        }
    }

    private int? ParseAssignment()
    {
        if (++_depth > DeepestNesting)
            return null;
        var value = ParseAssignmentCore();
        _depth--;
        return value;
    }

    private int? ParseAssignmentCore()
    {
        var before = _rest;
        var name = ReadName();
        if (name.Length > 0)
        {
            foreach (var sign in (ReadOnlySpan<string>)["", "+", "-", "*", "/", "%", "&", "^", "|", "<<", ">>"])
            {
                if (!_rest.StartsWith(sign + "=") || !TryRead(sign + "="))
                    continue;
                if (ParseAssignment() is not { } right)
                    return null;
                var value =
                    sign.Length == 0 ? right
                    : GetValue(name) is { } left ? Apply(sign, left, right)
                    : null;
                if (value is { } number)
                    _variables.Set(name, number.ToString(CultureInfo.InvariantCulture));
                return value;
            }
        }
        _rest = before;
        return ParseBinary(0);
    }

    private int? ParseBinary(int level)
    {
        if (level == s_levels.Length)
            return ParseUnary();
        var left = ParseBinary(level + 1);
        while (left is { } value && TryReadAny(s_levels[level]) is { } sign)
            left = ParseBinary(level + 1) is { } right ? Apply(sign, value, right) : null;
        return left;
    }

    private int? ParseUnary()
    {
        if (++_depth > DeepestNesting)
            return null;
        int? value;
        if (TryRead("-"))
            value = -ParseUnary();
        else if (TryRead("+"))
            value = ParseUnary();
        else if (TryRead("~"))
            value = ~ParseUnary();
        else if (TryRead("!"))
            value = ParseUnary() is { } number
                ? number == 0
                    ? 1
                    : 0
                : null;
        else if (TryRead("("))
            value = ParseBinary(0) is { } inner && TryRead(")") ? inner : null;
        else
            value = ParseOperand();
        _depth--;
        return value;
    }

    private int? ParseOperand()
    {
        var length = 0;
        while (length < _rest.Length && char.IsAsciiLetterOrDigit(_rest[length]))
            length++;
        if (length > 0 && char.IsAsciiDigit(_rest[0]))
        {
            if (!BatchPlaceholder.TryParseNumber(_rest[..length], out var number))
                return null;
            _rest = _rest[length..].TrimStart();
            return (int)number;
        }
        var name = ReadName();
        return name.Length == 0 ? null : GetValue(name);
    }

    /// <summary>Returns 0 for a variable that was never set, and null if only a run can know the value.</summary>
    private readonly int? GetValue(string name)
    {
        var text = BatchPlaceholder.ResolveForCondition(_variables.GetValue(name) ?? "", out var unknown);
        return unknown is not null ? null
            : BatchPlaceholder.TryParseNumber(text, out var value) ? (int)value
            : 0;
    }

    private static int? Apply(string sign, int left, int right) =>
        sign switch
        {
            "+" => unchecked(left + right),
            "-" => unchecked(left - right),
            "*" => unchecked(left * right),
            "/" => right == 0 ? null : unchecked((int)((long)left / right)),
            "%" => right == 0 ? null : (int)((long)left % right),
            "&" => left & right,
            "|" => left | right,
            "^" => left ^ right,
            "<<" => right is >= 0 and < 32 ? left << right : 0,
            _ => right is >= 0 and < 32 ? left >> right : left >> 31,
        };

    private string ReadName()
    {
        var length = 0;
        while (
            length < _rest.Length
            && (char.IsAsciiLetter(_rest[length]) || _rest[length] is '_' || (length > 0 && char.IsAsciiDigit(_rest[length])))
        )
            length++;
        var name = _rest[..length].ToString();
        _rest = _rest[length..].TrimStart();
        return name;
    }

    private string? TryReadAny(string[] signs)
    {
        foreach (var sign in signs)
            if (TryRead(sign))
                return sign;
        return null;
    }

    private bool TryRead(string sign)
    {
        if (!_rest.StartsWith(sign))
            return false;
        _rest = _rest[sign.Length..].TrimStart();
        return true;
    }
}
