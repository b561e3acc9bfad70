using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace IoBench.Engine;

/// <summary>
/// A message that names options and commands without the spelling of a front end: the CLI writes <c>--block-size</c>, the module
/// <c>-BlockSize</c>. Created from an interpolated string; other values become text with the invariant culture.
/// </summary>
[InterpolatedStringHandler]
public sealed class IoMessage
{
    private StringBuilder? _parts;
    private string? _template;

    public IoMessage(int literalLength, int formattedCount) => _parts = new StringBuilder(literalLength + formattedCount * 16);

    private IoMessage(string template) => _template = template;

    /// <summary>
    /// The saved form: an option is its name in braces (<c>{BlockSize}</c>, with a value <c>{BlockSize=8KB}</c>), a command has an
    /// exclamation mark (<c>{!Run}</c>), and a literal brace is doubled.
    /// </summary>
    public string Template => _template ??= _parts!.ToString();

    /// <summary>Names of the options in the message, in order, each once.</summary>
    public IReadOnlyList<string> Options
    {
        get
        {
            var names = new List<string>();
            ParseTemplate(
                _ => { },
                marker =>
                {
                    if (OptionName.TryParse(marker, out var option) && !names.Contains(option.Name))
                        names.Add(option.Name);
                }
            );
            return names;
        }
    }

    /// <summary>Converts plain text, including braces; null stays null.</summary>
    [return: NotNullIfNotNull(nameof(text))]
    public static implicit operator IoMessage?(string? text) => text is null ? null : FromString(text);

    public static IoMessage FromString(string text) => new(Escape(text));

    public static IoMessage FromTemplate(string template) => new(template);

    public void AppendLiteral(string value) => Append(Escape(value));

    public void AppendFormatted(OptionName option) => Append(option.TemplateMarker);

    public void AppendFormatted(IoCommand command) => Append($"{{!{command}}}");

    /// <summary>A nested message keeps its options.</summary>
    public void AppendFormatted(IoMessage text) => Append(text?.Template);

    public void AppendFormatted(string? value) => Append(Escape(value ?? ""));

    public void AppendFormatted<T>(T value, string? format = null) =>
        AppendFormatted(value is IFormattable formattable ? formattable.ToString(format, CultureInfo.InvariantCulture) : value?.ToString());

    /// <summary>Returns this message followed by another sentence; null = this message alone.</summary>
    public IoMessage WithSentence(IoMessage? further) => further is null ? this : $"{this} {further}";

    public string Render(OptionSpelling spelling)
    {
        ArgumentNullException.ThrowIfNull(spelling);
        var template = Template;
        if (!template.AsSpan().ContainsAny('{', '}'))
            return SafeText.Escape(template);
        var text = new StringBuilder(template.Length);
        ParseTemplate(part => text.Append(part), marker => text.Append(spelling.Write(marker)));
        // File names and arguments can contain line breaks and control characters. The result is one line that is safe for a terminal.
        return SafeText.Escape(text.ToString());
    }

    public override string ToString() => Render(OptionSpelling.Neutral);

    private void Append(string? template)
    {
        _parts = (_parts ?? new StringBuilder(_template)).Append(template);
        _template = null;
    }

    private static string Escape(string text) =>
        text.Replace("{", "{{", StringComparison.Ordinal).Replace("}", "}}", StringComparison.Ordinal);

    /// <summary>An unmatched brace, which an edited file can contain, is literal text.</summary>
    private void ParseTemplate(Action<string> literal, Action<string> marker)
    {
        var template = Template;
        var start = 0;
        // Most messages have no braces.
        var first = template.AsSpan().IndexOfAny('{', '}');
        for (var i = first < 0 ? template.Length : first; i < template.Length; i++)
        {
            if (template[i] is not ('{' or '}'))
                continue;
            literal(template[start..i]);
            var end = template.IndexOf('}', i + 1);
            if (i + 1 < template.Length && template[i + 1] == template[i])
            {
                literal(template[i..(i + 1)]);
                i++;
            }
            else if (template[i] == '{' && end > 0)
            {
                marker(template[(i + 1)..end]);
                i = end;
            }
            else
            {
                literal(template[i..(i + 1)]);
            }
            start = i + 1;
        }
        if (start < template.Length)
            literal(template[start..]);
    }
}
