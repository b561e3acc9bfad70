namespace IoBench.Formats.Csv;

/// <summary>IoBench's own CSV among the formats.</summary>
internal static class CsvFormat
{
    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static FormatDescriptor Descriptor { get; } =
        new()
        {
            // A sweep of VMFleet may have columns of the same names.
            Name = "IoBench's CSV",
            Tool = ResultFormats.OwnTool,
            Extensions = [".csv"],
            LooksLike = head => CsvResultReader.LooksLike(head) && !VmFleetReader.LooksLike(head),
            ReadNotedText = CsvResultReader.Read,
            WrittenAs = ResultFormat.Csv,
            OptionName = "csv",
            Write = CsvResultWriter.Write,
        };
}
