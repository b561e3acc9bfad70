namespace IoBench.Formats;

internal static class CsvFormat
{
    public static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "IoBench's CSV",
            Tool = ResultFormats.OwnTool,
            Extensions = [".csv"],
            LooksLike = CsvResultReader.LooksLike,
            ReadTextWithNotes = CsvResultReader.Read,
            WrittenAs = ResultFormat.Csv,
            OptionName = "csv",
            Write = CsvResultWriter.Write,
        };
}
