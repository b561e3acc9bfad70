using System.Runtime.InteropServices;

namespace IoBench.Formats;

/// <summary>KDiskMark runs fio and prints its results as CrystalDiskMark does.</summary>
public static class KDiskMarkFormat
{
    public const string Source = "KDiskMark";

    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "KDiskMark's text",
            Tool = "KDiskMark",
            Source = Source,
            RunsOn = OSPlatform.Linux,
            Extensions = [".txt"],
            LooksLike = head => CrystalDiskMarkReader.HasRowsOf(Source, head),
            ReadText = CrystalDiskMarkReader.Read,
        };
}
