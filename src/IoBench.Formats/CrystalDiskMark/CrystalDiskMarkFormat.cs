using System.Runtime.InteropServices;

namespace IoBench.Formats;

/// <summary>Format descriptor of CrystalDiskMark's text output.</summary>
public static class CrystalDiskMarkFormat
{
    /// <summary>Source of the results that were read from this format.</summary>
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
