using System.Runtime.InteropServices;

namespace IoBench.Formats.VmFleet;

/// <summary>VMFleet's table among the formats.</summary>
public static class VmFleetFormat
{
    /// <summary>Source of the results read from it.</summary>
    public const string Source = "VmFleet";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    internal static FormatDescriptor Descriptor { get; } =
        new()
        {
            Name = "VMFleet's table",
            Tool = "VMFleet",
            Source = Source,
            RunsOn = OSPlatform.Windows,
            Extensions = [".tsv"],
            LooksLike = VmFleetReader.LooksLike,
            ReadText = VmFleetReader.Read,
        };
}
