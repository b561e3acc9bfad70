namespace IoBench.Formats;

/// <summary>
/// The formats of results, registered once: what can be read is not what can be written. One more that is read is a folder with its reader and descriptor, and a line here;
/// one that is written as well has a name in <see cref="ResultFormat"/>.
/// </summary>
public static class ResultFormats
{
    /// <summary>What IoBench itself is called among the tools.</summary>
    public const string OwnTool = IoTestResult.OwnSource;

    /// <summary>All of them, the surest signs first: the first that recognises a text has it.</summary>
    public static IReadOnlyList<FormatDescriptor> All { get; } =
    [
        JsonFormat.Descriptor,
        CsvFormat.Descriptor,
        SqlioFormat.Descriptor,
        DiskSpdFormat.Xml,
        DiskSpdFormat.Text,
        FioFormat.Descriptor,
        CdmFormat.Descriptor,
        VmFleetFormat.Descriptor,
    ];

    /// <summary>Those that are written, in the order of <see cref="ResultFormat"/>.</summary>
    public static IReadOnlyList<FormatDescriptor> Writable { get; } =
    [.. All.Where(format => format.WrittenAs is not null).OrderBy(format => format.WrittenAs)];

    /// <summary>The other tools whose results are read, as a sentence names them: <c>SQLIO or DiskSpd</c>.</summary>
    internal static string OtherTools { get; } = AnyOf(Others);

    /// <summary>All tools whose results are read, IoBench last: <c>SQLIO, DiskSpd or IoBench</c>.</summary>
    public static string AllTools { get; } = AnyOf([.. Others, OwnTool]);

    /// <summary>The descriptor of a format that is written.</summary>
    public static FormatDescriptor Of(ResultFormat format) =>
        Writable.FirstOrDefault(descriptor => descriptor.WrittenAs == format)
        ?? throw new ArgumentOutOfRangeException(nameof(format), format, null);

    /// <summary>The descriptor of a result's source, upper or lower case; null for what IoBench measured, and for a source that this version does not know.</summary>
    public static FormatDescriptor? Of(string? source)
    {
        // Asked for each of very many results: a loop, which makes nothing.
        foreach (var descriptor in All)
            if (descriptor.Source is { } known && known.Equals(source, StringComparison.OrdinalIgnoreCase))
                return descriptor;
        return null;
    }

    /// <summary>The tool that measured a result, as it is called: <c>IoBench</c>, <c>SQLIO</c>, <c>DiskSpd</c>. A source that this version does not know is called as it calls itself.</summary>
    public static string ToolOf(string source) => Of(source)?.Tool ?? source;

    /// <summary>Whether a result's source knows its latency in whole milliseconds only.</summary>
    public static bool IsInWholeMilliseconds(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return Of(result.Source)?.IsInWholeMilliseconds == true;
    }

    /// <summary>A source as its format writes it, whatever its case; one that this version does not know stays as it is.</summary>
    internal static string SourceNamed(string text) =>
        Of(text)?.Source ?? (text.Equals(IoTestResult.OwnSource, StringComparison.OrdinalIgnoreCase) ? IoTestResult.OwnSource : text);

    /// <summary>The format that a name for the command line or a parameter means (<c>diskspd-xml</c>, <c>DiskSpdXml</c>), whatever its case; null when none is written under it.</summary>
    public static ResultFormat? FindWritable(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Writable
            .FirstOrDefault(format =>
                name.Equals(format.OptionName, StringComparison.OrdinalIgnoreCase)
                || name.Equals(format.WrittenAs.ToString(), StringComparison.OrdinalIgnoreCase)
                || (ForFile("." + name) is { } ending && ending == format.WrittenAs)
            )
            ?.WrittenAs;
    }

    /// <summary>The format that a file is written in by the ending of its name; null when the name does not say one: several formats end in <c>.txt</c>, but <c>.json</c> is IoBench's own.</summary>
    public static ResultFormat? ForFile(string path)
    {
        var extension = Path.GetExtension(path);
        var formats = Writable.Where(format => format.Extensions.Contains(extension, StringComparer.OrdinalIgnoreCase)).ToList();
        return formats is [var only] ? only.WrittenAs : formats.Find(format => format.Tool == OwnTool)?.WrittenAs;
    }

    /// <summary>The format of a text that begins like this; null when it is none of ours.</summary>
    internal static FormatDescriptor? Recognise(string head)
    {
        foreach (var format in All)
            if (format.LooksLike(head))
                return format;
        return null;
    }

    /// <summary>Whether a file's name ends as those of results do.</summary>
    internal static bool IsNamedLikeResult(string path) =>
        All.Any(format => format.Extensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase));

    private static IReadOnlyList<string> Others => [.. All.Select(format => format.Tool).Where(tool => tool != OwnTool).Distinct()];

    private static string AnyOf(IReadOnlyList<string> names) =>
        names.Count == 1 ? names[0] : $"{string.Join(", ", names.SkipLast(1))} or {names[^1]}";
}
