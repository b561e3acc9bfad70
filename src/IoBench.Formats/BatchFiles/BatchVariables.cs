using System.Globalization;
using System.Text;

namespace IoBench.Formats;

/// <summary>A variable that the file does not set comes from the environment. An unknown value is a placeholder.</summary>
internal sealed class BatchVariables(string? folder)
{
    private const int LongestText = 32 * 1024;
    private const int MaxVariables = 10_000;

    private Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private readonly Stack<Dictionary<string, string>> _saved = new();

    /// <summary>Arguments of the current subroutine or file, its name first; null if they are unknown.</summary>
    internal List<string>? Arguments { get; set; }

    internal string? SourceFile { get; set; }

    internal int LocalScopeCount => _saved.Count;

    internal bool HasUsedClock { get; set; }

    internal void Set(string name, string value)
    {
        if (_values.Count < MaxVariables || _values.ContainsKey(name))
            _values[name] = value.Length <= LongestText ? value : value[..LongestText];
    }

    internal void SaveLocals()
    {
        if (_saved.Count < 32)
            _saved.Push(new Dictionary<string, string>(_values, StringComparer.OrdinalIgnoreCase));
    }

    /// <summary>Ends the innermost <c>setlocal</c> scopes until <paramref name="count"/> are open.</summary>
    internal void RestoreLocals(int count)
    {
        while (_saved.Count > count)
            _values = _saved.Pop();
    }

    /// <summary>Null if the variable was never set; empty if it was removed, as in cmd.</summary>
    internal string? GetValue(string name)
    {
        if (_values.TryGetValue(name, out var value))
            return value.Length == 0 ? null : value;
        switch (name.ToUpperInvariant())
        {
            case "CD":
                return folder ?? Environment.CurrentDirectory;
            // Earlier commands are assumed to succeed, as for "||".
            case "ERRORLEVEL":
                return "0";
            case "DATE":
                return FormatClock("ddd MM/dd/yyyy");
            case "TIME":
                return FormatClock("HH:mm:ss.ff");
            case "COMPUTERNAME":
                return Environment.MachineName;
            case "RANDOM":
                return BatchPlaceholder.CreateUnknown("%RANDOM%");
            default:
                return Environment.GetEnvironmentVariable(name);
        }
    }

    private string FormatClock(string format)
    {
        HasUsedClock = true;
        return DateTime.Now.ToString(format, CultureInfo.InvariantCulture);
    }

    /// <param name="sign">A percent sign when a line is read, an exclamation mark when the line is carried out.</param>
    internal string Expand(string text, char sign)
    {
        if (!text.Contains(sign, StringComparison.Ordinal))
            return text;
        var result = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length && result.Length <= LongestText; i++)
        {
            if (text[i] != sign)
            {
                result.Append(text[i]);
                continue;
            }
            if (sign == '%' && TryExpandSpecial(text, ref i, result))
                continue;
            var end = text.IndexOf(sign, i + 1);
            var name = end < 0 ? "" : text[(i + 1)..end];
            var colon = name.IndexOf(':', StringComparison.Ordinal);
            var plainName = colon < 0 ? name : name[..colon];
            if (plainName.Length == 0 || plainName.Contains(' ', StringComparison.Ordinal))
            {
                result.Append(text[i]);
                continue;
            }
            var value = _values.GetValueOrDefault(plainName) ?? GetValue(plainName);
            result.Append(
                value is null ? BatchPlaceholder.CreateUnset(sign + name + sign)
                : colon < 0 ? value
                : ApplyModifier(value, name[(colon + 1)..], sign + name + sign)
            );
            i = end;
        }
        return result.ToString();
    }

    private static string ApplyModifier(string value, string how, string name)
    {
        if (BatchPlaceholder.FindFirstName(value) is not null)
            return value;
        if (!how.StartsWith('~'))
        {
            var equals = how.IndexOf('=', StringComparison.Ordinal);
            return equals > 0 && how[0] != '*'
                ? value.Replace(how[..equals], how[(equals + 1)..], StringComparison.OrdinalIgnoreCase)
                : BatchPlaceholder.CreateUnknown(name);
        }
        var parts = how[1..].Split(',');
        long length = int.MaxValue;
        if (
            parts.Length > 2
            || !BatchPlaceholder.TryParseNumber(parts[0], out var start)
            || (parts.Length == 2 && !BatchPlaceholder.TryParseNumber(parts[1], out length))
        )
            return BatchPlaceholder.CreateUnknown(name);
        start = Math.Clamp(start < 0 ? value.Length + start : start, 0, value.Length);
        var end = Math.Clamp(length < 0 ? value.Length + length : start + length, start, value.Length);
        return value[(int)start..(int)end];
    }

    private bool TryExpandSpecial(string text, ref int i, StringBuilder result)
    {
        if (i + 1 >= text.Length)
            return false;
        var next = text[i + 1];
        if (next == '%')
        {
            result.Append('%');
            i++;
            return true;
        }
        var end = i + 1;
        if (next == '~')
        {
            end++;
            while (end < text.Length && char.IsAsciiLetter(text[end]))
                end++;
        }
        if (end >= text.Length || !(char.IsAsciiDigit(text[end]) || (text[end] == '*' && next == '*')))
            return false;
        var reference = text[i..(end + 1)];
        result.Append(
            next == '*' ? GetAllArguments(reference)
            : next == '~' ? ApplyPathModifiers(GetArgument(text[end] - '0', reference), reference[2..^1])
            : GetArgument(text[end] - '0', reference)
        );
        i = end;
        return true;
    }

    private string GetAllArguments(string reference) =>
        Arguments is null ? BatchPlaceholder.CreateUnknown(reference) : string.Join(' ', Arguments.Skip(1));

    private string GetArgument(int number, string reference)
    {
        if (number == 0 && (Arguments is null || reference.StartsWith("%~", StringComparison.Ordinal)))
            return SourceFile is { } file ? Path.GetFullPath(file)
                : folder is not null ? Path.Combine(folder, "lines.bat")
                : BatchPlaceholder.CreateUnknown(reference);
        return Arguments is null ? BatchPlaceholder.CreateUnknown(reference)
            : number < Arguments.Count ? Arguments[number]
            : "";
    }

    internal static string ApplyPathModifiers(string value, string parts)
    {
        value = value.Trim('"');
        if (
            parts.Length == 0
            || parts.Contains('f', StringComparison.OrdinalIgnoreCase)
            || BatchPlaceholder.FindFirstName(value) is not null
        )
            return value;
        var root = value.Length > 1 && value[1] == ':' ? 2 : 0;
        var slash = Math.Max(value.LastIndexOfAny(['\\', '/']) + 1, root);
        var dot = value.LastIndexOf('.');
        dot = dot < slash ? value.Length : dot;
        var result = new StringBuilder();
        foreach (
            var (sign, part) in (ReadOnlySpan<(char, string)>)
                [('d', value[..root]), ('p', value[root..slash]), ('n', value[slash..dot]), ('x', value[dot..])]
        )
            if (parts.Contains(sign, StringComparison.OrdinalIgnoreCase))
                result.Append(part);
        return result.ToString();
    }
}
