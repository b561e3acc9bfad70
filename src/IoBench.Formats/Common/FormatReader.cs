using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>How one format is recognised and read.</summary>
/// <param name="Format">The format.</param>
/// <param name="Name">Its name in messages.</param>
/// <param name="Command">The cmdlet that is for it.</param>
/// <param name="LooksLike">True for a text that begins like this format.</param>
/// <param name="ReadBytes">Reads a stream whose name (for messages and results) is given; null for a format that is read as text.</param>
/// <param name="ReadText">The same for text; null for a format that is read as bytes.</param>
internal sealed record FormatReader(
    ResultFormat Format, string Name, string Command, Func<string, bool> LooksLike,
    Func<Stream, string, IEnumerable<IoTestResult>>? ReadBytes, Func<TextReader, string, IEnumerable<IoTestResult>>? ReadText)
{
    /// <summary>All formats, the surest signs first.</summary>
    public static IReadOnlyList<FormatReader> All { get; } =
    [
        new(ResultFormat.Json, "IoBench's JSON", "Import-IoResult", JsonResultReader.LooksLike, JsonResultReader.Read, null),
        new(ResultFormat.Csv, "IoBench's CSV", "Import-IoResult", CsvResultReader.LooksLike, null, CsvResultReader.Read),
        new(ResultFormat.Sqlio, "SQLIO's text", "Import-SqlioResult", SqlioTextReader.LooksLike, SqlioTextReader.Read, null),
        new(ResultFormat.DiskSpdXml, "DiskSpd's XML", "Import-DiskSpdResult", DiskSpdXmlReader.LooksLike, null, DiskSpdXmlReader.Read),
        new(ResultFormat.DiskSpd, "DiskSpd's text", "Import-DiskSpdResult", DiskSpdTextReader.LooksLike, null, DiskSpdTextReader.Read),
    ];

    /// <summary>Reads a file that is read from its beginning to its end; the stream must be able to seek.</summary>
    public IEnumerable<IoTestResult> Read(Stream stream, string name) => ReadBytes is not null ? ReadBytes(stream, name) : ReadText!(TextInput.OpenText(stream), name);

    /// <summary>Reads a file that is in memory as a whole.</summary>
    /// <param name="bytes">Its bytes.</param>
    /// <param name="text">The same as text, without byte order mark.</param>
    /// <param name="name">Its name.</param>
    public IEnumerable<IoTestResult> Read(byte[] bytes, string text, string name)
        => ReadBytes is not null ? ReadBytes(new MemoryStream(bytes, writable: false), name) : ReadText!(new StringReader(text), name);

    /// <summary>The format of a text that begins like this; null when it is none of ours.</summary>
    public static FormatReader? Of(string head)
    {
        var diskSpd = DiskSpdTextReader.FirstMark(head);
        foreach (var format in All)
        {
            // A log of both tools is read as that of the one it begins with: behind DiskSpd's first words SQLIO's do not count.
            var text = format.Format == ResultFormat.Sqlio && diskSpd < head.Length ? head[..diskSpd] : head;
            if (format.LooksLike(text))
                return format;
        }
        return null;
    }
}
