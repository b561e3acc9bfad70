using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>All result formats. A new format needs a folder with its reader and descriptor, and a line in this class.</summary>
public static class ResultFormats
{
    public const string OwnTool = IoTestResult.OwnSource;

    // An array, because enumerating an interface for each result would cost more than the comparisons.
    private static readonly FormatDescriptor[] s_all =
    [
        JsonFormat.Descriptor,
        // Not in the reader, whose columns are created only when a CSV file is read.
        new()
        {
            Name = "IoBench's CSV",
            Tool = OwnTool,
            Extensions = [".csv"],
            LooksLike = CsvResultReader.LooksLike,
            ReadTextWithNotes = CsvResultReader.Read,
            WrittenAs = ResultFormat.Csv,
            OptionName = "csv",
            Write = CsvResultWriter.Write,
        },
        SqlioFormat.Descriptor,
        DiskSpdFormat.Xml,
        DiskSpdFormat.Text,
        FioFormat.Descriptor,
        CrystalDiskMarkFormat.Descriptor,
        CrystalDiskMarkFormat.KDiskMark,
        VmFleetFormat.Descriptor,
    ];

    /// <summary>All formats. The first one that recognizes a text is used, so formats with distinctive texts come first.</summary>
    public static IReadOnlyList<FormatDescriptor> All => s_all;

    /// <summary>Formats that can be written, in the order of <see cref="ResultFormat"/>.</summary>
    public static IReadOnlyList<FormatDescriptor> Writable { get; } =
    [.. All.Where(format => format.WrittenAs is not null).OrderBy(format => format.WrittenAs)];

    internal static string OtherTools { get; } = JoinWithOr(OtherToolNames);

    /// <summary>All tools with results that can be read, IoBench last, as a list for a sentence.</summary>
    public static string AllTools { get; } = JoinWithOr([.. OtherToolNames, OwnTool]);

    public static FormatDescriptor GetDescriptor(ResultFormat format) =>
        Writable.FirstOrDefault(descriptor => descriptor.WrittenAs == format)
        ?? throw new ArgumentOutOfRangeException(nameof(format), format, null);

    /// <summary>Returns the descriptor of a result's source in any case; null for results of IoBench and for an unknown source.</summary>
    public static FormatDescriptor? GetDescriptor(string? source)
    {
        // This method is called for each of very many results, so use a loop that allocates nothing.
        foreach (var descriptor in s_all)
            if (descriptor.Source is { } known && known.Equals(source, StringComparison.OrdinalIgnoreCase))
                return descriptor;
        return null;
    }

    /// <summary>Name of the tool that measured a result, such as <c>SQLIO</c>. An unknown source is returned unchanged.</summary>
    public static string GetToolName(string source) => GetDescriptor(source)?.Tool ?? source;

    /// <summary>Returns whether the source of a result reports latency only in whole milliseconds.</summary>
    public static bool IsInWholeMilliseconds(IoTestResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return GetDescriptor(result.Source)?.IsInWholeMilliseconds == true;
    }

    /// <summary>Returns a source in the spelling of its format; an unknown source is returned unchanged.</summary>
    internal static string NormalizeSource(string text) =>
        GetDescriptor(text)?.Source
        ?? (text.Equals(IoTestResult.OwnSource, StringComparison.OrdinalIgnoreCase) ? IoTestResult.OwnSource : text);

    /// <summary>Finds a name of the command line or a parameter in any case; null if no format that can be written has it.</summary>
    public static ResultFormat? FindWritable(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Writable
            .FirstOrDefault(format =>
                name.Equals(format.OptionName, StringComparison.OrdinalIgnoreCase)
                || name.Equals(format.WrittenAs.ToString(), StringComparison.OrdinalIgnoreCase)
                || (FindByExtension("." + name) is { } ending && ending == format.WrittenAs)
            )
            ?.WrittenAs;
    }

    /// <summary>Null if the extension is ambiguous: several formats use <c>.txt</c>, but <c>.json</c> is IoBench's own.</summary>
    public static ResultFormat? FindByExtension(string path)
    {
        var extension = Path.GetExtension(path);
        var formats = Writable.Where(format => format.Extensions.Contains(extension, StringComparer.OrdinalIgnoreCase)).ToList();
        return formats is [var only] ? only.WrittenAs : formats.Find(format => format.Tool == OwnTool)?.WrittenAs;
    }

    /// <summary>Whether the start of a file looks like results of a known tool. The stream stays open.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static bool IsResultFile(FileStream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        stream.Position = 0;
        return FileHead.Read(stream).Format is not null;
    }

    internal static FormatDescriptor? DetectFormat(string head)
    {
        // A table of VMFleet can have columns with the names of IoBench's CSV.
        if (VmFleetFormat.Descriptor.LooksLike(head))
            return VmFleetFormat.Descriptor;
        foreach (var format in All)
            if (format.LooksLike(head))
                return format;
        return null;
    }

    internal static bool HasResultExtension(string path) =>
        All.Any(format => format.Extensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase));

    private static IReadOnlyList<string> OtherToolNames => [.. All.Select(format => format.Tool).Where(tool => tool != OwnTool).Distinct()];

    private static string JoinWithOr(IReadOnlyList<string> names) =>
        names.Count switch
        {
            1 => names[0],
            2 => $"{names[0]} or {names[1]}",
            _ => $"{string.Join(", ", names.SkipLast(1))}, or {names[^1]}",
        };
}
