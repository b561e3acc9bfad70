using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Describes a format of results. Each descriptor is registered in <see cref="ResultFormats"/>.</summary>
public sealed record FormatDescriptor
{
    /// <summary>Name in messages, such as <c>SQLIO's text</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Tool that prints the format, such as <c>SQLIO</c>.</summary>
    public required string Tool { get; init; }

    /// <summary>Source of its results; null for IoBench's own formats, which contain the source of each result.</summary>
    public string? Source { get; init; }

    /// <summary>Operating system of the tool; null if it runs on several.</summary>
    public OSPlatform? RunsOn { get; init; }

    /// <summary>True if the latency is truncated to whole milliseconds. Ratings then use the latency from Little's law.</summary>
    public bool IsInWholeMilliseconds { get; init; }

    public string Command { get; init; } = "Import-IoResult";

    /// <summary>Usual extensions of its files in lowercase. The content decides the format, not the name.</summary>
    public IReadOnlyList<string> Extensions { get; init; } = [];

    /// <summary>Format to write; null if the format can only be read.</summary>
    public ResultFormat? WrittenAs { get; init; }

    /// <summary>Name on the command line; null if the format can only be read.</summary>
    public string? OptionName { get; init; }

    /// <summary>True if a file without results is valid.</summary>
    public bool MayBeEmpty { get; init; }

    internal Func<string, bool> LooksLike { get; init; } = _ => false;

    /// <summary>Reads a stream; the string is its name for messages and results. Null if the format is read as text.</summary>
    internal Func<Stream, string, IEnumerable<IoTestResult>>? ReadBytes { get; init; }

    /// <summary>Reads text; null if the format is read as bytes.</summary>
    internal Func<TextReader, string, IEnumerable<IoTestResult>>? ReadText { get; init; }

    /// <summary>Reads text and reports each omitted value in a message; null if the reader omits nothing.</summary>
    internal Func<TextReader, string, Action<string>?, IEnumerable<IoTestResult>>? ReadTextWithNotes { get; init; }

    internal Action<TextWriter, IEnumerable<IoTestResult>>? Write { get; init; }

    internal IEnumerable<IoTestResult> Read(Stream stream, string name, Action<string>? note = null) =>
        (ReadBytes is not null ? ReadBytes(stream, name) : ReadAsText(TextInput.OpenText(stream), name, note)).Validate(name, note);

    /// <param name="text">The bytes as text, without byte order mark.</param>
    internal IEnumerable<IoTestResult> Read(byte[] bytes, string text, string name, Action<string>? note = null) =>
        (
            ReadBytes is not null
                ? ReadBytes(new MemoryStream(bytes, 0, bytes.Length, writable: false, publiclyVisible: true), name)
                : ReadAsText(new StringReader(text), name, note)
        ).Validate(name, note);

    private IEnumerable<IoTestResult> ReadAsText(TextReader reader, string name, Action<string>? note) =>
        ReadTextWithNotes is not null ? ReadTextWithNotes(reader, name, note) : ReadText!(reader, name);

    public override string ToString() => Name;
}

/// <summary>Formats that results can be written in. <see cref="ResultFormats"/> also has those that can only be read.</summary>
public enum ResultFormat
{
    /// <summary>IoBench's own format: an array of results without loss of information.</summary>
    Json,

    /// <summary>The flat columns of a result, one row per result.</summary>
    Csv,

    Sqlio,

    DiskSpd,

    DiskSpdXml,

    Fio,
}
