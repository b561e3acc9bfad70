using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>libblkid of util-linux, if installed, recognizes formats that IoBench does not. Flags: blkid/blkid.h.</summary>
internal static unsafe partial class LibBlkid
{
    private const int Found = 0,
        Nothing = 1;

    // BLKID_SUBLKS_TYPE, USAGE, MAGIC, and BADCSUM: a superblock with a wrong checksum counts, because it can be damaged user data.
    internal const int Superblocks = 1 << 5 | 1 << 7 | 1 << 9 | 1 << 10;

    // BLKID_PARTS_FORCE_GPT and MAGIC: a GPT counts even without its protective MBR.
    internal const int Partitions = 1 << 1 | 1 << 3;

    private const string Library = "libblkid.so.1";

    public static bool IsAvailable { get; } =
        OperatingSystem.IsLinux()
        && NativeLibrary.TryLoad(Library, out var library)
        && NativeLibrary.TryGetExport(library, "blkid_probe_enable_topology", out _);

    /// <summary>Returns the first format found; null if there is none or the library is not installed.</summary>
    /// <exception cref="IoBenchException">The device could not be read, so it can contain data.</exception>
    public static string? Find(SafeFileHandle device, string path)
    {
        if (!IsAvailable)
            return null;
        var probe = NewProbe();
        if (probe == 0)
            throw CreateError(path);
        try
        {
            if (SetDevice(probe, device, 0, 0) != 0)
                throw CreateError(path);
            _ = EnableTopology(probe, 0);
            _ = EnableSuperblocks(probe, 1);
            _ = SetSuperblocksFlags(probe, Superblocks);
            _ = EnablePartitions(probe, 1);
            _ = SetPartitionsFlags(probe, Partitions);
            // Not a "safe" probe, which treats two formats on one device as an error and checks fewer places.
            return DoProbe(probe) switch
            {
                Found => Describe(probe),
                Nothing => null,
                _ => throw CreateError(path),
            };
        }
        finally
        {
            FreeProbe(probe);
        }
    }

    private static string Describe(nint probe)
    {
        if (GetValue(probe, "PTTYPE") is { } table)
            return $"a partition table ({table})";
        var type = GetValue(probe, "TYPE") ?? "no name";
        return GetValue(probe, "USAGE") switch
        {
            "filesystem" => $"a file system ({type})",
            "raid" => $"a member of a volume group or RAID ({type})",
            "crypto" => $"an encrypted volume ({type})",
            _ => $"data of a known type ({type})",
        };
    }

    private static string? GetValue(nint probe, string name)
    {
        byte* data;
        return Lookup(probe, name, &data, null) == 0 ? Marshal.PtrToStringUTF8((nint)data) : null;
    }

    private static IoBenchException CreateError(string path) =>
        IoBenchException.Failure(
            "IoBench.FileFailed",
            $"{path}: libblkid cannot read the device, so IoBench cannot determine whether the device is empty.",
            path,
            advice: $"Check the device (blkid -p {path}), or specify another device."
        );

    [LibraryImport(Library, EntryPoint = "blkid_new_probe")]
    private static partial nint NewProbe();

    [LibraryImport(Library, EntryPoint = "blkid_free_probe")]
    private static partial void FreeProbe(nint probe);

    [LibraryImport(Library, EntryPoint = "blkid_probe_set_device")]
    private static partial int SetDevice(nint probe, SafeFileHandle descriptor, long offset, long size);

    [LibraryImport(Library, EntryPoint = "blkid_probe_enable_superblocks")]
    private static partial int EnableSuperblocks(nint probe, int enable);

    [LibraryImport(Library, EntryPoint = "blkid_probe_set_superblocks_flags")]
    private static partial int SetSuperblocksFlags(nint probe, int flags);

    [LibraryImport(Library, EntryPoint = "blkid_probe_enable_partitions")]
    private static partial int EnablePartitions(nint probe, int enable);

    [LibraryImport(Library, EntryPoint = "blkid_probe_set_partitions_flags")]
    private static partial int SetPartitionsFlags(nint probe, int flags);

    [LibraryImport(Library, EntryPoint = "blkid_probe_enable_topology")]
    private static partial int EnableTopology(nint probe, int enable);

    [LibraryImport(Library, EntryPoint = "blkid_do_probe")]
    private static partial int DoProbe(nint probe);

    [LibraryImport(Library, EntryPoint = "blkid_probe_lookup_value", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Lookup(nint probe, string name, byte** data, nuint* length);
}
