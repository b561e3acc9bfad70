using System.Globalization;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;
using System.Runtime.Versioning;
using static IoBench.Engine.WindowsCalls;

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
            facts["Virtual machine"] = "Wine, not Windows";
        uint highestNode;
        if (GetNumaHighestNodeNumber(&highestNode))
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
        if (PowerGetActiveScheme(0, &scheme) != 0)
            return null;
        try
        {
            const int length = 512;
            var name = stackalloc byte[length];
            uint size = length;
            return PowerReadFriendlyName(0, scheme, null, null, name, &size) == 0 && size > 2
                ? $"{new string((char*)name)} ({*scheme})"
                : scheme->ToString();
        }
        finally
        {
            LocalFree((nint)scheme);
        }
    }

    [SupportedOSPlatform("windows")]
    private static string? ReadRegistry(string key, string name) => RegistryValue.Read(key, name).Text;

    [SupportedOSPlatform("windows")]
    private static void AddWindowsSystem(Dictionary<string, string> facts)
    {
        const string version = @"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
        Add(
            facts,
            "Kernel",
            Environment.OSVersion.Version.ToString(3) + (ReadRegistry(version, "UBR") is { } revision ? "." + revision : "")
        );
        Add(facts, "Edition", ReadRegistry(version, "InstallationType"));
        var groups = GetActiveProcessorGroupCount();
        Add(facts, "Processor groups", groups > 1 ? groups.ToString(CultureInfo.InvariantCulture) : null);
        Add(facts, "Core classes", DescribeCoreClasses(ReadCores()));
        Add(facts, "Hypervisor", DetectHypervisor());
        var drivers = GetRunningDrivers();
        Add(facts, FiltersFact, DescribeFilters(drivers));
        Add(facts, "Multipath", DescribeMultipath(drivers));
        const string defender = @"SOFTWARE\Microsoft\Windows Defender\Real-Time Protection",
            policy = @"SOFTWARE\Policies\Microsoft\Windows Defender\Real-Time Protection",
            name = "DisableRealtimeMonitoring";
        if (drivers.Exists(d => d.Name.Equals("WdFilter", StringComparison.OrdinalIgnoreCase)))
            facts["Defender real-time"] = DescribeRealTimeProtection(RegistryValue.Read(policy, name), RegistryValue.Read(defender, name));
        var integrity = new CodeIntegrity { Length = (uint)sizeof(CodeIntegrity) };
        if (NtQuerySystemInformation(SystemCodeIntegrityInformation, &integrity, (uint)sizeof(CodeIntegrity), null) == 0)
            facts["Memory integrity"] = (integrity.Options & CODEINTEGRITY_OPTION_HVCI_KMCI_ENABLED) != 0 ? "on" : "off";
    }

    // A hypervisor returns its name in CPUID. With virtualization-based security, Windows itself runs on a hypervisor.
    private static string? DetectHypervisor()
    {
        const int presentBit = 31,
            leaf = 0x40000000;
        if (!X86Base.IsSupported || (X86Base.CpuId(1, 0).Ecx >> presentBit & 1) == 0)
            return null;
        var (_, b, c, d) = X86Base.CpuId(leaf, 0);
        return DecodeHypervisor(b, c, d) ?? "yes";
    }

    private static byte[] ReadCores()
    {
        uint bytes = 0;
        _ = GetLogicalProcessorInformationEx(RelationProcessorCore, null, &bytes);
        var buffer = new byte[bytes];
        fixed (byte* start = buffer)
            return bytes > 0 && GetLogicalProcessorInformationEx(RelationProcessorCore, start, &bytes) != 0 ? buffer : [];
    }

    // Every user can query the service manager. The filter manager requires an administrator.
    [SupportedOSPlatform("windows")]
    private static List<(string Name, string? Group)> GetRunningDrivers()
    {
        const int max = 256 << 10;
        var drivers = new List<(string, string?)>();
        var manager = OpenSCManager(null, null, SC_MANAGER_ENUMERATE_SERVICE);
        if (manager == 0)
            return drivers;
        try
        {
            var buffer = new byte[max];
            uint needed,
                count,
                resume = 0;
            fixed (byte* start = buffer)
            {
                if (
                    !EnumServicesStatus(
                        manager,
                        SC_ENUM_PROCESS_INFO,
                        SERVICE_FILE_SYSTEM_DRIVER | SERVICE_KERNEL_DRIVER,
                        SERVICE_ACTIVE,
                        start,
                        max,
                        &needed,
                        &count,
                        &resume,
                        null
                    )
                )
                    return drivers;
                for (var i = 0; i < count; i++)
                {
                    var name = new string(((ServiceStatus*)start)[i].Name);
                    drivers.Add((name, ReadRegistry($@"SYSTEM\CurrentControlSet\Services\{name}", "Group")));
                }
            }
            return drivers;
        }
        finally
        {
            _ = CloseServiceHandle(manager);
        }
    }

    private static long? ReadWindowsMemory()
    {
        var status = new MemoryStatus { Length = (uint)sizeof(MemoryStatus) };
        return GlobalMemoryStatusEx(&status) ? (long)status.TotalPhysical : null;
    }
}
