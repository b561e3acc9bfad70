using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="File">The file for <see cref="IoWriteContentKind.File"/>; otherwise null.</param>
public sealed record WriteContentChoice(IoWriteContentKind Kind, string? File)
{
    public override string ToString() => File ?? Kind.ToString();

    internal static WriteContentChoice Parse(string text, Func<string, string> fullPath)
    {
        if (
            Enum.TryParse<IoWriteContentKind>(text, ignoreCase: true, out var kind)
            && kind != IoWriteContentKind.File
            && !char.IsAsciiDigit(text[0])
        )
            return new WriteContentChoice(kind, null);
        var file = fullPath(text);
        return System.IO.File.Exists(file)
            ? new WriteContentChoice(IoWriteContentKind.File, file)
            : throw IoBenchException.NotFound(
                "IoBench.FileNotFound",
                $"'{text}' does not exist. Use random, zero, pattern, or the path of an existing file.",
                text
            );
    }

    internal void ApplyTo(IoPattern pattern) => (pattern.WriteContent, pattern.WriteContentFile) = (Kind, File ?? pattern.WriteContentFile);
}

/// <param name="Processors">Processors; empty for all.</param>
public sealed record AffinityChoice(IoAffinityMode Mode, IReadOnlyList<int> Processors)
{
    public override string ToString() => Processors.Count > 0 ? string.Join(',', Processors) : Mode.ToString();

    internal static AffinityChoice Parse(object value)
    {
        if (value is IoAffinityMode typed)
            return new AffinityChoice(typed, []);
        var text = value is System.Collections.IEnumerable and not string
            ? string.Join(',', ((System.Collections.IEnumerable)value).Cast<object>().Select(OptionKind.ToText))
            : OptionKind.ToText(value);
        var name = text.Replace("-", "", StringComparison.Ordinal);
        foreach (var mode in new[] { IoAffinityMode.Off, IoAffinityMode.RoundRobin })
            if (name.Equals(mode.ToString(), StringComparison.OrdinalIgnoreCase))
                return new AffinityChoice(mode, []);
        var processors = new List<int>();
        foreach (var part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            var ends = part.Split('-', StringSplitOptions.TrimEntries);
            if (ends.Length > 2 || !TryParseProcessor(ends[0], out var from) || !TryParseProcessor(ends[^1], out var to) || to < from)
                throw IoBenchException.Usage(
                    "IoBench.InvalidAffinity",
                    $"'{text}' is not a valid list of CPUs.",
                    text,
                    advice: "Use off, roundrobin, or numbers such as 0-3,8."
                );
            processors.AddRange(Enumerable.Range(from, to - from + 1));
        }
        return new AffinityChoice(IoAffinityMode.RoundRobin, processors);
    }

    internal void ApplyTo(IoPattern pattern)
    {
        if (Processors.Count == 0)
            pattern.AffinityMode = Mode;
        else
        {
            pattern.Processors = [.. Processors];
            pattern.AffinityMode = pattern.AffinityMode == IoAffinityMode.Off ? Mode : pattern.AffinityMode;
        }
    }

    private static bool TryParseProcessor(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= 9999;
}
