namespace IoBench.Formats.Fio;

/// <summary>fio's outputs among the formats.</summary>
public static class FioFormat
{
    /// <summary>Source of the results read from one of them.</summary>
    public const string Source = "Fio";

    /// <summary>All that the rest of IoBench knows about them.</summary>
    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "fio's output",
            Tool = "fio",
            Source = Source,
            Extensions = [".json", ".txt", ".out", ".log"],
            LooksLike = FioReader.LooksLike,
            ReadBytes = FioReader.Read,
            WrittenAs = ResultFormat.Fio,
            OptionName = "fio",
            Write = FioWriter.Write,
        };
}
