using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// The formats of results, registered once: what can be read is not what can be written. A readable one more is a folder with its reader and an entry here;
/// one that is written as well has a name in <see cref="ResultFormat"/>.
/// </summary>
public static class ResultFormats
{
    /// <summary>What IoBench itself is called among the tools.</summary>
    public const string OwnTool = "IoBench";

    /// <summary>All of them, the surest signs first: the first that recognises a text has it.</summary>
    public static IReadOnlyList<FormatDescriptor> All { get; } =
    [
        new()
        {
            Name = "IoBench's JSON", Tool = OwnTool, Extensions = [".json"], MayBeEmpty = true, LooksLike = JsonResultReader.LooksLike, ReadBytes = JsonResultReader.Read,
            WrittenAs = ResultFormat.Json, OptionName = "json", Write = JsonResultWriter.Write,
        },
        new()
        {
            // A sweep of VMFleet may have columns of the same names.
            Name = "IoBench's CSV", Tool = OwnTool, Extensions = [".csv"], LooksLike = head => CsvResultReader.LooksLike(head) && !VmFleetReader.LooksLike(head),
            ReadText = CsvResultReader.Read,
            WrittenAs = ResultFormat.Csv, OptionName = "csv", Write = CsvResultWriter.Write,
        },
        new()
        {
            Name = "SQLIO's text", Tool = "SQLIO", Source = IoResultSource.Sqlio, RunsOn = OSPlatform.Windows, Command = "Import-SqlioResult", Extensions = [".txt", ".out", ".log"],
            LooksLike = SqlioTextReader.BeginsBeforeDiskSpd, ReadBytes = SqlioTextReader.Read,
            WrittenAs = ResultFormat.Sqlio, OptionName = "sqlio", Write = SqlioTextWriter.Write,
        },
        new()
        {
            // Its rare port to Linux prints the same; results that know their host say so themselves.
            Name = "DiskSpd's XML", Tool = "DiskSpd", Source = IoResultSource.DiskSpdXml, RunsOn = OSPlatform.Windows, Command = "Import-DiskSpdResult", Extensions = [".xml"],
            LooksLike = DiskSpdXmlReader.LooksLike, ReadText = DiskSpdXmlReader.Read,
            WrittenAs = ResultFormat.DiskSpdXml, OptionName = "diskspd-xml", Write = (writer, results) => DiskSpdXmlWriter.Write(writer, results),
        },
        new()
        {
            Name = "DiskSpd's text", Tool = "DiskSpd", Source = IoResultSource.DiskSpd, RunsOn = OSPlatform.Windows, Command = "Import-DiskSpdResult", Extensions = [".txt", ".out", ".log"],
            LooksLike = DiskSpdTextReader.LooksLike, ReadText = DiskSpdTextReader.Read,
            WrittenAs = ResultFormat.DiskSpd, OptionName = "diskspd", Write = (writer, results) => DiskSpdTextWriter.Write(writer, results),
        },
        new()
        {
            Name = "fio's output", Tool = "fio", Source = IoResultSource.Fio, Extensions = [".json", ".txt", ".out", ".log"], LooksLike = FioReader.LooksLike, ReadBytes = FioReader.Read,
            WrittenAs = ResultFormat.Fio, OptionName = "fio", Write = FioWriter.Write,
        },
        new()
        {
            Name = "CrystalDiskMark's text", Tool = "CrystalDiskMark", Source = IoResultSource.CrystalDiskMark, RunsOn = OSPlatform.Windows, Extensions = [".txt"],
            LooksLike = CrystalDiskMarkReader.LooksLike, ReadText = CrystalDiskMarkReader.Read,
        },
        new()
        {
            Name = "VMFleet's table", Tool = "VMFleet", Source = IoResultSource.VmFleet, RunsOn = OSPlatform.Windows, Extensions = [".tsv"], LooksLike = VmFleetReader.LooksLike,
            ReadText = VmFleetReader.Read,
        },
    ];

    /// <summary>Those that are written, in the order of <see cref="ResultFormat"/>.</summary>
    public static IReadOnlyList<FormatDescriptor> Writable { get; } = [.. All.Where(format => format.WrittenAs is not null).OrderBy(format => format.WrittenAs)];

    /// <summary>The other tools whose results are read, as a sentence names them: <c>SQLIO or DiskSpd</c>.</summary>
    internal static string OtherTools { get; } = AnyOf(Others);

    /// <summary>All tools whose results are read, IoBench last: <c>SQLIO, DiskSpd or IoBench</c>.</summary>
    public static string AllTools { get; } = AnyOf([.. Others, OwnTool]);

    /// <summary>The descriptor of a format that is written.</summary>
    public static FormatDescriptor Of(ResultFormat format)
        => Writable.FirstOrDefault(descriptor => descriptor.WrittenAs == format) ?? throw new ArgumentOutOfRangeException(nameof(format), format, null);

    /// <summary>The descriptor of a result's source; null for what IoBench measured.</summary>
    public static FormatDescriptor? Of(IoResultSource source)
    {
        // Asked for each of very many results: a loop, which makes nothing.
        foreach (var descriptor in All)
            if (descriptor.Source == source)
                return descriptor;
        return null;
    }

    /// <summary>The tool that measured a result, as it is called: <c>IoBench</c>, <c>SQLIO</c>, <c>DiskSpd</c>.</summary>
    public static string ToolOf(IoResultSource source) => Of(source)?.Tool ?? OwnTool;

    /// <summary>The format that a name for the command line or a parameter means (<c>diskspd-xml</c>, <c>DiskSpdXml</c>), whatever its case; null when none is written under it.</summary>
    public static ResultFormat? FindWritable(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Writable.FirstOrDefault(format => name.Equals(format.OptionName, StringComparison.OrdinalIgnoreCase) || name.Equals(format.WrittenAs.ToString(), StringComparison.OrdinalIgnoreCase)
            || (ForFile("." + name) is { } ending && ending == format.WrittenAs))?.WrittenAs;
    }

    /// <summary>The format that a file is written in by the ending of its name; null when the name does not tell one: several formats end in <c>.txt</c>, but <c>.json</c> is IoBench's own.</summary>
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
    internal static bool IsNamedLikeResult(string path) => All.Any(format => format.Extensions.Contains(Path.GetExtension(path), StringComparer.OrdinalIgnoreCase));

    private static IReadOnlyList<string> Others => [.. All.Select(format => format.Tool).Where(tool => tool != OwnTool).Distinct()];

    private static string AnyOf(IReadOnlyList<string> names)
        => names.Count == 1 ? names[0] : $"{string.Join(", ", names.SkipLast(1))} or {names[^1]}";
}
