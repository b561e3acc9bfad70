using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;

namespace IoBench.Engine.Text;

/// <summary>
/// A sentence for people that may name options and commands, without the spelling of any front: the program writes <c>--block-size</c>,
/// the module <c>-BlockSize</c>. Made from an interpolated string: an <see cref="OptionName"/> or <see cref="IoCommand"/> in it keeps its meaning, all other
/// values become text, culture-invariant.
/// </summary>
[InterpolatedStringHandler]
public sealed class IoText
{
    private readonly StringBuilder _template;

    /// <summary>Called by the compiler.</summary>
    public IoText(int literalLength, int formattedCount) => _template = new StringBuilder(literalLength + formattedCount * 16);

    private IoText(string template) => _template = new StringBuilder(template);

    /// <summary>
    /// The text as it is saved: an option is its name in braces (<c>{BlockSize}</c>, with a value <c>{BlockSize=8KB}</c>), a command has an exclamation mark
    /// (<c>{!Run}</c>), and a brace of the text itself is written twice.
    /// </summary>
    public string Template => _template.ToString();

    /// <summary>Names of the options in it, in order, each once.</summary>
    public IReadOnlyList<string> Options
    {
        get
        {
            var names = new List<string>();
            Walk(
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

    /// <summary>Plain text, braces and all; no text is none.</summary>
    [return: NotNullIfNotNull(nameof(text))]
    public static implicit operator IoText?(string? text) => text is null ? null : FromString(text);

    /// <summary>Plain text, braces and all.</summary>
    public static IoText FromString(string text) => new(Escape(text));

    /// <summary>What <see cref="Template"/> gave.</summary>
    public static IoText FromTemplate(string template) => new(template);

    /// <summary>Called by the compiler.</summary>
    public void AppendLiteral(string value) => _template.Append(Escape(value));

    /// <summary>Called by the compiler.</summary>
    public void AppendFormatted(OptionName option) => _template.Append(option.Marker);

    /// <summary>Called by the compiler.</summary>
    public void AppendFormatted(IoCommand command) => _template.Append("{!").Append(command).Append('}');

    /// <summary>Called by the compiler: a text within a text keeps its options.</summary>
    public void AppendFormatted(IoText text) => _template.Append(text?._template);

    /// <summary>Called by the compiler.</summary>
    public void AppendFormatted(string? value) => _template.Append(Escape(value ?? ""));

    /// <summary>Called by the compiler.</summary>
    public void AppendFormatted<T>(T value, string? format = null) =>
        AppendFormatted(value is IFormattable formattable ? formattable.ToString(format, CultureInfo.InvariantCulture) : value?.ToString());

    /// <summary>This and a further sentence behind it; null = this alone.</summary>
    public IoText With(IoText? further) => further is null ? this : $"{this} {further}";

    /// <summary>The text as a front writes it, in one line.</summary>
    public string Render(TextSpelling spelling)
    {
        ArgumentNullException.ThrowIfNull(spelling);
        var text = new StringBuilder(_template.Length);
        Walk(part => text.Append(part), marker => text.Append(spelling.Write(marker)));
        // Names of files and arguments may hold line breaks and worse; the text is one line that a terminal may show.
        return SafeText.Escape(text.ToString());
    }

    /// <summary>The text with options by their neutral names, for logs and files.</summary>
    public override string ToString() => Render(TextSpelling.Neutral);

    private static string Escape(string text) =>
        text.Replace("{", "{{", StringComparison.Ordinal).Replace("}", "}}", StringComparison.Ordinal);

    /// <summary>Goes through the template; a brace without its partner, as a file may hold that somebody edited, is text.</summary>
    private void Walk(Action<string> literal, Action<string> marker)
    {
        var template = Template;
        var start = 0;
        for (var i = 0; i < template.Length; i++)
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
