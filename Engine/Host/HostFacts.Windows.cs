using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace IoBench.Engine;

public static unsafe partial class HostFacts
{
    [SupportedOSPlatform("windows")]
    private static void AddWindows(Dictionary<string, string> facts)
    {
        const string version = @"SOFTWARE\Microsoft\Windows NT\CurrentVersion",
            bios = @"HARDWARE\DESCRIPTION\System\BIOS";
        Add(facts, "Processor", ReadRegistry(@"HARDWARE\DESCRIPTION\System\CentralProcessor\0", "ProcessorNameString"));
        Add(facts, "Distribution", $"{ReadRegistry(version, "ProductName")} {ReadRegistry(version, "DisplayVersion")}");
        var vendor = ReadRegistry(bios, "SystemManufacturer");
        var product = ReadRegistry(bios, "SystemProductName");
        Add(facts, "Computer", $"{vendor} {product}");
        Add(
            facts,
            "BIOS",
            FormatBios(ReadRegistry(bios, "BIOSVendor"), ReadRegistry(bios, "BIOSVersion"), ReadRegistry(bios, "BIOSReleaseDate"))
        );
        Add(facts, "Virtual machine", DetectCloud(vendor, product, ReadRegistry(@"SYSTEM\HardwareConfig\Current", "ChassisAssetTag")));
        if (NativeLibrary.TryLoad("ntdll.dll", out var ntdll) && NativeLibrary.TryGetExport(ntdll, "wine_get_version", out _))
            facts["Virtual machine"] = "Wine: not Windows itself";
        uint highestNode;
        if (WindowsCalls.GetNumaHighestNodeNumber(&highestNode))
            facts["NUMA nodes"] = (highestNode + 1).ToString(CultureInfo.InvariantCulture);
        Add(facts, "Power plan", GetPowerPlan());
        AddWindowsSystem(facts);
    }

    internal static string? GetPowerPlan()
    {
        Guid* scheme;
        // Small editions of Windows have no powrprof.dll.
        if (!NativeLibrary.TryLoad("powrprof.dll", out _))
            return null;
        // Wine, and Windows without the power service, have no active plan.
        if (WindowsCalls.PowerGetActiveScheme(0, &scheme) != 0)
            return null;
        try
        {
            const int length = 512;
            var name = stackalloc byte[length];
            uint size = length;
            return WindowsCalls.PowerReadFriendlyName(0, scheme, null, null, name, &size) == 0 && size > 2
                ? $"{new string((char*)name)} ({*scheme})"
                : scheme->ToString();
        }
        finally
        {
            WindowsCalls.LocalFree((nint)scheme);
        }
    }

    [SupportedOSPlatform("windows")]
    private static string? ReadRegistry(string key, string name) => RegistryValue.Read(key, name).Text;
}
