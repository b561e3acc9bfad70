namespace IoBench.Formats;

internal static class JsonFormat
{
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
