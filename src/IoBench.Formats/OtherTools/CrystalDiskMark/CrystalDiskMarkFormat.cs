using System.Runtime.InteropServices;

namespace IoBench.Formats;

public static class CrystalDiskMarkFormat
{
    public const string Source = "CrystalDiskMark";

    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "CrystalDiskMark's text",
            Tool = "CrystalDiskMark",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            Extensions = [".txt"],
            LooksLike = CrystalDiskMarkReader.LooksLike,
            ReadText = CrystalDiskMarkReader.Read,
        };
}
