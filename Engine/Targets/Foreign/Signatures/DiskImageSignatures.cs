using static IoBench.Engine.ContentSignature;

namespace IoBench.Engine;

/// <summary>Disks of virtual machines. A disk without a header (raw, -flat.vmdk) is found by what is on it.</summary>
/// <remarks>Sources: [MS-VHDX], the VHD image format specification, VMware's Virtual Disk Format 5.0, and QEMU's block drivers.</remarks>
internal static class DiskImageSignatures
{
    private const string Vhd = "a virtual disk (VHD)";
    private const string Vmdk = "a virtual disk (VMDK)";

    public static IEnumerable<ContentSignature> Table { get; } =
    [
        At("a virtual disk (VHDX)", 0, "vhdxfile"),
        // The footer is at the end; a dynamic disk has a copy at the start. Old versions wrote 511 bytes.
        At(Vhd, 0, "conectix"),
        FromEnd(Vhd, 512, "conectix"),
        new(Vhd, 511, [.. "conectix"u8], 1),
        At(Vmdk, 0, "KDMV"),
        At(Vmdk, 0, "COWD"),
        At(Vmdk, 0, 0xBE, 0xBA, 0xFE, 0xCA, 0, 0, 0, 0),
        At(Vmdk, 0, "# Disk DescriptorFile"),
        At("a virtual disk (QCOW)", 0, [.. "QFI"u8, 0xFB]),
        At("a virtual disk (QED)", 0, [.. "QED"u8, 0]),
        At("a virtual disk (VDI)", 64, 0x7F, 0x10, 0xDA, 0xBE),
        At("a virtual disk (Parallels)", 0, "WithoutFreeSpace"),
        At("a virtual disk (Parallels)", 0, "WithouFreSpacExt"),
        At("a virtual disk (Bochs)", 0, "Bochs Virtual HD Image"),
        FromEnd("a disk image (DMG)", 512, "koly"),
    ];
}
