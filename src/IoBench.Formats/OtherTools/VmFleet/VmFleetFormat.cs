using System.Runtime.InteropServices;

namespace IoBench.Formats;

public static class VmFleetFormat
{
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
