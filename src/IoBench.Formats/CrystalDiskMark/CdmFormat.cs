using System.Runtime.InteropServices;

namespace IoBench.Formats.CrystalDiskMark;

/// <summary>CrystalDiskMark's text among the formats.</summary>
public static class CdmFormat
{
    /// <summary>Source of the results read from it.</summary>
    public const string Source = "CrystalDiskMark";

    /// <summary>All that the rest of IoBench knows about it.</summary>
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
