using System.Runtime.InteropServices;

namespace IoBench.Formats.Results;

/// <summary>A form that results come in: all that the rest of IoBench knows about it. Each is a line of <see cref="ResultFormats"/>.</summary>
public sealed record FormatDescriptor
{
    /// <summary>Its name in messages, such as <c>SQLIO's text</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The tool that prints it: <c>SQLIO</c>.</summary>
    public required string Tool { get; init; }

    /// <summary>Source of the results read from it; null for IoBench's own forms, which keep the source of every result in them.</summary>
    public string? Source { get; init; }

    /// <summary>The operating system that its tool runs on, where there is only one; null = several.</summary>
    public OSPlatform? RunsOn { get; init; }

    /// <summary>Whether its latency is whole milliseconds, cut and not rounded: Little's law then judges in its place.</summary>
    public bool IsInWholeMilliseconds { get; init; }

    /// <summary>The cmdlet that is for it.</summary>
    public string Command { get; init; } = "Import-IoResult";

    /// <summary>Extensions that its files usually have, in lower case; the content decides, never the name.</summary>
    public IReadOnlyList<string> Extensions { get; init; } = [];

    /// <summary>Its name where results are written; null for a form that is only read.</summary>
    public ResultFormat? WrittenAs { get; init; }

    /// <summary>Its name on the program's command line; null for a form that is only read.</summary>
    public string? OptionName { get; init; }

    /// <summary>Whether a file without any result is a good one.</summary>
    public bool MayBeEmpty { get; init; }

    /// <summary>True for a text that begins like this form.</summary>
    internal Func<string, bool> LooksLike { get; init; } = _ => false;

    /// <summary>Reads a stream whose name (for messages and results) is given; null for a form that is read as text.</summary>
    internal Func<Stream, string, IEnumerable<IoTestResult>>? ReadBytes { get; init; }

    /// <summary>The same for text; null for a form that is read as bytes.</summary>
    internal Func<TextReader, string, IEnumerable<IoTestResult>>? ReadText { get; init; }

    /// <summary>The same for text, with who receives in a line each what is left out; null for a form that leaves nothing out.</summary>
    internal Func<TextReader, string, Action<string>?, IEnumerable<IoTestResult>>? ReadNotedText { get; init; }

    /// <summary>Writes results, as they come; null for a form that is only read.</summary>
    internal Action<TextWriter, IEnumerable<IoTestResult>>? Write { get; init; }

    /// <summary>Reads a file from its beginning to its end; the stream must be able to seek.</summary>
    internal IEnumerable<IoTestResult> Read(Stream stream, string name, Action<string>? note = null) =>
        ReadBytes is not null ? ReadBytes(stream, name) : ReadAsText(TextInput.OpenText(stream), name, note);

    /// <summary>Reads a file that is in memory as a whole.</summary>
    /// <param name="text">The same as text, without byte order mark.</param>
    /// <param name="note">Receives in a line each what is left out; null = nobody listens.</param>
    internal IEnumerable<IoTestResult> Read(byte[] bytes, string text, string name, Action<string>? note = null) =>
        ReadBytes is not null ? ReadBytes(new MemoryStream(bytes, writable: false), name) : ReadAsText(new StringReader(text), name, note);

    private IEnumerable<IoTestResult> ReadAsText(TextReader reader, string name, Action<string>? note) =>
        ReadNotedText is not null ? ReadNotedText(reader, name, note) : ReadText!(reader, name);

    /// <inheritdoc/>
    public override string ToString() => Name;
}
