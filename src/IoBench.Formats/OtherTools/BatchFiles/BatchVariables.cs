using System.Text;

namespace IoBench.Formats;

/// <summary>A variable that the file does not set comes from the environment. An unknown value is a placeholder.</summary>
/// <param name="arguments">Values of <c>%1</c>, <c>%2</c>, …; null if unknown.</param>
internal sealed class BatchVariables(string? folder, string? sourceFile, IReadOnlyList<string>? arguments)
{
    private const int LongestText = 32 * 1024;
    private const int MaxVariables = 10_000;

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private IReadOnlyList<string>? _arguments = arguments;

    internal void Set(string name, string value)
    {
        if (_values.Count < MaxVariables || _values.ContainsKey(name))
            _values[name] = value.Length <= LongestText ? value : value[..LongestText];
    }

    internal void Forget(string name) => Set(name, CommandLineSplitter.CreatePlaceholder($"%{name}%"));

    internal void ForgetAll()
    {
        foreach (var name in _values.Keys.ToList())
            Forget(name);
        _arguments = null;
    }

    /// <summary>Replaces <c>%NAME%</c>, <c>%1</c>, and <c>%%</c>. Delayed expansion (<c>!NAME!</c>) is an unknown value.</summary>
    internal string Expand(string text)
    {
        if (text.AsSpan().IndexOfAny('%', '!') < 0)
            return text;
        var result = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length && result.Length <= LongestText; i++)
        {
            var sign = text[i];
            if (sign is not ('%' or '!') || (sign == '%' && TryExpandSpecial(text, ref i, result)))
            {
                if (sign is not ('%' or '!'))
                    result.Append(sign);
                continue;
            }
            var end = text.IndexOf(sign, i + 1);
            var name = end < 0 ? "" : text[(i + 1)..end];
            if (name.Length == 0 || name[0] == ':' || name.Split(':')[0].Contains(' ', StringComparison.Ordinal))
            {
                result.Append(sign);
                continue;
            }
            result.Append((sign == '%' ? GetValue(name) : null) ?? CommandLineSplitter.CreatePlaceholder(sign + name + sign));
            i = end;
        }
        return result.ToString();
    }

    /// <summary>Null if the value is unknown. A part of a value (<c>%NAME:~0,2%</c>) is unknown.</summary>
    private string? GetValue(string name) =>
        _values.TryGetValue(name, out var value)
            ? (value.Length == 0 ? null : value)
            : name.ToUpperInvariant() switch
            {
                "CD" => folder ?? Environment.CurrentDirectory,
                "COMPUTERNAME" => Environment.MachineName,
                _ => Environment.GetEnvironmentVariable(name),
            };

    /// <summary>Expands <c>%%</c>, <c>%1</c>, <c>%~1</c>, <c>%*</c>, and <c>%~dp0</c>.</summary>
    private bool TryExpandSpecial(string text, ref int i, StringBuilder result)
    {
        var end = i + 1;
        if (end < text.Length && text[end] == '~')
            while (++end < text.Length && char.IsAsciiLetter(text[end])) { }
        if (end >= text.Length || !(char.IsAsciiDigit(text[end]) || (end == i + 1 && text[end] is '%' or '*')))
            return false;
        var reference = text[i..(end + 1)];
        result.Append(reference == "%%" ? "%" : GetArgument(reference) ?? CommandLineSplitter.CreatePlaceholder(reference));
        i = end;
        return true;
    }

    private string? GetArgument(string reference)
    {
        if (reference.EndsWith('0'))
            return reference.Equals("%~dp0", StringComparison.OrdinalIgnoreCase) && folder is not null
                    ? Path.GetFullPath(folder) + Path.DirectorySeparatorChar
                : reference is "%0" or "%~0" or "%~f0" ? sourceFile
                : null;
        if (_arguments is null)
            return null;
        if (reference == "%*")
            return string.Join(' ', _arguments);
        var number = reference[^1] - '1';
        var value = number < _arguments.Count ? _arguments[number] : "";
        return reference.Length == 2 ? value
            : reference.Length == 3 ? value.Trim('"')
            : null;
    }
}
