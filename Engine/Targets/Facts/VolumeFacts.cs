using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal sealed partial class VolumeFacts
{
    public const string QueuePollingFact = "Queue polling";
    public const string PartitionOffsetFact = "Partition offset within a sector";

    public string? FileSystem { get; set; }

    public string? MountPoint { get; set; }

    public string? Device { get; set; }

    /// <summary>Smallest unit of unbuffered I/O in bytes.</summary>
    public int LogicalSectorSize { get; set; } = 512;

    /// <summary>Unit that the device writes without read-modify-write, in bytes.</summary>
    public int PhysicalSectorSize { get; set; } = 512;

    public (long Total, long Available)? Space { get; set; }

    public bool? SupportsDirectIO { get; set; }

    /// <summary>Whether the device can write through its cache without a flush of the whole cache.</summary>
    public bool? SupportsForcedUnitAccess { get; set; }

    public bool? HasVolatileWriteCache { get; set; }

    /// <summary>Whether the device's cache was declared safe against power loss, so that Windows sends it no flushes.</summary>
    public bool IsPowerProtectionDeclared { get; set; }

    /// <summary>Whether the storage is thin-provisioned, so that the volume's free space can be more than the storage has.</summary>
    public bool IsThinProvisioned { get; set; }

    public bool IsRedirected { get; set; }

    public bool IsInMemory { get; set; }

    public bool IsNetwork { get; set; }

    public bool IsCopyOnWrite { get; set; }

    public bool IsOverlay { get; set; }

    /// <summary>Whether the file system is a kernel interface (/proc, /sys) or its list of devices, which cannot hold files.</summary>
    public bool IsPseudoFileSystem { get; set; }

    public bool IsCompressed { get; set; }

    public bool IsEncrypted { get; set; }

    public Dictionary<string, string> Facts { get; } = [];

    /// <summary>Block device of the file system or target on Linux; null if the kernel does not report it.</summary>
    public LinuxBlockDevice? BlockDevice { get; set; }

    /// <summary>Block devices whose counters the system can read; empty for network and memory.</summary>
    public List<(string Device, bool IsComponent, Func<IoDeviceLoad?> Read)> Counters { get; } = [];

    public static VolumeFacts Collect(string existing, SafeFileHandle? file = null)
    {
        var facts = new VolumeFacts { Space = PlatformFiles.Current.GetSpace(existing) };
        PlatformFiles.Current.CollectFacts(facts, existing, file);
        facts.AddFact("File system", facts.FileSystem);
        facts.AddFact("Mount point", facts.MountPoint);
        facts.AddFact("Device", facts.Device);
        facts.AddFact("Logical sector size", facts.LogicalSectorSize.ToString(CultureInfo.InvariantCulture));
        facts.AddFact("Physical sector size", facts.PhysicalSectorSize.ToString(CultureInfo.InvariantCulture));
        facts.AddFact("Volume size", facts.Space?.Total.ToString(CultureInfo.InvariantCulture));
        facts.AddFact("Volume free", facts.Space?.Available.ToString(CultureInfo.InvariantCulture));
        facts.AddFact("Unbuffered I/O", FormatYesNo(facts.SupportsDirectIO));
        facts.AddFact("Compressed", facts.IsCompressed ? "yes" : null);
        facts.AddFact("Encrypted", facts.IsEncrypted ? "yes" : null);
        facts.AddFact("Copy on write", facts.IsCopyOnWrite ? "yes" : null);
        return facts;
    }

    private void AddFact(string name, string? value)
    {
        if (!string.IsNullOrWhiteSpace(value))
            Facts[name] = value.Trim();
    }

    private static string? FormatYesNo(bool? value) =>
        value switch
        {
            true => "yes",
            false => "no",
            null => null,
        };
}
