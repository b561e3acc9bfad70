namespace IoBench.Formats;

public static class FioFormat
{
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
