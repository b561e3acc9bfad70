using System.Globalization;

namespace IoBench.Formats;

/// <summary>
/// Evaluates <c>set /a</c> as cmd does: 32-bit integers, the operators and precedence of C, variable names without percent signs, and
/// several assignments separated by commas.
/// </summary>
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

    /// <summary>Evaluates the expression and sets the variables. Returns the error as the end of a sentence, or null.</summary>
    internal static string? Run(string text, BatchVariables variables)
    {
        var parser = new BatchArithmetic(text.Replace("\"", "", StringComparison.Ordinal), variables);
        while (true)
        {
            if (parser.Assignment() is not { } value)
                return "is not a calculation with whole numbers, or one that divides by 0";
            if (parser._rest.IsEmpty)
                return null;
            if (!parser.Take(","))
                return $"cannot be read from '{BatchValue.ForMessage(parser._rest.ToString())}' on";
        }
    }

    private int? Assignment()
    {
        if (++_depth > DeepestNesting)
            return null;
        var value = AssignmentHere();
        _depth--;
        return value;
    }

    private int? AssignmentHere()
    {
        var before = _rest;
        var name = TakeName();
        if (name.Length > 0)
        {
            foreach (var sign in (ReadOnlySpan<string>)["", "+", "-", "*", "/", "%", "&", "^", "|", "<<", ">>"])
            {
                if (!_rest.StartsWith(sign + "=") || !Take(sign + "="))
                    continue;
                if (Assignment() is not { } right)
                    return null;
                var value =
                    sign.Length == 0 ? right
                    : ValueOf(name) is { } left ? Apply(sign, left, right)
                    : null;
                if (value is { } number)
                    _variables.Set(name, number.ToString(CultureInfo.InvariantCulture));
                return value;
            }
        }
        _rest = before;
        return Level(0);
    }

    private int? Level(int level)
    {
        if (level == s_levels.Length)
            return Unary();
        var left = Level(level + 1);
        while (left is { } value && TakeAny(s_levels[level]) is { } sign)
            left = Level(level + 1) is { } right ? Apply(sign, value, right) : null;
        return left;
    }

    private int? Unary()
    {
        if (++_depth > DeepestNesting)
            return null;
        int? value;
        if (Take("-"))
            value = -Unary();
        else if (Take("+"))
            value = Unary();
        else if (Take("~"))
            value = ~Unary();
        else if (Take("!"))
            value = Unary() is { } number
                ? number == 0
                    ? 1
                    : 0
                : null;
        else if (Take("("))
            value = Level(0) is { } inner && Take(")") ? inner : null;
        else
            value = Operand();
        _depth--;
        return value;
    }

    private int? Operand()
    {
        var length = 0;
        while (length < _rest.Length && char.IsAsciiLetterOrDigit(_rest[length]))
            length++;
        if (length > 0 && char.IsAsciiDigit(_rest[0]))
        {
            if (!BatchValue.TryNumber(_rest[..length], out var number))
                return null;
            _rest = _rest[length..].TrimStart();
            return (int)number;
        }
        var name = TakeName();
        return name.Length == 0 ? null : ValueOf(name);
    }

    /// <summary>Returns 0 for a variable that was never set, and null if only a run can know the value.</summary>
    private readonly int? ValueOf(string name)
    {
        var text = BatchValue.ForCondition(_variables.ValueOf(name) ?? "", out var unknown);
        return unknown is not null ? null
            : BatchValue.TryNumber(text, out var value) ? (int)value
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

    private string TakeName()
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

    private string? TakeAny(string[] signs)
    {
        foreach (var sign in signs)
            if (Take(sign))
                return sign;
        return null;
    }

    private bool Take(string sign)
    {
        if (!_rest.StartsWith(sign))
            return false;
        _rest = _rest[sign.Length..].TrimStart();
        return true;
    }
}
