using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>How one format is recognised and read.</summary>
/// <param name="Format">The format.</param>
/// <param name="Name">Its name in messages.</param>
/// <param name="Command">The cmdlet that is for it.</param>
/// <param name="LooksLike">True for a text that begins like this format.</param>
/// <param name="Read">Reads a stream whose name (for messages and results) is given.</param>
internal sealed record FormatReader(
    ResultFormat Format, string Name, string Command, Func<string, bool> LooksLike, Func<Stream, string, IEnumerable<IoTestResult>> Read)
{
    /// <summary>All formats, the surest signs first.</summary>
    public static IReadOnlyList<FormatReader> All { get; } =
    [
        new(ResultFormat.Json, "IoBench's JSON", "Import-IoResult", JsonResultReader.LooksLike, JsonResultReader.Read),
        new(ResultFormat.Csv, "IoBench's CSV", "Import-IoResult", CsvResultReader.LooksLike,
            (stream, name) => CsvResultReader.Read(TextInput.OpenText(stream), name)),
        new(ResultFormat.Sqlio, "SQLIO's text", "Import-SqlioResult", SqlioTextReader.LooksLike, SqlioTextReader.Read),
        new(ResultFormat.DiskSpdXml, "DiskSpd's XML", "Import-DiskSpdResult", DiskSpdXmlReader.LooksLike,
            (stream, name) => DiskSpdXmlReader.Read(TextInput.OpenText(stream), name)),
        new(ResultFormat.DiskSpd, "DiskSpd's text", "Import-DiskSpdResult", DiskSpdTextReader.LooksLike,
            (stream, name) => DiskSpdTextReader.Read(TextInput.OpenText(stream), name)),
    ];

    /// <summary>The format of a text that begins like this; null when it is none of ours.</summary>
    public static FormatReader? Of(string head) => All.FirstOrDefault(f => f.LooksLike(head));
}
