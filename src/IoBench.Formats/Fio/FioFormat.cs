namespace IoBench.Formats;

/// <summary>Describes fio's outputs as a format.</summary>
public static class FioFormat
{
    /// <summary>Source of results that were read from fio's outputs.</summary>
    public const string Source = "Fio";

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
