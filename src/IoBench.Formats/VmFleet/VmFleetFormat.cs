using System.Runtime.InteropServices;

namespace IoBench.Formats;

/// <summary>Format descriptor of VMFleet's tables.</summary>
public static class VmFleetFormat
{
    /// <summary>Source of the results that were read from this format.</summary>
    public const string Source = "VmFleet";

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
