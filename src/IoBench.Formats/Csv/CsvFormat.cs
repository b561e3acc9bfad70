namespace IoBench.Formats;

internal static class CsvFormat
{
    public static FormatDescriptor Descriptor { get; } =
        new()
        {
            // Files of VMFleet can have columns with the same names.
            Name = "IoBench's CSV",
            Tool = ResultFormats.OwnTool,
            Extensions = [".csv"],
            LooksLike = head => CsvResultReader.LooksLike(head) && !VmFleetReader.LooksLike(head),
            ReadTextWithNotes = CsvResultReader.Read,
            WrittenAs = ResultFormat.Csv,
            OptionName = "csv",
            Write = CsvResultWriter.Write,
        };
}
