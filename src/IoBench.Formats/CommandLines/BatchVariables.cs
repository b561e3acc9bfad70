using System.Text;

namespace IoBench.Formats;

/// <summary>
/// Variables of a batch file. Those that are not set in it are the environment's; what only a run can know (arguments, date) is told as unknown.
/// </summary>
internal sealed class BatchVariables(string? folder)
{
    private const int LongestText = 32 * 1024;

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Sets a variable; an empty value removes it, as cmd does.</summary>
    internal void Set(string name, string value) => _values[name] = value.Length <= LongestText ? value : value[..LongestText];

    /// <summary>Replaces <c>%name%</c> and, where loops or blocks changed them, <c>!name!</c>; two percent signs become one.</summary>
    /// <param name="text">The text.</param>
    /// <param name="sign">The sign around names: percent when a line is read, exclamation mark when it is carried out.</param>
    /// <param name="unknown">The first name that has no value; null when all have.</param>
    internal string Expand(string text, char sign, out string? unknown)
    {
        unknown = null;
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
            if (sign == '%' && TryTakeSpecial(text, ref i, result, ref unknown))
                continue;
            var end = text.IndexOf(sign, i + 1);
            var name = end < 0 ? "" : text[(i + 1)..end];
            if (name.Length == 0 || name.Contains(' ', StringComparison.Ordinal))
            {
                result.Append(text[i]);
                continue;
            }
            if (ValueOf(name) is { } value)
                result.Append(value);
            else
                unknown ??= sign + name + sign;
            i = end;
        }
        return result.ToString();
    }

    /// <summary>Takes <c>%%</c>, an argument such as <c>%1</c> or <c>%*</c>, and the batch file's folder <c>%~dp0</c>.</summary>
    private bool TryTakeSpecial(string text, ref int i, StringBuilder result, ref string? unknown)
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
        if (next == '~')
        {
            var end = i + 2;
            while (end < text.Length && char.IsAsciiLetter(text[end]))
                end++;
            if (end >= text.Length || !char.IsAsciiDigit(text[end]))
                return false;
            if (text.AsSpan(i, end - i + 1) is "%~dp0" && folder is not null)
                result.Append(Path.EndsInDirectorySeparator(folder) ? folder : folder + Path.DirectorySeparatorChar);
            else
                unknown ??= text[i..(end + 1)];
            i = end;
            return true;
        }
        if (!char.IsAsciiDigit(next) && next != '*')
            return false;
        unknown ??= text.Substring(i, 2);
        i++;
        return true;
    }

    private string? ValueOf(string name)
    {
        if (_values.TryGetValue(name, out var value))
            return value;
        if (name.Equals("CD", StringComparison.OrdinalIgnoreCase))
            return folder ?? Environment.CurrentDirectory;
        // Date, time and the like differ at every run: they are not in the environment, and so unknown.
        return name.Contains(':', StringComparison.Ordinal) ? null : Environment.GetEnvironmentVariable(name);
    }
}
