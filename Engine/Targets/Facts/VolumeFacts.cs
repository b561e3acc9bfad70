using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine.Targets.Facts;

/// <summary>What is known of the storage below a path. Null = the system does not say.</summary>
internal sealed partial class VolumeFacts
{
    /// <summary>Name of the fact whether a device's driver has queues whose completions can be asked for: 1 or 0.</summary>
    public const string QueuePollingFact = "Queue polling";

    /// <summary>Name of the file system.</summary>
    public string? FileSystem { get; set; }

    /// <summary>Where the volume is mounted; a drive on Windows.</summary>
    public string? MountPoint { get; set; }

    /// <summary>Device and model, for people.</summary>
    public string? Device { get; set; }

    /// <summary>Smallest unit of unbuffered I/O in bytes.</summary>
    public int LogicalSectorSize { get; set; } = 512;

    /// <summary>Unit that the device writes without read-modify-write, in bytes.</summary>
    public int PhysicalSectorSize { get; set; } = 512;

    /// <summary>Room on the volume.</summary>
    public VolumeSpace? Space { get; set; }

    /// <summary>Unbuffered I/O is possible.</summary>
    public bool? DirectIO { get; set; }

    /// <summary>A write can be told to reach the medium without a flush of the whole cache.</summary>
    public bool? ForcedUnitAccess { get; set; }

    /// <summary>The device says that it has a volatile write cache.</summary>
    public bool? WriteBackCache { get; set; }

    /// <summary>The device's cache was declared safe against a loss of power: the system sends it no flushes (Windows).</summary>
    public bool IsPowerProtectionDeclared { get; set; }

    /// <summary>The storage below gives room only as it is written: the volume's free space may be more than there is.</summary>
    public bool IsThin { get; set; }

    /// <summary>I/O goes by the network to the cluster node that owns the volume (Windows).</summary>
    public bool IsRedirected { get; set; }

    /// <summary>The data lies in memory.</summary>
    public bool IsMemory { get; set; }

    /// <summary>The data lies on another machine.</summary>
    public bool IsNetwork { get; set; }

    /// <summary>Blocks are never overwritten in place.</summary>
    public bool IsCopyOnWrite { get; set; }

    /// <summary>A layer over other file systems, as containers have it.</summary>
    public bool IsOverlay { get; set; }

    /// <summary>A window into the kernel (/proc, /sys) or its list of devices: no place for files.</summary>
    public bool IsPseudo { get; set; }

    /// <summary>The file is compressed by the file system.</summary>
    public bool IsCompressed { get; set; }

    /// <summary>The file is encrypted by the file system.</summary>
    public bool IsEncrypted { get; set; }

    /// <summary>All of it by name, for the record.</summary>
    public Dictionary<string, string> Facts { get; } = [];

    /// <summary>Gathers what is known of the volume of an existing file or folder.</summary>
    /// <param name="existing">A file, folder or block device.</param>
    /// <param name="file">The file, when it is open.</param>
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
