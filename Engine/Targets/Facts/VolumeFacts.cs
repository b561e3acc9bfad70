using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>Properties of the storage below a path. Null = the operating system does not report it.</summary>
internal sealed partial class VolumeFacts
{
    public const string QueuePollingFact = "Queue polling";

    public string? FileSystem { get; set; }

    public string? MountPoint { get; set; }

    public string? Device { get; set; }

    /// <summary>Smallest unit of unbuffered I/O in bytes.</summary>
    public int LogicalSectorSize { get; set; } = 512;

    /// <summary>Unit that the device writes without read-modify-write, in bytes.</summary>
    public int PhysicalSectorSize { get; set; } = 512;

    public VolumeSpace? Space { get; set; }

    public bool? DirectIO { get; set; }

    /// <summary>Whether the device can write through its cache without a flush of the whole cache.</summary>
    public bool? ForcedUnitAccess { get; set; }

    public bool? WriteBackCache { get; set; }

    /// <summary>Whether the device's cache was declared safe against power loss, so that Windows sends it no flushes.</summary>
    public bool IsPowerProtectionDeclared { get; set; }

    /// <summary>Whether the storage is thin-provisioned, so that the volume's free space can be more than the storage has.</summary>
    public bool IsThin { get; set; }

    public bool IsRedirected { get; set; }

    public bool IsMemory { get; set; }

    public bool IsNetwork { get; set; }

    public bool IsCopyOnWrite { get; set; }

    public bool IsOverlay { get; set; }

    /// <summary>Whether the file system is a kernel interface (/proc, /sys) or its list of devices, which cannot hold files.</summary>
    public bool IsPseudo { get; set; }

    public bool IsCompressed { get; set; }

    public bool IsEncrypted { get; set; }

    public Dictionary<string, string> Facts { get; } = [];

    public static VolumeFacts Collect(string existing, SafeFileHandle? file = null)
    {
        var facts = new VolumeFacts { Space = PlatformFiles.Current.GetSpace(existing) };
        PlatformFiles.Current.CollectFacts(facts, existing, file);
        facts.Note("File system", facts.FileSystem);
        facts.Note("Mount point", facts.MountPoint);
        facts.Note("Device", facts.Device);
        facts.Note("Logical sector size", facts.LogicalSectorSize.ToString(CultureInfo.InvariantCulture));
        facts.Note("Physical sector size", facts.PhysicalSectorSize.ToString(CultureInfo.InvariantCulture));
        facts.Note("Volume size", facts.Space?.Total.ToString(CultureInfo.InvariantCulture));
        facts.Note("Volume free", facts.Space?.Available.ToString(CultureInfo.InvariantCulture));
        facts.Note("Unbuffered I/O", YesNo(facts.DirectIO));
        facts.Note("Compressed", facts.IsCompressed ? "yes" : null);
        facts.Note("Encrypted", facts.IsEncrypted ? "yes" : null);
        facts.Note("Copy on write", facts.IsCopyOnWrite ? "yes" : null);
        return facts;
    }

    private void Note(string name, string? value)
    {
        if (!string.IsNullOrWhiteSpace(value))
            Facts[name] = value.Trim();
    }

    private static string? YesNo(bool? value) =>
        value is { } known
            ? known
                ? "yes"
                : "no"
            : null;
}
