namespace IoBench.Formats.Json;

/// <summary>IoBench's own JSON among the formats.</summary>
internal static class JsonFormat
{
    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "IoBench's JSON",
            Tool = ResultFormats.OwnTool,
            Extensions = [".json"],
            MayBeEmpty = true,
            LooksLike = JsonResultReader.LooksLike,
            ReadBytes = JsonResultReader.Read,
            WrittenAs = ResultFormat.Json,
            OptionName = "json",
            Write = JsonResultWriter.Write,
        };
}
